/** Asks the model for a comment (REV-26). What came back is kept right away, so that the same answer is not paid for twice. */
import { AppError } from '@weir/kernel';
import { type ConversationPurpose, conversationBudgets, conversationPrompt, estimateTokens } from '@weir/prompt';
import { z } from 'zod';
import type { Answering } from './conversation-asked.ts';
import type { PromptTexts, Room } from './conversation-prompt-texts.ts';
import type { PanelModel } from './run-panel.ts';

/** Prose for one comment, with Weir's own sentences about what was cut. */
export interface Prose {
  readonly prose: string;
  readonly notes: readonly string[];
}
const Prose = z.object({ prose: z.string(), notes: z.array(z.string()) });

/** How long an answer is kept for a second try; then it stands on the forge. */
const KEPT_MS = 24 * 60 * 60 * 1_000;

const notesOf = (notes: readonly string[], cut: boolean, tokens: number): readonly string[] => [
  ...notes,
  ...(cut ? [`The answer was cut at its limit of ${tokens} tokens.`] : []),
];

/** Throws AppError MODEL_*: the pipeline tries again, or says why there is no answer (REV-20). */
async function ask(
  answer: Answering,
  { port, limits }: PanelModel,
  purpose: ConversationPurpose,
  { shown, fence }: { shown: PromptTexts; fence: string },
): Promise<Prose> {
  const { parts, signal } = answer;
  const { notes: cut, ...request } = conversationPrompt(purpose, shown.texts, { ...limits, countTokens: estimateTokens }, fence);
  const { text, finish } = await parts.effect('conversation.ask', () => port.complete(request, signal));
  if (finish === 'refused') throw new AppError('MODEL_REJECTED', 'the model refuses to answer');
  if (text.trim() === '') throw new AppError('MODEL_GARBLED', 'the answer of the model is empty');
  return { prose: text, notes: notesOf([...shown.notes, ...cut.map(note => `Cut for the model: ${note}.`)], finish !== 'stop', request.maxOutputTokens) };
}

export interface Asking {
  readonly model: PanelModel;
  /** New random letters and digits for the call. */
  readonly fence: () => string;
}

/** Throws AppError for what the forge, a gate, the model or the store refuses. */
export async function askForProse(
  answer: Answering,
  { model, fence }: Asking,
  purpose: ConversationPurpose,
  show: (room: Room) => Promise<PromptTexts>,
): Promise<Prose> {
  const { parts, fact } = answer;
  const id = `${fact.reviewId}/answer/${fact.comment}`;
  const kept = await parts.artifacts.get(id);
  if (kept !== undefined) return Prose.parse(JSON.parse(kept.text));
  const { slots } = conversationBudgets(purpose, { ...model.limits, countTokens: estimateTokens });
  const prose = await ask(answer, model, purpose, { shown: await show({ slots, countTokens: estimateTokens }), fence: fence() });
  await parts.effect('conversation.keep', () =>
    parts.artifacts.put({ id, reviewId: fact.reviewId, kind: 'answer', text: JSON.stringify(prose), expiresAt: parts.now() + KEPT_MS }),
  );
  return prose;
}
