export { askModel, type AskModelInput, type ModelReview } from './ask-model.worker.ts';
export { MAX_WAIT_SECONDS } from './call-model.ts';
export { type PlannedPrompt, planPrompts, type PlanPromptsInput, type SpecialistPlan } from './plan-prompts.ts';
export { type ChecksDone, runChecks, type RunChecksInput, type SourcedFinding } from './run-checks.worker.ts';
