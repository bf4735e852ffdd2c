/**
 * Reads the conditions in front of a job or step: do they keep forks out, or ask for somebody's consent?
 * Only plain comparisons are understood; anything else is no gate.
 */
import { Binary, type Expr, expressionsIn, FunctionCall, Grouping, Literal, Logical, parseExpression, pathOfExpression, Unary } from './expression.ts';
import type { Job, Step, Workflow } from './workflow-model.ts';
import type { ScalarTree } from './yaml-tree.ts';

/** `forks-excluded`: runs for the repository's own branches only. `vetted`: a person, role or label has to agree. */
export type Gate = 'none' | 'vetted' | 'forks-excluded';

/** Events that somebody without rights in the repository can cause. */
export const FORK_EVENTS: ReadonlySet<string> = new Set([
  'pull_request',
  'pull_request_target',
  'pull_request_review',
  'pull_request_review_comment',
  'issue_comment',
  'issues',
  'discussion',
  'discussion_comment',
  'commit_comment',
  'workflow_run',
  'fork',
  'watch',
]);

const REPOSITORY = /\.(?:head\.repo|head_repository)\.(?:full_name|name|owner\.login|id)$/;
const FORK = /\.(?:head\.repo|head_repository)\.fork$/;
const PERSON = /(?:author_association|\.login|github\.actor|github\.triggering_actor|\.label\.name|\.labels\.\*\.name)$/;

const textOf = (expression: Expr): string | undefined =>
  expression instanceof Literal ? expression.literal.coerceString() : pathOfExpression(expression)?.join('.');

const isPath = (expression: Expr, pattern: RegExp): boolean => pattern.test(pathOfExpression(expression)?.join('.') ?? '');

/** Both orders of a comparison with `==` or `!=`; empty for other operators. */
const sides = (expression: Expr, operator: '==' | '!='): readonly (readonly [Expr, Expr])[] =>
  expression instanceof Binary && expression.operator.lexeme === operator
    ? [
        [expression.left, expression.right],
        [expression.right, expression.left],
      ]
    : [];

const excludesForks = (expression: Expr): boolean => {
  if (expression instanceof Unary) return isPath(expression.expr, FORK);
  const equal = sides(expression, '==').some(([a, b]) => {
    const [left = '', right = ''] = [textOf(a), textOf(b)];
    if (REPOSITORY.test(left)) return /^github\.repository|^github\.event\.repository\./.test(right) || b instanceof Literal;
    if (FORK.test(left)) return right === 'false';
    if (left === 'github.event_name') return b instanceof Literal && !FORK_EVENTS.has(right);
    return left === 'github.event.workflow_run.event' && b instanceof Literal && !right.startsWith('pull_request');
  });
  return equal || sides(expression, '!=').some(([a, b]) => textOf(a) === 'github.event_name' && FORK_EVENTS.has(textOf(b) ?? ''));
};

const asksConsent = (expression: Expr): boolean => {
  if (expression instanceof FunctionCall) {
    return expression.functionName.lexeme.toLowerCase() === 'contains' && expression.args.some(arg => isPath(arg, PERSON));
  }
  return sides(expression, '==').some(([a]) => isPath(a, PERSON));
};

/** A conjunction holds back if one part does, an alternative only if every part does. */
const holds = (expression: Expr, test: (part: Expr) => boolean): boolean => {
  if (expression instanceof Grouping) return holds(expression.group, test);
  if (!(expression instanceof Logical)) return test(expression);
  const parts = expression.args.map(arg => holds(arg, test));
  return expression.operator.lexeme === '&&' ? parts.includes(true) : !parts.includes(false);
};

const gateOfCondition = (condition: ScalarTree | undefined): Gate => {
  if (condition === undefined) return 'none';
  const text = condition.text.trim();
  const [only] = expressionsIn(text);
  const whole = only !== undefined && only.start === 0 && only.end === text.length;
  const tree = parseExpression(whole ? only.body : text);
  if (tree === undefined) return 'none';
  if (holds(tree, excludesForks)) return 'forks-excluded';
  return holds(tree, part => asksConsent(part) || excludesForks(part)) ? 'vetted' : 'none';
};

const STRENGTH: readonly Gate[] = ['none', 'vetted', 'forks-excluded'];
const strongest = (gates: readonly Gate[]): Gate => STRENGTH[Math.max(0, ...gates.map(gate => STRENGTH.indexOf(gate)))] ?? 'none';

const gateOfOneJob = (job: Job): Gate => strongest([gateOfCondition(job.condition), job.environment ? 'vetted' : 'none']);

/** The strongest gate in front of a job: its own condition and environment, and those of the jobs that it waits for. */
export const gateOfJob = (workflow: Workflow, job: Job): Gate => {
  const needed = /\b(?:always|failure|cancelled)\s*\(/.test(job.condition?.text ?? '') ? [] : workflow.jobs.filter(({ key }) => job.needs.includes(key));
  return strongest([gateOfOneJob(job), ...needed.map(gateOfOneJob)]);
};

export const gateOfStep = (workflow: Workflow, job: Job, step: Step): Gate => strongest([gateOfJob(workflow, job), gateOfCondition(step.condition)]);
