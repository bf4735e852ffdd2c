/**
 * Carries one planned call out (PRV-9): policy, budget, credential, journal, then sends it within the limits until it has an
 * answer or a failure.
 */
import type { ProviderDescriptor } from '@weir/contract';
import { classifyResponse, type ResponseFacts, type ResponseOutcome } from '@weir/operation-table';
import type { EtagEntry } from '@weir/ports';
import { type ConditionalReads, restoreAnswer } from './conditional-reads.ts';
import type { ResolveCredential } from './credentials/credential-resolver.ts';
import type { Credential } from './credentials/credential.ts';
import type { Governor, Patience, Slot } from './governor.ts';
import type { JudgeCall } from './judge-call.ts';
import type { PlannedCall } from './plan-call.ts';
import { failed, failureOf, type Outcome, type ProviderFailure, type ProviderFailureKind } from './provider-failure.ts';
import type { CallContext } from './provider-options.ts';
import type { SpendCall } from './run-budget.ts';
import type { RawAnswer, SendRequest } from './send-request.ts';
import type { OpenEntry, WriteJournal } from './write-journal.ts';

/** A provider's answer. Everything in it is the vendor's text and is trusted by nobody. */
export interface CallAnswer {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed JSON, text, or null for an empty body. */
  readonly value: unknown;
  readonly bytes: Uint8Array;
  readonly requestId: string | undefined;
  /** What the answer announces of the operation's end, in one sentence. */
  readonly deprecated: string | undefined;
  /** The receipt of a write; null where the policy asks for none. */
  readonly receipt?: string | null;
  /** False where the outcome of a write, or what the provider says of its limits, could not be recorded. */
  readonly recorded?: boolean;
}

export type ExecuteCall = (call: PlannedCall, context: CallContext) => Promise<Outcome<CallAnswer>>;

export interface ExecutorParts {
  readonly descriptor: ProviderDescriptor;
  readonly readOnly: boolean;
  readonly judge: JudgeCall;
  readonly spend: SpendCall;
  readonly resolveCredential: ResolveCredential;
  readonly governor: Governor;
  readonly conditional: ConditionalReads;
  readonly journal: WriteJournal;
  readonly send: SendRequest;
  readonly now: () => number;
  readonly random: () => number;
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/** PRV-8. */
const MAX_RETRIES = 4;
const FIRST_PAUSE_MS = 250;

export const createExecutor =
  (parts: ExecutorParts): ExecuteCall =>
  async (call, context) => {
    const { capability, readOnly = false, run, signal } = context;
    signal.throwIfAborted();
    const verdict = parts.judge(call, { capability, readOnly: readOnly || parts.readOnly });
    if (!verdict.allowed) return failed('Denied', verdict.reason);
    if (run !== undefined) {
      const spent = await parts.spend(run);
      if (!spent.ok) return spent;
    }
    const credential = await parts.resolveCredential(call.row, signal);
    if (!credential.ok) return credential;
    if (!call.mutates) return attempts(parts, call, credential.value, context);
    return journalled(parts, call, context, credential.value);
  };

async function journalled(parts: ExecutorParts, call: PlannedCall, context: CallContext, credential: Credential): Promise<Outcome<CallAnswer>> {
  const opened = await parts.journal.open(call, context);
  if (!opened.ok) return opened;
  const entry = opened.value;
  try {
    const outcome = await attempts(parts, call, credential, context);
    const recorded = await closeEntry(entry, outcome);
    if (!outcome.ok) return outcome;
    return { ok: true, value: { ...outcome.value, receipt: entry.receipt, recorded: recorded && outcome.value.recorded !== false } };
  } catch (error) {
    await entry.close('unknown', null);
    throw error;
  }
}

/** Without a status these are our own word, before anything went out. */
const NOTHING_SENT: ReadonlySet<ProviderFailureKind> = new Set(['RateLimited', 'UrlRefused', 'Denied']);

/** A failure without a status may have happened after the provider acted. */
const closeEntry = (entry: OpenEntry, outcome: Outcome<CallAnswer>): Promise<boolean> => {
  if (outcome.ok) return entry.close('succeeded', outcome.value.status);
  const { status, kind } = outcome.failure;
  if (status !== undefined) return entry.close(status < 300 || status >= 500 ? 'unknown' : 'failed', status);
  return entry.close(NOTHING_SENT.has(kind) ? 'failed' : 'unknown', null);
};

async function attempts(
  parts: ExecutorParts,
  call: PlannedCall,
  credential: Credential,
  { signal, patienceMs = Number.POSITIVE_INFINITY }: CallContext,
): Promise<Outcome<CallAnswer>> {
  const patience = { signal, until: parts.now() + Math.min(parts.descriptor.timeouts.walk_ms, patienceMs) };
  for (let retries = 0; ; retries += 1) {
    const outcome = await attempt(parts, call, credential, patience);
    if (outcome.ok || retries >= MAX_RETRIES || !isRepeatable(call, outcome.failure)) return outcome;
    if (outcome.failure.kind === 'RateLimited') continue;
    const pause = outcome.failure.retryAfterMs ?? FIRST_PAUSE_MS * 2 ** retries * (1 + parts.random());
    if (parts.now() + pause > patience.until) return outcome;
    await parts.sleep(Math.ceil(pause), signal);
  }
}

/** A limit says that nothing was done, so any call is repeated; another passing failure leaves that open, so only a read is. */
const isRepeatable = ({ mutates }: PlannedCall, { kind, retry, status }: ProviderFailure): boolean => {
  if (kind === 'RateLimited') return status !== undefined;
  return kind === 'Unavailable' && retry === 'later' && !mutates;
};

async function attempt(parts: ExecutorParts, call: PlannedCall, credential: Credential, patience: Patience): Promise<Outcome<CallAnswer>> {
  const { governor, conditional } = parts;
  const kept = await conditional.find(call, credential.name);
  const entered = await governor.enter(call, credential.name, patience);
  if (!entered.ok) return entered;
  const slot = { credential: credential.name, lease: entered.value };
  let sent: Outcome<RawAnswer>;
  try {
    sent = await parts.send(call.request, credential, patience.signal, kept === undefined ? undefined : { 'if-none-match': kept.etag });
  } catch (error) {
    await governor.leave(call, slot);
    throw error;
  }
  if (sent.ok) return readOutcome(parts, call, slot, { sent: sent.value, kept });
  await governor.leave(call, slot);
  return sent;
}

async function readOutcome(
  { governor, conditional, now, descriptor: { failures } }: ExecutorParts,
  call: PlannedCall,
  slot: Slot,
  { sent, kept }: { readonly sent: RawAnswer; readonly kept: EtagEntry | undefined },
): Promise<Outcome<CallAnswer>> {
  const answer = sent.status === 304 && kept !== undefined ? restoreAnswer(kept, sent) : sent;
  const outcome = answerOf(call, answer, classify(call, answer, { nowMs: now(), tooLarge: failures.too_large }));
  const noted = await governor.leave(call, slot, { answer: sent, failure: outcome.ok ? undefined : outcome.failure });
  if (!outcome.ok) return outcome;
  if (answer === sent) await conditional.keep(call, slot.credential, answer);
  return noted ? outcome : { ok: true, value: { ...outcome.value, recorded: false } };
}

/** Where text is asked for, a success is text whatever its content type says. */
const classify = (
  { row, expect }: PlannedCall,
  { status, headers, text, truncated }: RawAnswer,
  around: Pick<ResponseFacts, 'nowMs' | 'tooLarge'>,
): ResponseOutcome => {
  const plain = expect === 'text' && status >= 200 && status < 300;
  return classifyResponse(row, { ...around, status, headers: plain ? { ...headers, 'content-type': 'text/plain' } : headers, bodyText: text, truncated });
};

function answerOf({ row, expect }: PlannedCall, { headers, bytes, text }: RawAnswer, outcome: ResponseOutcome): Outcome<CallAnswer> {
  if (outcome.kind === 'redirect') return failed('Unavailable', 'the provider redirects, and this redirect is not followed', { status: outcome.status });
  if (outcome.kind === 'not-modified') return failed('Unavailable', 'the provider answers 304 to a request without a condition', { status: 304 });
  if (outcome.kind !== 'ok') return { ok: false, failure: failureOf(outcome) };
  const { status, requestId, deprecated } = outcome;
  const parsed = row.path === '/graphql' ? dataOf(outcome.value) : outcome.value;
  return { ok: true, value: { status, headers, value: expect === 'text' ? text : parsed, bytes, requestId, deprecated } };
}

const dataOf = (value: unknown): unknown => (typeof value === 'object' && value !== null && 'data' in value ? value.data : null);
