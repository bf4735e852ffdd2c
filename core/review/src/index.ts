export { concludeReview, exitCodeOf, type RoundFacts } from './conclude-review.policy.ts';
export type { EquivalenceRow } from './equivalence.ts';
export type { Hash } from './fingerprint.ts';
export { compileGlobs, compilePatterns } from './glob.ts';
export { type ChangeFacts, type IgnoreRules, ignoredChange, ignoredFiles, type Matches } from './ignore.policy.ts';
export {
  adoptComments,
  type Adopted,
  type LookedFor,
  type StandingComment,
  standingRemark,
  standingReply,
  standingSummary,
  type WantedComment,
} from './adopt-comments.policy.ts';
export { type AdoptedRounds, adoptRounds, type StandingFacts, type StandingThread } from './adopt-rounds.policy.ts';
export { type Acknowledged, type AttentionFacts, type AttentionKind, attentionOf, type AttentionRow, attentionRows } from './attention.view.ts';
export { type AnswerLedger, type AnswerRow } from './answer-ledger.ts';
export { actorAuthority, type AuthorityFacts, type AuthorityNeed, type Permission } from './actor-authority.policy.ts';
export { intake, intakeNeeds } from './change-intake.policy.ts';
export type { IntakeNeeds } from './comment-intake.policy.ts';
export { MAX_TURNS } from './conversation.decider.ts';
export type { Intake, IntakeFacts, KeptText } from './round-admission.policy.ts';
export {
  type ChangeLimits,
  type ChangeSize,
  type ChangeSizeDecision,
  decideChangeSize,
  readChangeLimits,
  type StoredChangeLimits,
} from './change-size.policy.ts';
export { type CheckConclusion, checkConclusion, type CheckRules } from './check-conclusion.policy.ts';
export { COMMENT_COMMANDS, type CommentCommand, type CommentCommandName, readCommand } from './comment-command.ts';
export type { Decider, Outcome, Refusal } from './decision.ts';
export { fileMeaning } from './file-meaning.policy.ts';
export { type FindingLedger, type FindingRow, type FindingStatus, openBaseline, settledByPeople } from './finding-ledger.ts';
export { findingRows, findingsView, type FindingsView } from './findings.view.ts';
export {
  type Answered,
  type CompareFacts,
  followRenames,
  followUp,
  type FollowUp,
  isClosing,
  reconcileBy,
  settleVerdicts,
  type ThreadStep,
  type VerdictFacts,
} from './follow-up.policy.ts';
export {
  DEFAULT_PLACEMENT,
  type InlineComment,
  placeComments,
  type PlacedComments,
  type PlacementRules,
  type Route,
} from './place-comments.policy.ts';
export { planPosting, type PostingCall, type PostingClaim, type PostingFacts } from './plan-posting.policy.ts';
export { MAX_ATTEMPTS } from './retry.policy.ts';
export { reviewIdOf } from './review-id.policy.ts';
export { reviewLifecycle } from './review-lifecycle.decider.ts';
export { openCounts, reviewList, type ReviewListRow } from './review-list.view.ts';
export { type PageRound, reviewPage, type ReviewPage } from './review-page.view.ts';
export { commandAfter, workAfter } from './review-pipeline.saga.ts';
export { type PresentReview, type ReviewState, sameCommit } from './review-state.ts';
export { findingOfThread, type ThreadRow, threadRows } from './threads.view.ts';
export { timelineLine, type TimelineLine } from './timeline.view.ts';
