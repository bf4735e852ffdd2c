/** A write with an Idempotency-Key happens once: the same request again gets the first answer, another one is refused. */
import { createHash } from 'node:crypto';
import { AppError } from '@weir/kernel';
import type { AnswerStore, KeptAnswer } from '@weir/ports';

const KEY = /^[\x21-\x7e]{8,200}$/;

export interface KeyedWrite {
  readonly key: string;
  readonly subject: string;
  /** The route with its parameters and body, as JSON. */
  readonly request: string;
}

/** Throws AppError KEY_REUSED, KEY_IN_USE or REQUEST_INVALID, and what `act` throws; then the key is free again. */
export async function onceByKey(store: AnswerStore, { key, subject, request }: KeyedWrite, act: () => Promise<KeptAnswer>): Promise<KeptAnswer> {
  if (!KEY.test(key)) throw new AppError('REQUEST_INVALID', 'An Idempotency-Key has 8 to 200 visible characters of ASCII.');
  const claim = { subject, key, fingerprint: createHash('sha256').update(request).digest('hex') };
  const held = await store.claim(claim);
  if (held === 'other_request') throw new AppError('KEY_REUSED', 'This Idempotency-Key belongs to another request.');
  if (held === 'under_way') throw new AppError('KEY_IN_USE', 'The first request with this Idempotency-Key is still under way.');
  if (held !== 'new') return held;
  let answer: KeptAnswer;
  try {
    answer = await act();
  } catch (error) {
    await store.release(claim);
    throw error;
  }
  await store.keep(claim, answer);
  return answer;
}
