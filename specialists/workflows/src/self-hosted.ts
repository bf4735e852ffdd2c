/**
 * Finds self-hosted runners in workflows that outsiders can start.
 * Only the label `self-hosted` is certain; an expression counts if the label is one of its unconditional results.
 */
import { type Expr, expressionsIn, FunctionCall, Grouping, Literal, Logical, parseExpression, pathOfExpression } from './expression.ts';
import { FORK_EVENTS, gateOfJob } from './gate.ts';
import type { Place, Risk } from './risk.ts';
import { rules } from './rules.ts';
import { entriesOf, itemsOf, scalarsIn, valueOf } from './tree-access.ts';
import type { Job, Workflow } from './workflow-model.ts';
import type { ScalarTree, Tree } from './yaml-tree.ts';

const LABEL = 'self-hosted';
/** Events that run the code of the pull request itself. */
const RUNS_HEAD: ReadonlySet<string> = new Set(['pull_request', 'pull_request_review', 'pull_request_review_comment']);

/** The labels that an expression can name whatever the run is, and the matrix keys that it reads. */
const resultsOf = (expression: Expr): { readonly texts: readonly string[]; readonly keys: readonly string[] } => {
  if (expression instanceof Grouping) return resultsOf(expression.group);
  if (expression instanceof Literal) return { texts: [expression.literal.coerceString()], keys: [] };
  if (expression instanceof FunctionCall && expression.functionName.lexeme.toLowerCase() === 'fromjson') {
    return expression.args[0] === undefined ? { texts: [], keys: [] } : resultsOf(expression.args[0]);
  }
  if (expression instanceof Logical && expression.operator.lexeme === '||') {
    const parts = expression.args.map(resultsOf);
    return { texts: parts.flatMap(part => part.texts), keys: parts.flatMap(part => part.keys) };
  }
  const path = pathOfExpression(expression);
  return { texts: [], keys: path?.[0] === 'matrix' && path[1] !== undefined ? [path[1]] : [] };
};

const namesLabel = (text: string): boolean => text === LABEL || /^\s*\[[^\]]*"self-hosted"/.test(text);

const matrixValues = (matrix: Tree | undefined, key: string): readonly ScalarTree[] => {
  const maps = [matrix, ...itemsOf(valueOf(matrix, 'include'))];
  return maps.flatMap(entriesOf).flatMap(entry => (entry.key.toLowerCase() === key ? scalarsIn(entry.value) : []));
};

/** The lines that name the label, the one of the value itself first. */
const placesOf = (scalar: ScalarTree, job: Job): readonly Place[] => {
  const here = { line: scalar.line, note: 'runs on a self-hosted runner' };
  if (scalar.text === LABEL) return [here];
  for (const { body } of expressionsIn(scalar.text)) {
    const tree = parseExpression(body);
    const { texts, keys } = tree === undefined ? { texts: [], keys: [] } : resultsOf(tree);
    if (texts.some(namesLabel)) return [here];
    const value = keys.flatMap(key => matrixValues(job.matrix, key)).find(found => found.text === LABEL);
    if (value !== undefined) return [here, { line: value.line, note: 'the matrix names a self-hosted runner' }];
  }
  return [];
};

const labelsOf = (runsOn: Tree | undefined): readonly ScalarTree[] => scalarsIn(runsOn?.kind === 'map' ? valueOf(runsOn, 'labels') : runsOn);

const riskOf = (workflow: Workflow, job: Job): readonly Risk[] => {
  const triggers = workflow.triggers.filter(({ name }) => FORK_EVENTS.has(name));
  if (triggers.length === 0 || gateOfJob(workflow, job) === 'forks-excluded') return [];
  const [sink, ...parts] = labelsOf(job.runsOn).flatMap(label => placesOf(label, job));
  if (sink === undefined) return [];
  const head = triggers.some(({ name }) => RUNS_HEAD.has(name));
  const names = triggers.map(({ name }) => name).join(', ');
  return [
    {
      rule: rules.selfHosted,
      severity: head ? 'major' : 'minor',
      sink,
      parts: [...parts, ...triggers.map(({ name, line }) => ({ line, note: `${name} can be caused by a fork or an outsider` }))],
      message: head
        ? `The job ${job.key} runs on a self-hosted runner and ${names} starts it, so code of a fork runs on that machine. Use a hosted or single-use runner, or keep forks out with a condition.`
        : `The job ${job.key} runs on a self-hosted runner and an outsider can start it (${names}). A hole in one of its steps is then a hole in that machine.`,
    },
  ];
};

export const selfHostedRunners = (workflow: Workflow): readonly Risk[] => workflow.jobs.flatMap(job => riskOf(workflow, job));
