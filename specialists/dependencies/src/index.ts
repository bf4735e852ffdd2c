export { specialist } from './specialist.ts';
