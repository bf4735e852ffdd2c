/**
 * Follows values through a workflow: which sources can reach the text that an expression expands to.
 * It goes through `env`, step outputs, job outputs, the matrix and inputs, as far as the one file shows.
 */
import { Binary, type Expr, type ExpressionPlace, expressionsIn, FunctionCall, Grouping, IndexAccess, Logical, parseExpression } from './expression.ts';
import { type Path, pathOfExpression } from './expression.ts';
import type { Place } from './risk.ts';
import { expandedNames, type RunnerWrite, runnerWrites, scriptLines } from './script-text.ts';
import { entriesOf, itemsOf, scalarOf, scalarsIn } from './tree-access.ts';
import { type Reach, type Source, sourcesAt } from './untrusted-contexts.ts';
import type { Input, Job, Step, Workflow } from './workflow-model.ts';
import type { Entry, MapTree, ScalarTree, Tree } from './yaml-tree.ts';

/** A way from a source to a place. */
export interface Flow {
  readonly source: Source;
  /** True while the value is a list or object, which expands to the word Array or Object. */
  readonly inert: boolean;
  /** The lines in between, from the source to the place; a note reads `env TITLE`. */
  readonly hops: readonly Place[];
}
/** A flow and the expression through which it arrives. */
export interface Arrival {
  readonly flow: Flow;
  readonly place: ExpressionPlace;
}
/** Where an expression stands; decides what `env` and `steps` mean there. */
export interface Standpoint {
  readonly job: Job | undefined;
  /** Index of the step in its job; undefined at the level of the job or the workflow. */
  readonly step: number | undefined;
}
/** One run over one file. Made by `analysisOf`; the functions below count their steps in it. */
export interface Analysis {
  readonly workflow: Workflow;
  readonly sources: readonly Source[];
  /** Whether the inputs of the workflow or action are sources too. */
  readonly inputs: boolean;
  readonly trees: Map<string, Expr | undefined>;
  readonly places: Map<ScalarTree, readonly ExpressionPlace[]>;
  readonly writes: Map<Step, readonly RunnerWrite[]>;
  steps: number;
  depth: number;
}

/** How a value is read: as text, joined (`join`), or serialised (`toJSON`). */
type Reading = 'text' | 'join' | 'json';

/** Two levels a hop; deeper chains are not followed. */
const MAX_DEPTH = 24;
/** Look-ups per file; a file that needs more is reported as partially read. */
const MAX_STEPS = 40_000;
const MAX_FLOWS = 24;

/** Functions whose result holds none of their arguments' text. */
const ANSWERS = new Set(['contains', 'startswith', 'endswith', 'hashfiles', 'always', 'success', 'failure', 'cancelled']);

export const analysisOf = (workflow: Workflow, sources: readonly Source[], inputs: boolean): Analysis => ({
  workflow,
  sources,
  inputs,
  trees: new Map(),
  places: new Map(),
  writes: new Map(),
  steps: 0,
  depth: 0,
});

/** True once a limit was reached, so that some flows may be missing. */
export const isExhausted = (analysis: Analysis): boolean => analysis.steps >= MAX_STEPS;

const cached = <K, V>(map: Map<K, V>, key: K, make: () => V): V => {
  const known = map.get(key);
  if (known !== undefined || map.has(key)) return known as V;
  const made = make();
  map.set(key, made);
  return made;
};

const unique = (flows: readonly Flow[]): readonly Flow[] => {
  const seen = new Map<string, Flow>();
  for (const flow of flows) {
    const known = seen.get(flow.source.context);
    if (known === undefined || (known.inert && !flow.inert)) seen.set(flow.source.context, flow);
  }
  return [...seen.values()].slice(0, MAX_FLOWS);
};

const within = (analysis: Analysis, visit: () => readonly Flow[]): readonly Flow[] => {
  if (analysis.depth >= MAX_DEPTH || isExhausted(analysis)) return [];
  analysis.depth++;
  analysis.steps++;
  const flows = unique(visit());
  analysis.depth--;
  return flows;
};

const through = (flows: readonly Flow[], line: number, note: string): readonly Flow[] => flows.map(flow => ({ ...flow, hops: [...flow.hops, { line, note }] }));

const isInert = (reach: Reach, reading: Reading): boolean => (reach === 'object' ? reading !== 'json' : reach === 'list' && reading === 'text');

/** `case(a, x, b, y, z)` answers x, y or z. */
const results = (name: string, args: readonly Expr[]): readonly Expr[] =>
  name === 'case' ? args.filter((_, at) => at % 2 === 1 || at === args.length - 1) : args;

const leaksOfCall = (analysis: Analysis, call: FunctionCall, reading: Reading, at: Standpoint): readonly Flow[] => {
  const name = call.functionName.lexeme.toLowerCase();
  if (ANSWERS.has(name)) return [];
  const inner: Reading = name === 'tojson' ? 'json' : name === 'join' ? 'join' : reading;
  return results(name, call.args).flatMap(arg => leaks(analysis, arg, inner, at));
};

/** What can stand in the result of an expression. `a && b` answers b or an empty value; a comparison answers a boolean. */
const leaks = (analysis: Analysis, expression: Expr, reading: Reading, at: Standpoint): readonly Flow[] => {
  if (expression instanceof Grouping) return leaks(analysis, expression.group, reading, at);
  if (expression instanceof Logical) {
    const args = expression.operator.lexeme === '&&' ? expression.args.slice(-1) : expression.args;
    return args.flatMap(arg => leaks(analysis, arg, reading, at));
  }
  if (expression instanceof FunctionCall) return leaksOfCall(analysis, expression, reading, at);
  if (expression instanceof Binary) return [];
  const path = pathOfExpression(expression);
  if (path !== undefined) return leaksOfPath(analysis, path, reading, at);
  return expression instanceof IndexAccess ? leaks(analysis, expression.expr, 'json', at) : [];
};

const leaksOfGithub = (analysis: Analysis, path: Path, reading: Reading): readonly Flow[] =>
  sourcesAt(analysis.sources, path).map(({ source, reach }) => ({ source, inert: isInert(reach, reading), hops: [] }));

/** A context whose first name picks one value: `env.NAME`, `inputs.NAME`, `matrix.NAME`. */
type Named = (analysis: Analysis, name: string, at: Standpoint) => readonly Flow[];

const NAMED: ReadonlyMap<string, Named> = new Map<string, Named>([
  ['env', (analysis, name, at) => leaksOfEnv(analysis, name, at)],
  ['inputs', (analysis, name) => leaksOfInput(analysis, name)],
  ['matrix', (analysis, name, at) => leaksOfMatrix(analysis, name, at)],
]);

const leaksOfOutput = (analysis: Analysis, path: Path, at: Standpoint): readonly Flow[] => {
  const [root, owner, outputs, name = '*'] = path;
  if (owner === undefined || outputs !== 'outputs') return [];
  if (root === 'steps') return leaksOfStep(analysis, owner, name, at);
  return root === 'needs' ? leaksOfJob(analysis, owner, name) : [];
};

const leaksOfPath = (analysis: Analysis, path: Path, reading: Reading, at: Standpoint): readonly Flow[] => {
  const [root = '', first, second, third = '*'] = path;
  if (root === 'github') return first === 'event' && second === 'inputs' ? leaksOfInput(analysis, third) : leaksOfGithub(analysis, path, reading);
  const find = NAMED.get(root);
  if (find === undefined) return leaksOfOutput(analysis, path, at);
  return first === undefined && reading !== 'json' ? [] : find(analysis, first ?? '*', at);
};

const placesOf = (analysis: Analysis, scalar: ScalarTree): readonly ExpressionPlace[] => cached(analysis.places, scalar, () => expressionsIn(scalar.text));

const flowsAt = (analysis: Analysis, place: ExpressionPlace, at: Standpoint): readonly Flow[] => {
  const tree = cached(analysis.trees, place.body, () => parseExpression(place.body));
  return tree === undefined ? [] : within(analysis, () => leaks(analysis, tree, 'text', at));
};

/** Flows into the expressions of a scalar, or of a part of it. */
export const arrivalsIn = (analysis: Analysis, scalar: ScalarTree, at: Standpoint, [from, to] = [0, scalar.text.length]): readonly Arrival[] =>
  placesOf(analysis, scalar)
    .filter(({ start }) => start >= from && start < to)
    .flatMap(place => flowsAt(analysis, place, at).map(flow => ({ flow, place })));

const intoNamed = (analysis: Analysis, scalar: ScalarTree | undefined, at: Standpoint, note: string): readonly Flow[] => {
  if (scalar === undefined) return [];
  return within(analysis, () => arrivalsIn(analysis, scalar, at).flatMap(({ flow, place }) => through([flow], scalar.lineAt(place.start), note)));
};

const named = (tree: Tree | undefined, name: string): readonly Entry[] => entriesOf(tree).filter(entry => name === '*' || entry.key.toLowerCase() === name);

/** The nearest `env` that sets a name: the step's, what earlier steps exported, the job's, the workflow's. */
const leaksOfEnv = (analysis: Analysis, name: string, at: Standpoint): readonly Flow[] => {
  const step = at.step === undefined ? undefined : at.job?.steps[at.step];
  const levels: readonly (readonly [MapTree | undefined, Standpoint])[] = [
    [step?.env, at],
    [at.job?.env, { job: at.job, step: undefined }],
    [analysis.workflow.env, { job: undefined, step: undefined }],
  ];
  for (const [index, [env, place]] of levels.entries()) {
    const found = named(env, name);
    if (found.length > 0) return found.flatMap(entry => intoNamed(analysis, scalarOf(entry.value), place, `env ${entry.key}`));
    const exported = index === 0 ? leaksOfExport(analysis, name, at) : [];
    if (exported.length > 0) return exported;
  }
  return [];
};

/** Flows into an environment variable as a step's script sees it; empty when no source reaches it. */
export const flowsOfVariable = (analysis: Analysis, name: string, at: Standpoint): readonly Flow[] => leaksOfEnv(analysis, name.toLowerCase(), at);

/** The one-line writes of a step's script to the runner's files. */
export const writesOf = (analysis: Analysis, step: Step): readonly RunnerWrite[] =>
  cached(analysis.writes, step, () => (step.run === undefined ? [] : runnerWrites(scriptLines(step.run.text))));

/** Flows into what a write says, by an expression in it or by a variable. A value made by another command is not followed. */
export const flowsOfWrite = (analysis: Analysis, write: RunnerWrite, at: Standpoint): readonly Flow[] => {
  const run = at.step === undefined ? undefined : at.job?.steps[at.step]?.run;
  if (run === undefined || /\$\(|`/.test(write.value)) return [];
  return within(analysis, () => [
    ...arrivalsIn(analysis, run, at, [write.valueOffset, write.valueOffset + write.value.length]).map(({ flow }) => flow),
    ...expandedNames(write.value).flatMap(name => flowsOfVariable(analysis, name, at)),
  ]);
};

const leaksOfWrites = (analysis: Analysis, at: Standpoint, file: RunnerWrite['file'], name: string): readonly Flow[] => {
  const step = at.step === undefined ? undefined : at.job?.steps[at.step];
  const run = step?.run;
  if (step === undefined || run === undefined) return [];
  const label = file === 'GITHUB_ENV' ? 'env ' : `output ${step.id}.`;
  return writesOf(analysis, step)
    .filter(write => write.file === file && write.name !== undefined && (name === '*' || write.name.toLowerCase() === name))
    .flatMap(write => through(flowsOfWrite(analysis, write, at), run.lineAt(write.offset), `${label}${write.name}`));
};

const leaksOfExport = (analysis: Analysis, name: string, { job, step }: Standpoint): readonly Flow[] => {
  for (let index = (step ?? 0) - 1; index >= 0; index--) {
    const found = within(analysis, () => leaksOfWrites(analysis, { job, step: index }, 'GITHUB_ENV', name));
    if (found.length > 0) return found;
  }
  return [];
};

const leaksOfStep = (analysis: Analysis, id: string, name: string, { job, step }: Standpoint): readonly Flow[] => {
  const index = job?.steps.findIndex(candidate => candidate.id === id) ?? -1;
  if (index < 0 || (step !== undefined && index >= step)) return [];
  return within(analysis, () => leaksOfWrites(analysis, { job, step: index }, 'GITHUB_OUTPUT', name));
};

const leaksOfJob = (analysis: Analysis, key: string, name: string): readonly Flow[] =>
  analysis.workflow.jobs
    .filter(job => key === '*' || job.key === key)
    .flatMap(job =>
      named(job.outputs, name).flatMap(entry => intoNamed(analysis, scalarOf(entry.value), { job, step: undefined }, `output ${job.key}.${entry.key}`)),
    );

const leaksOfMatrix = (analysis: Analysis, name: string, { job }: Standpoint): readonly Flow[] => {
  const matrix = job?.matrix;
  const include = entriesOf(matrix).find(entry => entry.key === 'include')?.value;
  const values = [...named(matrix, name), ...itemsOf(include).flatMap(item => named(item, name))].map(entry => entry.value);
  const computed = [matrix, include].filter(tree => tree?.kind === 'scalar');
  return [...values, ...computed].flatMap(scalarsIn).flatMap(scalar => intoNamed(analysis, scalar, { job, step: undefined }, `matrix ${name}`));
};

const sourceOfInput = (input: Input): Flow => {
  const who = input.from === 'dispatch' ? 'Whoever starts the run' : 'Whoever calls it';
  const source: Source = { context: `inputs.${input.name}`, who, by: 'insider', multiline: true, events: [] };
  return { source, inert: false, hops: [{ line: input.line, note: `input ${input.name}` }] };
};

const leaksOfInput = (analysis: Analysis, name: string): readonly Flow[] =>
  analysis.workflow.inputs
    .filter(input => !input.closed && (name === '*' || input.name === name))
    .flatMap(input => [
      ...intoNamed(analysis, input.fallback, { job: undefined, step: undefined }, `default of input ${input.name}`),
      ...(analysis.inputs ? [sourceOfInput(input)] : []),
    ]);
