/**
 * Builds one prompt out of slots with separate budgets (REV-15). Everything that Weir and the operator wrote stands first and
 * never changes between calls, so that prompt caches hold; everything else is fenced as data behind it.
 */
import { clipText } from './clip-text.ts';
import { DATA_RULES, DIFF_FORM } from './data-rules.ts';
import type { CountTokens } from './estimate-tokens.ts';
import { fenced, neutralised } from './fence.ts';
import { visibleText } from './visible-text.ts';

/** In the order of the prompt; the diff last, next to the question. */
export const SLOTS = ['rules', 'context', 'code-context', 'prior-findings', 'diff'] as const;
export type SlotName = (typeof SLOTS)[number];

/** Tokens that a slot may take unless the caller says otherwise; the diff has what its plan gave it. */
export const SLOT_BUDGETS: Readonly<Record<Exclude<SlotName, 'diff'>, number>> = {
  rules: 4_000,
  context: 4_000,
  'code-context': 6_000,
  'prior-findings': 3_000,
};

export interface PromptInput {
  /** What the model is to look for; written by Weir or the operator. */
  readonly instructions: string;
  readonly answerSchema: Readonly<Record<string, unknown>>;
  /** Text of each slot; an absent one is empty. */
  readonly slots: Readonly<Partial<Record<SlotName, string>>>;
  readonly budgets: Readonly<Record<SlotName, number>>;
  /** Random letters and digits, new for each call. */
  readonly fence: string;
  readonly countTokens: CountTokens;
}

export interface PromptSlot {
  readonly name: SlotName;
  readonly tokens: number;
  /** What the model sees of the slot, without its fence. */
  readonly text: string;
  readonly clipped: boolean;
  readonly clippedNote: string | null;
}

export interface Prompt {
  readonly system: string;
  readonly user: string;
  readonly slots: readonly PromptSlot[];
}

const LINES = `In your answer, line and endLine are these numbers: of the new side for added and context lines, of the old side (side "old") for removed ones.`;

/** How to answer: the end of every fixed text. */
export const answerRules = (answerSchema: Readonly<Record<string, unknown>>): string =>
  `Answer\nAnswer with one JSON object and nothing else. It has to follow this JSON Schema:\n${JSON.stringify(answerSchema)}`;

/** The part that is the same for every call of a specialist. */
export const systemText = (instructions: string, answerSchema: Readonly<Record<string, unknown>>): string =>
  `${instructions.trim()}\n\n${DATA_RULES}\n\n${DIFF_FORM} ${LINES}\n\n${answerRules(answerSchema)}\nWhen there is nothing to report, answer {"findings":[]}.`;

const REVIEW = 'Review the diff above.';
const REVIEW_AGAIN = `${REVIEW} What the data named prior-findings lists is reported already and still open: do not report it again.`;

/** The prompt of one call of a review. */
export function buildPrompt({ instructions, answerSchema, ...input }: PromptInput): Prompt {
  const question = (input.slots['prior-findings'] ?? '') === '' ? REVIEW : REVIEW_AGAIN;
  return dataPrompt({ ...input, system: systemText(instructions, answerSchema), question: `${question} Answer with the JSON object only.` });
}

export interface DataPromptInput extends Omit<PromptInput, 'instructions' | 'answerSchema'> {
  readonly system: string;
  /** Behind the data. */
  readonly question: string;
}

/** Clips each slot to its own budget, fences it, and puts the prompt together. */
export function dataPrompt(input: DataPromptInput): Prompt {
  const slots = SLOTS.map(name => slotOf(name, input));
  const data = slots.filter(slot => slot.text !== '').map(slot => fenced(slot.name, slot.text, input.fence));
  return { system: input.system, user: `${data.join('\n\n')}\n\n${input.question}`, slots };
}

function slotOf(name: SlotName, { slots, budgets, countTokens }: DataPromptInput): PromptSlot {
  const shown = neutralised(visibleText(slots[name] ?? ''));
  const { text, tokens, clipped, note } = clipText(name, shown, budgets[name], countTokens);
  return { name, tokens, text, clipped, clippedNote: note };
}
