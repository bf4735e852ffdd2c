/**
 * One call of a model. It is repeated at most once, and only where the failure came before the first byte (REV-20).
 */
import { addKnown, type ErrorCode, type ModelUsage } from '@weir/contract';
import { AppError } from '@weir/kernel';
import type { ModelAnswer, ModelPort, ModelRequest } from '@weir/ports';

/** Longest wait before the second try. An endpoint that asks for more is not asked again. */
export const MAX_WAIT_SECONDS = 30;
const DEFAULT_WAIT_SECONDS = 1;

/** Failures before the first byte of an answer. */
const REPEATED: readonly ErrorCode[] = ['MODEL_UNREACHABLE', 'MODEL_RATE_LIMITED'];
/** Failures of a call that was turned away at the door, so it has used no tokens. Of the others nobody knows. */
const UNSPENT: readonly ErrorCode[] = ['MODEL_RATE_LIMITED', 'MODEL_REJECTED', 'URL_REFUSED'];

const NOTHING: ModelUsage = { calls: 0, inputTokens: 0, outputTokens: 0 };
export const addUsage = (a: ModelUsage, b: ModelUsage): ModelUsage => ({
  calls: a.calls + b.calls,
  inputTokens: addKnown(a.inputTokens, b.inputTokens),
  outputTokens: addKnown(a.outputTokens, b.outputTokens),
});
export const sumUsage = (parts: readonly ModelUsage[]): ModelUsage => parts.reduce(addUsage, NOTHING);

export interface CallInput {
  readonly model: ModelPort;
  readonly request: ModelRequest;
  /** Waits; rejects when the signal is aborted. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/** `failure` is a sentence, `code` the name of the failure where it has one; `usage` counts every try. */
export type CallResult = { readonly usage: ModelUsage } & (
  | { readonly answer: ModelAnswer; readonly failure: null }
  | { readonly answer: null; readonly failure: string; readonly code: ErrorCode | null }
);

/** Rejects only when the signal is aborted, with its reason. */
export async function callModel(input: CallInput, signal: AbortSignal): Promise<CallResult> {
  const first = await tryOnce(input, signal);
  if (!('error' in first)) return first;
  const wait = waitBefore(first.error);
  if (wait === null) return failed(first.error, first.usage);
  await untilAborted(input.sleep(wait * 1000, signal), signal);
  const second = await tryOnce(input, signal);
  const usage = addUsage(first.usage, second.usage);
  return 'error' in second ? failed(second.error, usage) : { ...second, usage };
}

type Try = (CallResult & { readonly answer: ModelAnswer }) | { readonly error: unknown; readonly usage: ModelUsage };

async function tryOnce({ model, request }: CallInput, signal: AbortSignal): Promise<Try> {
  signal.throwIfAborted();
  try {
    const answer = await untilAborted(model.complete(request, signal), signal);
    return { answer, failure: null, usage: { calls: 1, inputTokens: answer.inputTokens, outputTokens: answer.outputTokens } };
  } catch (error) {
    signal.throwIfAborted();
    const spent = error instanceof AppError && UNSPENT.includes(error.code) ? 0 : 'unknown';
    return { error, usage: { calls: 1, inputTokens: spent, outputTokens: spent } };
  }
}

/** Seconds until the second try; null when there is none. */
function waitBefore(error: unknown): number | null {
  if (!(error instanceof AppError) || error.retry !== 'later' || !REPEATED.includes(error.code)) return null;
  const wait = error.retryAfterSeconds ?? DEFAULT_WAIT_SECONDS;
  return wait <= MAX_WAIT_SECONDS ? Math.max(0, wait) : null;
}

function failed(error: unknown, usage: ModelUsage): CallResult {
  if (error instanceof AppError) return { answer: null, failure: `${error.code}: ${error.message.replace(/\.$/, '')}`, code: error.code, usage };
  return { answer: null, failure: `the model adapter failed unexpectedly: ${error instanceof Error ? error.message : String(error)}`, code: null, usage };
}

/** Settles like the promise, but rejects at once when the signal is aborted, even if an adapter does not listen. */
async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  let dispose = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    const onAbort = (): void => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    dispose = () => signal.removeEventListener('abort', onAbort);
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    dispose();
  }
}
