/**
 * Asks the model about a change, call by call, and reads its answers (REV-16, REV-16a, REV-16b). What a call brought is kept when
 * another one fails. Running it twice asks, and pays, twice.
 */
import type { ErrorCode, FileCoverage, Finding, ModelOutcome, ModelUsage } from '@weir/contract';
import { pathOf } from '@weir/diff';
import { answerSchema, readFindings } from '@weir/model-answer';
import type { ModelAnswer, ModelPort } from '@weir/ports';
import { type Prompt, type RulesFile, shownPath } from '@weir/prompt';
import { callModel, type CallInput, sumUsage } from './call-model.ts';
import { type CallEnd, modelCoverage } from './model-coverage.ts';
import { type PlannedPrompt, type PlanPromptsInput, planPrompts } from './plan-prompts.ts';
import type { SourcedFinding } from './run-checks.worker.ts';

/** Calls that run at the same time. */
const CONCURRENCY = 2;

/**
 * Gives the answer of a call that was made before, or makes it. `call` counts from 0, in the order of the plan; the prompt's texts are
 * those without the fence, which is new each time.
 */
export type KeepAnswer = (call: number, prompt: Pick<Prompt, 'system' | 'slots'>, ask: () => Promise<ModelAnswer>) => Promise<ModelAnswer>;

export interface AskModelInput extends PlanPromptsInput {
  readonly model: ModelPort;
  /** As the settings name it; the outcome names what the endpoint says, once it has answered. */
  readonly modelName: string;
  readonly sleep: CallInput['sleep'];
  /** Absent: every call is made. */
  readonly keep?: KeepAnswer;
  /** One short line for a progress display. */
  readonly onProgress?: (text: string) => void;
  /** Ends all calls at once. */
  readonly signal: AbortSignal;
}

export interface ModelReview {
  readonly findings: readonly SourcedFinding[];
  /** One entry a file of the change, in its order. */
  readonly coverage: readonly FileCoverage[];
  readonly outcome: ModelOutcome;
  /** Slots that were cut, for the report (REV-14); absent when nothing was asked. */
  readonly notes?: readonly string[];
  /** What every call was shown; absent when nothing was asked. */
  readonly shown?: {
    /** The fixed part of the prompt of each specialist. */
    readonly prompts: readonly { readonly specialist: string; readonly text: string }[];
    readonly rules: readonly RulesFile[];
  };
}

interface Asked {
  readonly end: CallEnd;
  readonly findings: readonly SourcedFinding[];
  readonly usage: ModelUsage;
  readonly model: string | null;
  /** Name of the failure of a call that brought nothing. */
  readonly failure: ErrorCode | null;
}

/** Rejects only when the signal is aborted, with its reason. Failures of the model are part of the outcome. */
export async function askModel(input: AskModelInput): Promise<ModelReview> {
  input.signal.throwIfAborted();
  const plans = planPrompts(input);
  const prompts = plans.flatMap(plan => plan.prompts);
  const paths = new Map(input.files.map(file => [shownPath(pathOf(file)), pathOf(file)]));
  const asked = await pooled(prompts, CONCURRENCY, async (prompt, at) => {
    input.onProgress?.(`asking ${input.modelName}: call ${at + 1} of ${prompts.length}, ${prompt.paths.length} files`);
    return askOnce({ planned: prompt, at }, paths, input);
  });
  const ends = asked.map(one => one.end);
  const coverage = modelCoverage(input.files, plans, ends);
  return {
    findings: asked.flatMap(one => one.findings),
    coverage,
    outcome: outcomeOf(asked, coverage, input),
    notes: [...new Set(plans.flatMap(plan => plan.notes))],
  };
}

/** Runs the work with a bound on how much runs at once. Results stand in the order of the items. */
async function pooled<Item, Result>(items: readonly Item[], width: number, work: (item: Item, at: number) => Promise<Result>): Promise<readonly Result[]> {
  const results: Result[] = [];
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let at = next++; at < items.length; at = next++) results[at] = await work(items[at] as Item, at);
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, lane));
  return results;
}

async function askOnce(
  { planned, at }: { readonly planned: PlannedPrompt; readonly at: number },
  paths: ReadonlyMap<string, string>,
  input: AskModelInput,
): Promise<Asked> {
  const { system, user } = planned.prompt;
  const { keep = (_call, _prompt, ask) => ask() } = input;
  const model: ModelPort = { complete: (asked, signal) => keep(at, planned.prompt, () => input.model.complete(asked, signal)) };
  const request = { system, user, maxOutputTokens: planned.maxOutputTokens, answerSchema: { name: 'findings', schema: answerSchema } };
  const called = await callModel({ model, request, sleep: input.sleep }, input.signal);
  const { usage } = called;
  if (called.answer === null) {
    const end: CallEnd = { ...planned, state: 'failed', reason: `a model call failed: ${called.failure}` };
    return { end, findings: [], usage, model: null, failure: called.code };
  }
  const { end, findings } = readAnswer(planned, called.answer, paths);
  return { end, findings, usage, model: called.answer.model, failure: end.state === 'failed' ? 'MODEL_GARBLED' : null };
}

/** An answer cut at its cap is a part (REV-16a). Any other that is not whole and brings nothing is a failed call: nobody can say that the files were read. */
function readAnswer(planned: PlannedPrompt, answer: ModelAnswer, paths: ReadonlyMap<string, string>): Pick<Asked, 'end' | 'findings'> {
  const { source, maxOutputTokens } = planned;
  const reading = readFindings(answer.text, { finish: answer.finish, rulePrefix: source, knownPaths: [...paths.keys()], maxOutputTokens });
  const findings = reading.findings.map(finding => ({ finding: withRealPaths(finding, paths), source }));
  if (reading.complete) return { end: { ...planned, state: 'read', reason: null }, findings };
  const state = findings.length > 0 || answer.finish === 'length' ? 'cut' : 'failed';
  return { end: { ...planned, state, reason: `the answer of the model is not whole: ${reading.reason ?? 'unknown reason'}` }, findings };
}

const withRealPaths = (finding: Finding, paths: ReadonlyMap<string, string>): Finding => ({
  ...finding,
  path: paths.get(finding.path) ?? finding.path,
  evidence: finding.evidence.map(place => ({ ...place, path: paths.get(place.path) ?? place.path })),
});

function outcomeOf(asked: readonly Asked[], coverage: readonly FileCoverage[], { modelName }: AskModelInput): ModelOutcome {
  const usage = sumUsage(asked.map(one => one.usage));
  const model = asked.find(one => one.model !== null)?.model ?? modelName;
  const failure = asked.find(one => one.failure !== null)?.failure ?? null;
  const reasons = [...new Set(asked.flatMap(one => one.end.reason ?? []))].join('; ');
  const count = (state: CallEnd['state']): number => asked.filter(one => one.end.state === state).length;
  const calls = asked.length === 1 ? '1 model call' : `${asked.length} model calls`;
  if (asked.length === 0) {
    const unread = coverage.find(file => file.reading !== 'full' && !file.byRule);
    if (unread === undefined) return { state: 'not_needed', model, usage, failure: null, note: 'Nothing in the change needs a model.' };
    return { state: 'failed', model, usage, failure: null, note: `The model was not asked: ${unread.reason ?? 'no file can be read'}.` };
  }
  if (count('failed') === asked.length) return { state: 'failed', model, usage, failure, note: `The model read nothing: ${reasons}.` };
  if (count('read') < asked.length) {
    return { state: 'truncated', model, usage, failure, note: `Of ${calls} ${count('failed')} failed and ${count('cut')} brought only a part: ${reasons}.` };
  }
  return { state: 'ran', model, usage, failure: null, note: `${calls}, each answered whole.` };
}
