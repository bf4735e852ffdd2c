export { type CheckFacts, type CheckText, MAX_STATUS_CHARS, renderCheck } from './check-text.ts';
export type { Dialect, RenderedComment } from './comment-document.ts';
export { type NoticeFacts, renderNotice, renderReply, type ReplyFacts } from './follow-up-reply.ts';
export { type InlineFacts, type LinkedEvidence, renderInline } from './inline-comment.ts';
export { type Marker, readMarker, readTicks, reviewTag } from './marker.ts';
export type { SuggestionFacts } from './suggestion.ts';
export { type ClosedFinding, renderSummary, type SummaryFacts, type SummaryFinding } from './summary-comment.ts';
