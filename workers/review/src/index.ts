export { askModel, type AskModelInput, type KeepAnswer, type ModelReview } from './ask-model.worker.ts';
export { MAX_WAIT_SECONDS } from './call-model.ts';
export { type PlannedPrompt, planPrompts, type PlanPromptsInput, type SpecialistPlan } from './plan-prompts.ts';
export { postRound } from './post-round.worker.ts';
export { type FeedDiff, type PanelChange, readChange, type ReadChange } from './read-change.ts';
export type { IgnoreSettings, ModelLimits, RoundSettings } from './round-settings.ts';
export { type MadeWith, readRoundContent, type RoundContent, writeRoundContent } from './round-content.ts';
export { type ChecksDone, runChecks, type RunChecksInput, type SourcedFinding } from './run-checks.worker.ts';
export {
  askPanel,
  checkChange,
  type CheckedChange,
  concludePanel,
  nothingToAsk,
  type Panel,
  type PanelEnd,
  type PanelModel,
  promptInput,
  unasked,
} from './run-panel.ts';
export {
  type Aim,
  aimOf,
  instant,
  reviewOf,
  type RoundReview,
  type RoundStage,
  type RoundWork,
  runStage,
  type Stage,
  type StageForge,
  type StageParts,
  type StageReview,
  type StageWork,
  workFailed,
} from './stage.ts';
export { type AcceptedEvent, type IntakeAnswer, type IntakeDrop, intakeEvent, type IntakeParts, reviewOfEvent } from './intake.worker.ts';
export { type ForgeDiff, readForgeDiff } from './forge-diff.ts';
export { fetchDiff, type FetchParts } from './fetch-diff.worker.ts';
export { gatherContext } from './gather-context.worker.ts';
export { generateReview, type GenerateParts, type ModelRefusal } from './generate-review.worker.ts';
export { adoptReview, type AdoptedReview } from './adopt-review.worker.ts';
export { answerComment, type ConversationParts } from './conversation.worker.ts';
