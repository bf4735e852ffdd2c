export { answerSchema } from './answer-schema.ts';
export { type AnswerReading, type DroppedPart, MAX_FINDINGS } from './answer-tally.ts';
export { type AnswerOptions, MAX_ANSWER, readFindings } from './read-findings.ts';
