/**
 * Finds runs with the repository's rights that check out a pull request's code, and whether they go on to run it.
 * Triggers: pull_request_target and workflow_run; issue_comment only for checkouts that name a pull request.
 */
import type { Severity } from '@weir/contract';
import { expressionsIn } from './expression.ts';
import { type Gate, gateOfStep } from './gate.ts';
import { headKindOf } from './head-sources.ts';
import { milder, type Place, type Risk } from './risk.ts';
import { rules } from './rules.ts';
import { actionRunsCode, runningLine } from './runs-head-code.ts';
import { expandedNames, scriptLines } from './script-text.ts';
import { scalarOf, valueOf } from './tree-access.ts';
import { type Analysis, arrivalsIn, type Flow, flowsOfVariable } from './value-flow.ts';
import type { Job, Step } from './workflow-model.ts';
import type { ScalarTree } from './yaml-tree.ts';

interface Checkout {
  readonly step: number;
  readonly line: number;
  /** What it checks out, for the message. */
  readonly what: string;
  /** A branch name is looked up in this repository, so it fetches no fork. */
  readonly nameOnly: boolean;
  /** The action refuses the head of a fork (version 7 and later, without the opt-in). */
  readonly refused: boolean;
  /** Sub folder that the code goes to; empty for the workspace. */
  readonly path: string;
  /** Offset in the step's own script after which code may run. */
  readonly offset: number;
  readonly parts: readonly Place[];
}

const PULL_REF = /\b(?:refs\/)?(?:remotes\/)?pull\/[^\s"']{1,200}\/(?:head|merge)\b/;
const GH_CHECKOUT = /\bgh\s+pr\s+checkout\b/;
const GIT_PULL_REF = /\bgit\b.{0,200}\b(?:fetch|pull)\b.{0,200}\bpull\/\S/;
const GIT_SWITCH = /\bgit\s.{0,80}\b(?:checkout|switch|reset|merge|worktree)\b/;
const NEW_ENOUGH = /^v?(?:[7-9]|[1-9]\d)(?:\.|$)/;

const hopsOf = (flows: readonly Flow[]): readonly Place[] =>
  flows.flatMap(flow => flow.hops.map(({ line, note }) => ({ line, note: `${note} carries ${flow.source.context}` })).reverse());

/** The scalar's text with its expressions blanked, so that `refs/pull/${{ … }}/merge` reads as one word. */
const withoutExpressions = (text: string): string =>
  expressionsIn(text).reduceRight((rest, { start, end }) => `${rest.slice(0, start)}N${rest.slice(end)}`, text);

interface HeadRef {
  readonly scalar: ScalarTree;
  readonly what: string;
  readonly kind: 'commit' | 'branch' | 'repository';
  readonly flows: readonly Flow[];
}

const headRefOf = (analysis: Analysis, job: Job, index: number, scalar: ScalarTree | undefined): HeadRef | undefined => {
  if (scalar === undefined) return undefined;
  const flows = arrivalsIn(analysis, scalar, { job, step: index }).map(({ flow }) => flow);
  if (PULL_REF.test(withoutExpressions(scalar.text))) return { scalar, what: scalar.text.trim().slice(0, 120), kind: 'commit', flows };
  const context = (flows.find(({ source }) => headKindOf(source.context) !== 'branch') ?? flows[0])?.source.context;
  const kind = context === undefined ? undefined : headKindOf(context);
  return context === undefined || kind === undefined ? undefined : { scalar, what: context, kind, flows };
};

const placesOf = (others: readonly (readonly [ScalarTree | undefined, string])[]): readonly Place[] =>
  others.flatMap(([scalar, note]) => (scalar === undefined ? [] : [{ line: scalar.line, note }]));

/** The sub folder of a `path` input; empty for the workspace itself. */
const folderOf = (path: ScalarTree | undefined): string => (path?.text ?? '').replace(/^\.\/?|\/$/g, '');

const byAction = (analysis: Analysis, job: Job, index: number, step: Step): readonly Checkout[] => {
  const [action, version = ''] = (step.uses?.text ?? '').toLowerCase().split('@');
  if (action !== 'actions/checkout') return [];
  const input = (name: string): ScalarTree | undefined => scalarOf(valueOf(step.with, name));
  const [ref, repository] = [input('ref'), input('repository')].map(scalar => headRefOf(analysis, job, index, scalar));
  const head = ref ?? repository;
  if (head === undefined) return [];
  const optIn = input('allow-unsafe-pr-checkout');
  const others = placesOf([
    [repository?.scalar, 'in the repository of the fork'],
    [optIn, 'allows the checkout of a fork'],
  ]);
  return [
    {
      step: index,
      line: head.scalar.line,
      what: head.what,
      nameOnly: head.kind === 'branch' && repository === undefined,
      refused: NEW_ENOUGH.test(version) && optIn?.text.toLowerCase() !== 'true',
      path: folderOf(input('path')),
      offset: Number.POSITIVE_INFINITY,
      parts: [...others, ...hopsOf(head.flows)],
    },
  ];
};

/** Flows of a head into one line of a script, by expressions or by variables. */
const flowsIntoLine = (analysis: Analysis, job: Job, index: number, line: { readonly offset: number; readonly text: string }): readonly Flow[] => {
  const run = job.steps[index]?.run;
  if (run === undefined) return [];
  const direct = arrivalsIn(analysis, run, { job, step: index }, [line.offset, line.offset + line.text.length]);
  return [...direct.map(({ flow }) => flow), ...expandedNames(line.text).flatMap(name => flowsOfVariable(analysis, name, { job, step: index }))];
};

const byCommand = (analysis: Analysis, job: Job, index: number, run: ScalarTree): readonly Checkout[] => {
  for (const line of scriptLines(run.text)) {
    if (line.region !== 'code') continue;
    const named = GH_CHECKOUT.test(line.text) || GIT_PULL_REF.test(line.text);
    if (!named && !GIT_SWITCH.test(line.text)) continue;
    const flows = flowsIntoLine(analysis, job, index, line);
    const context = flows.find(({ source }) => headKindOf(source.context) === 'commit');
    if (!named && context === undefined) continue;
    const what = context?.source.context ?? line.text.trim().slice(0, 120);
    const base = { step: index, line: run.lineAt(line.offset), what, nameOnly: false, refused: false, path: '' };
    return [{ ...base, offset: line.offset + line.text.length, parts: hopsOf(flows) }];
  }
  return [];
};

/** True when a step works in the folder that the code was checked out to. */
const reaches = (step: Step, path: string): boolean =>
  path === '' || [step.run, step.directory, step.uses].some(scalar => scalar?.text.includes(path) === true);

/** The place that runs the checked-out code first, in the same step or a later one. */
const runsAfter = (job: Job, checkout: Checkout): Place | undefined => {
  for (const [index, step] of job.steps.entries()) {
    if (index < checkout.step || !reaches(step, checkout.path)) continue;
    const offset = step.run === undefined ? -1 : runningLine(step.run.text, index === checkout.step ? checkout.offset : 0);
    if (step.run !== undefined && offset >= 0) return { line: step.run.lineAt(offset), note: 'runs the code that was checked out' };
    if (index > checkout.step && step.uses !== undefined && actionRunsCode(step.uses.text))
      return { line: step.uses.line, note: 'runs the code that was checked out' };
  }
  return undefined;
};

const severityOf = (checkout: Checkout, runs: boolean, gate: Gate): Severity => {
  const severity: Severity = runs ? 'blocker' : 'major';
  return gate === 'vetted' || checkout.nameOnly || checkout.refused ? milder(severity, 'major') : severity;
};

const remarkOf = (checkout: Checkout): string => {
  if (checkout.nameOnly) return 'The name is looked up in this repository, so it reaches its own branches, not a fork; with `repository` it would.';
  return checkout.refused ? 'This version of the checkout action refuses a fork, so the job fails there; allow-unsafe-pr-checkout would open it.' : '';
};

const riskOf = (analysis: Analysis, job: Job, checkout: Checkout): readonly Risk[] => {
  const step = job.steps[checkout.step];
  const gate = step === undefined ? 'none' : gateOfStep(analysis.workflow, job, step);
  const wanted = analysis.workflow.triggers.filter(({ name }) => name === 'pull_request_target' || name === 'workflow_run');
  const comments = analysis.workflow.triggers.filter(({ name }) => name === 'issue_comment' && gate === 'none' && !checkout.nameOnly);
  const triggers = [...wanted, ...comments];
  const [first] = triggers;
  if (first === undefined || gate === 'forks-excluded') return [];
  const running = runsAfter(job, checkout);
  const then =
    running === undefined
      ? 'Any later step that builds or runs it gives the author those rights.'
      : `Line ${running.line} then runs it, so the author gets those rights.`;
  return [
    {
      rule: rules.headCheckout,
      severity: severityOf(checkout, running !== undefined, gate),
      sink: { line: checkout.line, note: `checks out ${checkout.what}` },
      parts: [
        ...checkout.parts,
        ...triggers.map(({ name, line }) => ({ line, note: `${name} runs with the rights of the repository` })),
        ...(running === undefined ? [] : [running]),
      ],
      message: [
        `${first.name} runs with the secrets and token of the repository, and the job ${job.key} checks out ${checkout.what}, which the author of the pull request writes.`,
        then,
        remarkOf(checkout),
      ]
        .filter(part => part !== '')
        .join(' '),
    },
  ];
};

/** The risky checkouts of one step. `analysis` has to follow the head sources. */
export const headCheckouts = (analysis: Analysis, job: Job, index: number): readonly Risk[] => {
  const step = job.steps[index];
  if (step === undefined) return [];
  const checkouts = step.run === undefined ? byAction(analysis, job, index, step) : byCommand(analysis, job, index, step.run);
  return checkouts.flatMap(checkout => riskOf(analysis, job, checkout));
};
