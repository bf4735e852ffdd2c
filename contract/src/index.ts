export { ApiProblem } from './api/api-problem.ts';
export { API_BASE, openApiDocument } from './api/openapi.ts';
export * from './api/deployment-resources.ts';
export * from './api/money-resources.ts';
export { ApiAccepted, ApiPosition, MAX_API_PAGE } from './api/paging.ts';
export * from './api/review-resources.ts';
export { API_ROLES, type ApiRoute, type Role } from './api/route.ts';
export { API_ROUTES, type ApiRouteId } from './api/routes.ts';
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
