/**
 * A workflow or composite action as the checks see it: triggers, inputs, jobs and steps, each with its place.
 * Building it never fails; a part of the wrong shape is absent.
 */
import { entriesOf, entryOf, itemsOf, mapOf, scalarOf, scalarsIn, valueOf } from './tree-access.ts';
import type { Entry, MapTree, ScalarTree, Tree } from './yaml-tree.ts';

export interface Trigger {
  readonly name: string;
  readonly line: number;
}
export interface Input {
  readonly name: string;
  readonly line: number;
  /** `dispatch`: typed in by whoever starts the run. `call`: handed over by another workflow or step. */
  readonly from: 'dispatch' | 'call';
  /** True when the type (choice, boolean, number, environment) leaves no room for free text. */
  readonly closed: boolean;
  readonly fallback: ScalarTree | undefined;
}
export interface Step {
  readonly id: string | undefined;
  readonly line: number;
  readonly uses: ScalarTree | undefined;
  readonly run: ScalarTree | undefined;
  readonly with: MapTree | undefined;
  readonly env: MapTree | undefined;
  readonly condition: ScalarTree | undefined;
  readonly shell: ScalarTree | undefined;
  readonly directory: ScalarTree | undefined;
}
export interface Job {
  readonly key: string;
  readonly needs: readonly string[];
  readonly uses: ScalarTree | undefined;
  readonly secrets: Entry | undefined;
  readonly runsOn: Tree | undefined;
  readonly matrix: Tree | undefined;
  readonly env: MapTree | undefined;
  readonly outputs: MapTree | undefined;
  readonly permissions: Entry | undefined;
  readonly condition: ScalarTree | undefined;
  /** True when the job waits for the rules of a deployment environment. */
  readonly environment: boolean;
  readonly steps: readonly Step[];
}
export interface Workflow {
  readonly kind: 'workflow' | 'action';
  readonly root: Tree;
  /** Empty for an action, which runs wherever it is used. */
  readonly triggers: readonly Trigger[];
  readonly inputs: readonly Input[];
  readonly env: MapTree | undefined;
  readonly permissions: Entry | undefined;
  readonly jobs: readonly Job[];
  /** `runs.image` of an action that is a container. */
  readonly image: ScalarTree | undefined;
}

const scalarAt = (tree: Tree | undefined, key: string): ScalarTree | undefined => scalarOf(valueOf(tree, key));

const stepOf = (tree: Tree): Step => ({
  id: scalarAt(tree, 'id')?.text.toLowerCase(),
  line: tree.line,
  uses: scalarAt(tree, 'uses'),
  run: scalarAt(tree, 'run'),
  with: mapOf(valueOf(tree, 'with')),
  env: mapOf(valueOf(tree, 'env')),
  condition: scalarAt(tree, 'if'),
  shell: scalarAt(tree, 'shell'),
  directory: scalarAt(tree, 'working-directory'),
});

const jobOf = ({ key, value }: Entry): Job => ({
  key: key.toLowerCase(),
  needs: scalarsIn(valueOf(value, 'needs')).map(need => need.text.toLowerCase()),
  uses: scalarAt(value, 'uses'),
  secrets: entryOf(value, 'secrets'),
  runsOn: valueOf(value, 'runs-on'),
  matrix: valueOf(valueOf(value, 'strategy'), 'matrix'),
  env: mapOf(valueOf(value, 'env')),
  outputs: mapOf(valueOf(value, 'outputs')),
  permissions: entryOf(value, 'permissions'),
  condition: scalarAt(value, 'if'),
  environment: entryOf(value, 'environment') !== undefined,
  steps: itemsOf(valueOf(value, 'steps')).map(stepOf),
});

const triggersOf = (on: Tree | undefined): readonly Trigger[] => {
  if (on?.kind === 'scalar') return [{ name: on.text, line: on.line }];
  if (on?.kind === 'list') return on.items.flatMap(item => (item.kind === 'scalar' ? [{ name: item.text, line: item.line }] : []));
  return entriesOf(on).map(entry => ({ name: entry.key, line: entry.line }));
};

const CLOSED_TYPES = new Set(['choice', 'boolean', 'number', 'environment']);

const inputsOf = (tree: Tree | undefined, from: Input['from']): readonly Input[] =>
  entriesOf(valueOf(tree, 'inputs')).map(({ key, line, value }) => ({
    name: key.toLowerCase(),
    line,
    from,
    closed: CLOSED_TYPES.has(scalarAt(value, 'type')?.text ?? ''),
    fallback: scalarAt(value, 'default'),
  }));

const actionOf = (root: Tree): Workflow => {
  const runs = valueOf(root, 'runs');
  const steps = itemsOf(valueOf(runs, 'steps')).map(stepOf);
  const job: Job = { ...jobOf({ key: 'action', line: root.line, value: { kind: 'map', line: root.line, entries: [] } }), steps };
  return {
    kind: 'action',
    root,
    triggers: [],
    inputs: inputsOf(root, 'call'),
    env: undefined,
    permissions: undefined,
    jobs: [job],
    image: scalarAt(runs, 'image'),
  };
};

/** Builds the model from a file's YAML. YAML 1.1 tools write the key `on` back as `true`; both are read. */
export const workflowOf = (root: Tree, kind: Workflow['kind']): Workflow => {
  if (kind === 'action') return actionOf(root);
  const on = entryOf(root, 'on', 'true')?.value;
  return {
    kind,
    root,
    triggers: triggersOf(on),
    inputs: [...inputsOf(valueOf(on, 'workflow_dispatch'), 'dispatch'), ...inputsOf(valueOf(on, 'workflow_call'), 'call')],
    env: mapOf(valueOf(root, 'env')),
    permissions: entryOf(root, 'permissions'),
    jobs: entriesOf(valueOf(root, 'jobs')).map(jobOf),
    image: undefined,
  };
};
