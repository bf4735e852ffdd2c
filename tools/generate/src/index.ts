export { generateDocuments } from './documents.ts';
