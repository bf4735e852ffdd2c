export { answerSchema } from './answer-schema.ts';
export { type AnswerReading, type DroppedPart, MAX_FINDINGS } from './answer-tally.ts';
export { type AnswerOptions, MAX_ANSWER, readFindings } from './read-findings.ts';
export { type AnswerVerdict, readVerdicts, type VerdictOptions, type VerdictReading } from './read-verdicts.ts';
export { verdictSchema } from './verdict-schema.ts';
