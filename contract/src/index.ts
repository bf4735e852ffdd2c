export * from './capabilities.ts';
export { CAPABILITIES, type VerbArguments, type VerbResult } from './capability-results.ts';
export { Change, ChangedFile } from './capability-change.ts';
export { Issue, IssueEvent } from './capability-issue.ts';
export {
  Actor,
  Anchor,
  ChangeEnd,
  ChangeState,
  CheckState,
  Comment,
  Commit,
  Instant,
  RepositoryPath,
  RepositoryRef,
  ThreadRef,
} from './capability-parts.ts';
export { LooseComment, PostedComment, Thread } from './capability-review.ts';
export type { ApiRoute, Role } from './api/route.ts';
export { Envelope } from './envelope.ts';
export * from './integration-events.ts';
export * from './errors.ts';
export * from './finding.ts';
export * from './known.ts';
export * from './model-charge.ts';
export * from './model-route.ts';
export * from './provider-descriptor.ts';
export * from './review-commands.ts';
export * from './review-events.ts';
export * from './review-messages.ts';
export * from './review-parts.ts';
export * from './review-refusals.ts';
export * from './review-report.ts';
export * from './review-status.ts';
export * from './settings.ts';
export * from './virtual-key.ts';
export { CATEGORIES, SEVERITIES, SEVERITY_MEANING } from './severity.ts';
