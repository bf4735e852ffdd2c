/**
 * Divides what a model takes in one call among the answer, the fixed text and the slots (REV-15).
 */
import { SLOT_BUDGETS, type SlotName } from './build-prompt.ts';

export interface BudgetInput {
  /** Tokens of one call, input and output together. */
  readonly contextTokens: number;
  readonly maxOutputTokens: number;
  /** Tokens of the fixed text: instructions, schema, rules of the fence. */
  readonly systemTokens: number;
  /** Slots other than the diff that hold something. An empty slot takes no budget. */
  readonly used: readonly Exclude<SlotName, 'diff'>[];
}

export interface PromptBudgets {
  readonly slots: Readonly<Record<SlotName, number>>;
  /** Cap of the answer: never more than a third of the context, so that a small model still reads something. */
  readonly outputTokens: number;
}

/** Fence lines and the question. */
const OVERHEAD = 400;
/** No slot but the diff takes more than this part of the room. */
const SLOT_SHARE = 0.12;

export function promptBudgets({ contextTokens, maxOutputTokens, systemTokens, used }: BudgetInput): PromptBudgets {
  const outputTokens = Math.min(maxOutputTokens, Math.floor(contextTokens / 3));
  const room = Math.max(0, contextTokens - outputTokens - systemTokens - OVERHEAD);
  const share = (name: Exclude<SlotName, 'diff'>): number => (used.includes(name) ? Math.min(SLOT_BUDGETS[name], Math.floor(room * SLOT_SHARE)) : 0);
  const others = { rules: share('rules'), context: share('context'), 'code-context': share('code-context'), 'prior-findings': share('prior-findings') };
  const taken = Object.values(others).reduce((total, tokens) => total + tokens, 0);
  return { slots: { ...others, diff: room - taken }, outputTokens };
}
