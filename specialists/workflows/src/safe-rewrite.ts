/**
 * The replacement for a one-line `run: …${{ untrusted }}…`: the value goes through `env`, the script reads a quoted variable.
 * Offered only where it is certain that the meaning stays: one expression, a POSIX shell, no `env` of the step yet.
 */
import type { Arrival } from './value-flow.ts';
import type { Job, Step } from './workflow-model.ts';

const POSIX = new Set(['bash', 'sh']);

const isPosix = (step: Step, job: Job): boolean => {
  if (step.shell !== undefined) return POSIX.has(step.shell.text);
  return job.runsOn?.kind === 'scalar' && /^(?:ubuntu|macos)-[\w.-]+$/.test(job.runsOn.text);
};

/** `github.event.pull_request.title` becomes `PULL_REQUEST_TITLE`. */
const variableOf = (context: string): string =>
  context
    .replace(/^github\.(?:event\.)?/, '')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .toUpperCase();

/** The variable as it is written in place of the expression; undefined inside single quotes, here-documents and the like. */
const spelling = (script: string, arrival: Arrival, name: string): string | undefined => {
  const before = script.slice(0, arrival.place.start);
  const after = script.slice(arrival.place.end);
  if (/[\\`'#<]|\$\(/.test(before + after)) return undefined;
  const open = (before.split('"').length - 1) % 2 === 1;
  if (open) return /^\w/.test(after) ? `\${${name}}` : `$${name}`;
  return /(?:^|\s)$/.test(before) && /^(?:\s|$)/.test(after) ? `"$${name}"` : undefined;
};

/** Puts the two keys in place of the one, at the indentation of the line; undefined when the line holds more than `run` and its text. */
const replaced = (line: string, old: string, variable: string, script: string): string | undefined => {
  const head = /^(\s*(?:-\s+)?)run:\s+/.exec(line);
  if (head === null || line.slice(head[0].length).trimEnd() !== old || script.startsWith('"')) return undefined;
  const first = head[1] ?? '';
  const indent = ' '.repeat(first.length);
  return `${first}env:\n${indent}  ${variable}\n${indent}run: ${script}`;
};

/** Answers a function from the text of the `run` line to its replacement, or undefined where none is certain. */
export const safeRewrite = (step: Step, job: Job, arrivals: readonly Arrival[]): ((line: string) => string | undefined) | undefined => {
  const [arrival] = arrivals;
  const run = step.run;
  if (arrival === undefined || arrivals.length !== 1 || run === undefined || run.block || run.text.includes('\n')) return undefined;
  if (step.env !== undefined || !isPosix(step, job) || run.text.split('${{').length !== 2) return undefined;
  const name = variableOf(arrival.flow.source.context);
  const written = spelling(run.text, arrival, name);
  if (written === undefined) return undefined;
  const script = run.text.slice(0, arrival.place.start) + written + run.text.slice(arrival.place.end);
  return line => replaced(line, run.text, `${name}: \${{ ${arrival.place.body} }}`, script);
};
