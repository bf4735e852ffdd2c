/**
 * What a follow-up round starts from (REV-21, REV-24): the open findings under the paths that their files have now, what has changed since
 * the head that they are about, and what people said in their threads.
 */
import type { Change, VerbResult } from '@weir/contract';
import { collectDiff, type DiffFile, type DiffLimits } from '@weir/diff';
import { AppError } from '@weir/kernel';
import type { PriorFinding } from '@weir/prompt';
import { type FindingRow, followRenames, openBaseline, reconcileBy, sameCommit, settledByPeople } from '@weir/review';
import { textsForModel } from './finding-texts.ts';
import type { RoundReview, StageParts } from './stage.ts';

export interface PriorRound {
  readonly open: readonly FindingRow[];
  /** What people have dismissed or acknowledged. */
  readonly settled: readonly FindingRow[];
  /** `none`: nothing to reconcile. */
  readonly by: 'compare' | 'whole' | 'none';
  /** The compare diff, or the change's. */
  readonly files: readonly DiffFile[];
  /** Paths of the compare diff; null where the whole diff tells nothing of what is new. */
  readonly touched: ReadonlySet<string> | null;
}

type Compared = Pick<VerbResult<'change.compare'>, 'diff' | 'mergeBase'>;

/** Nothing to compare with where the forge does not compare, or has dropped the old head after a force-push. */
async function compareWith({ forge, round }: RoundReview, previousHead: string, signal: AbortSignal): Promise<Compared> {
  if (sameCommit(previousHead, round.head)) return { diff: '', mergeBase: previousHead };
  if (!forge.port.supports('change.compare')) return { diff: '', mergeBase: null };
  try {
    return await forge.port.ask('change.compare', { repository: forge.repository.path, base: previousHead, head: round.head }, signal);
  } catch (error) {
    if (error instanceof AppError && error.code === 'FORGE_NOT_FOUND') return { diff: '', mergeBase: null };
    throw error;
  }
}

function parsed(diff: string, limits: DiffLimits): readonly DiffFile[] {
  const collector = collectDiff(limits);
  collector.push(diff);
  return collector.end().map(({ file }) => file);
}

const renamesOf = (files: readonly DiffFile[]) =>
  files.flatMap(({ kind, oldPath, newPath }) => (kind === 'renamed' && oldPath !== null && newPath !== null ? [{ from: oldPath, to: newPath }] : []));

const pathsOf = (files: readonly DiffFile[]): ReadonlySet<string> =>
  new Set(files.flatMap(({ oldPath, newPath }) => [oldPath, newPath].filter(path => path !== null)));

/** @param whole files of the change's diff. Throws AppError FORGE_*. */
export async function readPriorRound(review: RoundReview, whole: readonly DiffFile[], limits: DiffLimits, signal: AbortSignal): Promise<PriorRound> {
  const open = openBaseline(review.row.ledger);
  const settled = followRenames(settledByPeople(review.row.ledger), renamesOf(whole));
  const { previousHead } = review.round;
  if (open.length === 0 || previousHead === null) return { open, settled, by: 'none', files: [], touched: null };
  const { diff, mergeBase } = await compareWith(review, previousHead, signal);
  const by = reconcileBy(open, { previousHead, mergeBase });
  const files = by === 'compare' ? parsed(diff, limits) : whole;
  return { open: followRenames(open, renamesOf(files)), settled, by, files, touched: by === 'compare' ? pathsOf(files) : null };
}

type Threads = VerbResult<'thread.list'>['threads'];

/** Threads of the findings, without what the provider's policy keeps from a model (PRV-20). */
async function readThreads({ forge, coordinates }: RoundReview, open: readonly FindingRow[], signal: AbortSignal): Promise<Threads> {
  const wanted = new Set(open.flatMap(({ thread }) => (thread === null ? [] : [thread.id])));
  const { port, repository } = forge;
  if (wanted.size === 0 || !port.supports('thread.list')) return [];
  const { threads } = await port.ask('thread.list', { repository: repository.path, change: coordinates.change }, signal);
  const ours = threads.filter(({ ref }) => wanted.has(ref.id));
  if (ours.length === 0) return [];
  return (await port.forModel('thread.list', { threads: ours }, { repository: repository.path }, signal)).value?.threads ?? [];
}

/** Open findings with their texts and conversations, as the reconcile call is shown them. */
export async function priorFindings(
  { artifacts }: Pick<StageParts, 'artifacts'>,
  review: RoundReview,
  open: readonly FindingRow[],
  signal: AbortSignal,
): Promise<readonly PriorFinding[]> {
  const [texts, threads] = await Promise.all([textsForModel(artifacts, review, open, signal), readThreads(review, open, signal)]);
  const self = review.forge.account.identity.id;
  return open.map(row => {
    const comments = threads.find(({ ref }) => ref.id === row.thread?.id)?.comments ?? [];
    const conversation = comments.map(({ author, body }) => ({ by: author.id === self ? 'Weir' : author.login, text: body }));
    return { ...row, title: row.rule, message: '', ...texts.get(row.id), conversation };
  });
}

/** The exclusion list of the review call: places and titles. */
export const withoutTexts = (findings: readonly PriorFinding[]): readonly PriorFinding[] =>
  findings.map(finding => ({ ...finding, message: '', conversation: [] }));

/** Under lockdown, code of an author without push access does not reach a model (PRV-20); whether it does depends on the author alone. */
export async function mayShowDiff({ forge }: Pick<RoundReview, 'forge'>, { author }: Pick<Change, 'author'>, signal: AbortSignal): Promise<boolean> {
  const place = { repository: forge.repository.path, author };
  return (await forge.port.forModel('change.diff', { diff: '' }, place, signal)).value !== null;
}
