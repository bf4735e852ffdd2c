/**
 * Keeps each answer of a model right after it has come, so that work that runs again in the same attempt pays nothing again. An answer
 * counts for the prompt that it was given to and for no other.
 */
import { type ErrorCode, KnownCount, type RoundRefusalCode } from '@weir/contract';
import { AppError } from '@weir/kernel';
import type { ModelAnswer } from '@weir/ports';
import { z } from 'zod';
import type { KeepAnswer } from './ask-model.worker.ts';
import type { Aim, StageParts } from './stage.ts';

/** As long as a round can last; later nobody asks for it. */
const ANSWER_TTL_MS = 24 * 60 * 60 * 1_000;
/** Hex digits of the prompt's digest in an id. */
const DIGEST = 16;

const ASK = { review: 'generate.ask', reconcile: 'reconcile.ask' } as const;

const KeptAnswer: z.ZodType<ModelAnswer> = z.object({
  text: z.string(),
  finish: z.enum(['stop', 'length', 'refused', 'other']),
  model: z.string(),
  inputTokens: KnownCount,
  outputTokens: KnownCount,
});

export interface AnswerKeeper {
  readonly keep: KeepAnswer;
  /**
   * To be called when the calls are over. Throws the failure of a store in every case, since an answer that is not kept would be paid for
   * twice, and the first one of the model's port, as it threw it, when no answer has come at all.
   */
  throwFailure(): void;
}

export function keepAnswers(parts: StageParts, { reviewId, round, attempt }: Aim, purpose: keyof typeof ASK): AnswerKeeper {
  const { artifacts, effect, hash, now } = parts;
  let answered = 0;
  const ofModel: unknown[] = [];
  const ofStore: unknown[] = [];

  /** The calls of a model are counted by others, who take its failures for a part of the result. */
  async function noted<T>(failures: unknown[], work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      failures.push(error);
      throw error;
    }
  }

  const keep: KeepAnswer = async (call, { system, slots }, ask) => {
    const digest = hash(JSON.stringify([system, slots.map(({ name, text }) => [name, text])])).slice(0, DIGEST);
    const id = `${reviewId}/${round}/${attempt}/${purpose}/${call}-${digest}`;
    const kept = await noted(ofStore, async () => {
      const artifact = await artifacts.get(id);
      return artifact === undefined ? undefined : KeptAnswer.parse(JSON.parse(artifact.text));
    });
    const answer = kept ?? (await noted(ofModel, () => effect(ASK[purpose], ask)));
    answered += 1;
    if (kept !== undefined) return answer;
    const artifact = { id, reviewId, kind: 'answer', text: JSON.stringify(answer), expiresAt: now() + ANSWER_TTL_MS } as const;
    await noted(ofStore, () => effect('generate.keep', () => artifacts.put(artifact)));
    return answer;
  };

  return {
    keep,
    throwFailure: () => {
      const failures = [...ofStore, ...(answered === 0 ? ofModel : [])];
      if (failures.length > 0) throw failures[0];
    },
  };
}

/** Failures before a paid call that are a "no" of this deployment, not a fault (REV-30 to REV-32). */
const REFUSALS: Partial<Record<ErrorCode, RoundRefusalCode>> = {
  CAP_REACHED: 'cap_reached',
  MODEL_UNPRICED: 'model_not_priceable',
  CREDENTIALS_EXHAUSTED: 'credentials_exhausted',
};

/** What a failure refuses; undefined for one that is none. */
export const refusalIn = (error: unknown): RoundRefusalCode | undefined => (error instanceof AppError ? REFUSALS[error.code] : undefined);
