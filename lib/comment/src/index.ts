export {
  type AnswerFacts,
  type AnswerPlace,
  type DescriptionFacts,
  type HelpFacts,
  type NoticeFacts,
  renderAnswer,
  renderDescription,
  renderHelp,
  renderNotice,
} from './answer-comment.ts';
export { type CheckFacts, type CheckText, MAX_STATUS_CHARS, renderCheck } from './check-text.ts';
export type { Dialect, RenderedComment } from './comment-document.ts';
export { renderReply, type ReplyFacts } from './follow-up-reply.ts';
export { type InlineFacts, type LinkedEvidence, renderInline } from './inline-comment.ts';
export { commentKey, findingKey, type Marker, readMarker, readTicks, reviewTag } from './marker.ts';
export { readFindingText, readReplyVerdict, readSummaryComplete, type StandingText } from './read-own-comment.ts';
export type { SuggestionFacts } from './suggestion.ts';
export { type ClosedFinding, renderSummary, type SummaryFacts, type SummaryFinding } from './summary-comment.ts';
