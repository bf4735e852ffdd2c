/**
 * Carries a verb out (PRV-15, PRV-16): arguments checked, calls made in order, answers mapped to the canonical result.
 * The calls themselves are the caller's: what comes in here is data, and so is what goes out.
 */
import { CAPABILITIES, type TOLERABLE, type Verb, type VerbResult } from '@weir/contract';
import type { CompiledBinding, CompiledCall, CompiledProvider } from './compile-provider.ts';
import type { Mapping } from './mapping.ts';
import type { ProviderFailure } from './provider-failure.ts';

/** Entries of one `each`; a review has fewer comments, a commit fewer files. */
export const MAX_EACH = 1_000;

/** One call, ready for the executor. */
export interface PreparedCall {
  readonly verb: Verb;
  readonly name: string;
  readonly op: string | undefined;
  readonly document: string | undefined;
  /** By the operation's own names. Null only where the descriptor wants it sent. */
  readonly args: Readonly<Record<string, unknown>>;
  /** The descriptor's common arguments: for those of these names that the operation has and `args` does not give. */
  readonly commonArgs: Readonly<Record<string, unknown>>;
  /** The whole body, where the binding gives one. */
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
  readonly expect: 'json' | 'text';
  readonly allPages: boolean;
}

export type CallOutcome =
  /** `answer` is parsed JSON, text, null for none, or the joined list of all pages. Header names in lower case. */
  | { readonly ok: true; readonly answer: unknown; readonly status: number; readonly headers: Readonly<Record<string, string>> }
  | { readonly ok: false; readonly failure: ProviderFailure };

/** Makes one call; every failure of the provider is a value. */
export type PerformCall = (call: PreparedCall, signal: AbortSignal) => Promise<CallOutcome>;

export type VerbOutcome<V extends Verb> =
  | { readonly ok: true; readonly value: VerbResult<V> }
  /** What happens instead, from the descriptor. */
  | { readonly ok: false; readonly kind: 'unsupported'; readonly instead: string }
  | { readonly ok: false; readonly kind: 'arguments'; readonly reason: string }
  /** The provider's no; `call` says in which call, `made` which calls were done before it. */
  | { readonly ok: false; readonly kind: 'call'; readonly call: string; readonly failure: ProviderFailure; readonly made: readonly string[] }
  /** The answer is not what the descriptor expects: nothing of it is used. */
  | { readonly ok: false; readonly kind: 'mapping'; readonly place: string; readonly reason: string; readonly made: readonly string[] };

type Failed = Exclude<VerbOutcome<Verb>, { ok: true }>;

interface Run {
  readonly verb: Verb;
  readonly provider: CompiledProvider;
  readonly perform: PerformCall;
  readonly signal: AbortSignal;
  readonly args: unknown;
  readonly commonArgs: Record<string, unknown>;
  readonly steps: Record<string, unknown>;
  readonly outcomes: Record<string, string>;
  last: { answer: unknown; status: number; headers: Readonly<Record<string, string>> };
}

/** Stops a run; it never leaves this file. */
class Stop extends Error {
  override readonly name = 'Stop';
  readonly failed: Failed;
  constructor(failed: Failed) {
    super(failed.kind);
    this.failed = failed;
  }
}

/** The verb's canonical result, or why there is none. Aborting the signal rejects with its reason. */
export const runVerb = async <V extends Verb>(
  provider: CompiledProvider,
  { verb, args }: { readonly verb: V; readonly args: unknown },
  perform: PerformCall,
  signal: AbortSignal,
): Promise<VerbOutcome<V>> => {
  const binding = provider.bindings.get(verb);
  if (binding === undefined) return { ok: false, kind: 'unsupported', instead: provider.descriptor.unsupported[verb] ?? 'The provider does not have it.' };
  const checked = CAPABILITIES[verb].arguments.safeParse(args);
  if (!checked.success) return { ok: false, kind: 'arguments', reason: firstIssue(checked.error.issues) };
  const run: Run = {
    ...{ verb, provider, perform, signal, args: checked.data, commonArgs: {}, steps: {}, outcomes: {} },
    last: { answer: null, status: 0, headers: {} },
  };
  try {
    for (const [name, mapping] of provider.commonArgs) setGiven(run.commonArgs, name, evaluate(run, mapping, `common_args.${name}`));
    for (const call of binding.calls) await runCall(run, call);
    return { ok: true, value: resultOf(run, binding) as VerbResult<V> };
  } catch (error) {
    if (error instanceof Stop) return error.failed;
    throw error;
  }
};

const made = ({ outcomes }: Run): readonly string[] => Object.keys(outcomes).filter(name => outcomes[name] === 'done');

const firstIssue = (issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[]): string =>
  issues.map(issue => `${issue.path.map(String).join('.') || 'the value'}: ${issue.message}`)[0] ?? 'does not fit';

function evaluate(run: Run, mapping: Mapping, place: string, more: Readonly<Record<string, unknown>> = {}): unknown {
  const { args, steps, outcomes } = run;
  const outcome = mapping({ args, steps, outcomes, headers: run.last.headers, subscribe: run.provider.descriptor.webhooks?.subscribe ?? [], ...more });
  if (outcome.ok) return outcome.value;
  throw new Stop({ ok: false, kind: 'mapping', place, reason: outcome.reason, made: made(run) });
}

/** Truth as JMESPath has it: null, false, and what is empty are not true. */
const truthy = (value: unknown): boolean => {
  if (value === null || value === undefined || value === false || value === '') return false;
  if (typeof value !== 'object') return true;
  return (Array.isArray(value) ? value : Object.keys(value)).length > 0;
};

function setGiven(into: Record<string, unknown>, name: string, value: unknown): void {
  if (value !== null && value !== undefined) Object.defineProperty(into, name, { value, enumerable: true, configurable: true, writable: true });
}

async function runCall(run: Run, call: CompiledCall): Promise<void> {
  const { name, allow } = call.step;
  if (call.when !== undefined && !truthy(evaluate(run, call.when, `${name}.when`))) {
    run.outcomes[name] = 'skipped';
    run.steps[name] = null;
    return;
  }
  if (call.each !== undefined) return runEach(run, call, call.each);
  const outcome = await run.perform(prepare(run, call, {}), run.signal);
  if (outcome.ok) {
    run.last = outcome;
    run.steps[name] = outcome.answer;
    run.outcomes[name] = 'done';
    return;
  }
  if (!tolerated(outcome.failure, allow)) throw new Stop({ ok: false, kind: 'call', call: name, failure: outcome.failure, made: made(run) });
  run.steps[name] = null;
  run.outcomes[name] = outcome.failure.kind;
}

const tolerated = ({ kind }: ProviderFailure, allow: readonly (typeof TOLERABLE)[number][]): boolean => (allow as readonly string[]).includes(kind);

async function runEach(run: Run, call: CompiledCall, each: Mapping): Promise<void> {
  const { name, allow } = call.step;
  const list = evaluate(run, each, `${name}.each`) ?? [];
  if (!Array.isArray(list) || list.length > MAX_EACH) {
    throw new Stop({ ok: false, kind: 'mapping', place: `${name}.each`, reason: `is no list of at most ${MAX_EACH} entries`, made: made(run) });
  }
  const entries: unknown[] = [];
  run.steps[name] = entries;
  for (const [index, item] of list.entries()) {
    const outcome = await run.perform(prepare(run, call, { item, index }), run.signal);
    if (outcome.ok) run.last = outcome;
    else if (!tolerated(outcome.failure, allow))
      throw new Stop({ ok: false, kind: 'call', call: `${name}[${index}]`, failure: outcome.failure, made: made(run) });
    entries.push(outcome.ok ? { item, index, answer: outcome.answer, failure: null } : { item, index, answer: null, failure: outcome.failure });
    run.outcomes[name] = 'done';
  }
  run.outcomes[name] = 'done';
}

function prepare(run: Run, { step, args: mappings, body }: CompiledCall, more: Readonly<Record<string, unknown>>): PreparedCall {
  const args: Record<string, unknown> = {};
  for (const [name, mapping] of mappings) {
    const value = evaluate(run, mapping, `${step.name}.args.${name}`, more);
    if (value === null && step.send_null.includes(name)) args[name] = null;
    else setGiven(args, name, value);
  }
  return {
    ...{ verb: run.verb, name: step.name, op: step.op, document: step.document, args, commonArgs: run.commonArgs },
    body: body === undefined ? undefined : evaluate(run, body, `${step.name}.body`, more),
    ...{ headers: step.headers, expect: step.expect, allPages: step.all_pages },
  };
}

function resultOf(run: Run, binding: CompiledBinding): unknown {
  const mapped = evaluate(run, binding.result, 'result', run.last);
  const failed = (reason: string): Stop => new Stop({ ok: false, kind: 'mapping', place: 'result', reason, made: made(run) });
  let value: unknown;
  try {
    value = binding.quirk === undefined ? mapped : binding.quirk(mapped);
  } catch (error) {
    throw failed(`the quirk refuses it: ${error instanceof Error ? error.name : 'unknown'}`);
  }
  const result = CAPABILITIES[run.verb].result.safeParse(value);
  if (!result.success) throw failed(firstIssue(result.error.issues));
  return result.data;
}
