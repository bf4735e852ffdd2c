export type { CheckContext, CheckResult, PartialReading, ReviewPart, ReviewPrompt, Rule, Specialist } from './specialist.ts';
export { addedLines, findingOf, type Remark, touchedLines } from './touched-lines.ts';
