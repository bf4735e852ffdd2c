export { concludeReview, exitCodeOf, type RoundFacts } from './conclude-review.policy.ts';
export type { EquivalenceRow } from './equivalence.ts';
export type { Hash } from './fingerprint.ts';
export { compileGlobs, compilePatterns } from './glob.ts';
export { type ChangeFacts, type IgnoreRules, ignoredChange, ignoredFiles, type Matches } from './ignore.policy.ts';
