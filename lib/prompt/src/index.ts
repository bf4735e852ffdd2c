export { buildPrompt, type Prompt, type PromptInput, type PromptSlot, SLOT_BUDGETS, type SlotName, SLOTS, systemText } from './build-prompt.ts';
export { type ClippedText, clipText } from './clip-text.ts';
export {
  type ConversationBudget,
  conversationBudgets,
  type ConversationPrompt,
  conversationPrompt,
  type ConversationPurpose,
  type ConversationSlot,
  threadText,
} from './conversation-prompt.ts';
export { type CountTokens, estimateTokens } from './estimate-tokens.ts';
export { fenced, neutralised } from './fence.ts';
export { type CallPlan, DEFAULT_MAX_CALLS, type PlanBudget, planCalls, type PlannedCall, type PlannedFile } from './plan-calls.ts';
export { type BudgetInput, type PromptBudgets, promptBudgets } from './prompt-budgets.ts';
export { type PriorFinding, type PriorFindings, priorFindingsSlot } from './prior-findings.ts';
export { type ReconcileInput, type ReconcilePrompt, reconcilePrompt } from './reconcile-prompt.ts';
export { MAX_LINE_CHARS, shownPath } from './render-file.ts';
export { type RulesFile, rulesSlot } from './rules-slot.ts';
export { visiblePath, visibleText } from './visible-text.ts';
