export { built, type RuleId, untested, verifies } from './requirements.ts';
