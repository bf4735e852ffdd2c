/** The diff of a review's change, read from its forge now, since none is kept (REV-12): in order of meaning, page by page. */
import { API_MEANINGS, type ApiDiffFile } from '@weir/contract';
import { collectDiff, type CollectedFile, type LineKind, pathOf } from '@weir/diff';
import { AppError } from '@weir/kernel';
import type { ApiAnswer, ApiCall } from '@weir/ports';
import { fileMeaning } from '@weir/review';
import { type ForgeDiff, readForgeDiff, type StageForge } from '@weir/review-workers';
import { sleep } from '../gateway/real-time.ts';
import { registeredOf } from '../server/rerun-command.ts';
import { badCursor, type DashboardWorld, type Paged } from './dashboard-world.ts';
import { type StoredReview, storedReview } from './review-detail.ts';

/** Diffs that are kept for the next page, and how long. */
const MAX_KEPT = 4;
const KEEP_MS = 60_000;
const OFFSET = /^\d{1,7}$/;

interface ReadDiff {
  readonly files: readonly ApiDiffFile[];
  readonly warnings: readonly string[];
  readonly at: number;
}

const KINDS: Readonly<Record<LineKind, 'add' | 'del' | 'context'>> = { added: 'add', removed: 'del', context: 'context' };

function fileRow({ file, added, removed }: CollectedFile, { unread }: ForgeDiff): ApiDiffFile {
  const path = pathOf(file);
  return {
    path,
    oldPath: file.oldPath === path ? null : file.oldPath,
    kind: file.binary ? 'binary' : file.kind,
    meaning: fileMeaning(path),
    addedLines: added,
    removedLines: removed,
    hunks: file.hunks.map(({ oldStart, newStart, lines }) => ({ oldStart, newStart, lines: lines.map(({ kind, text }) => ({ kind: KINDS[kind], text })) })),
    problem: file.problem ?? unread.get(path) ?? null,
  };
}

const byMeaning = (left: ApiDiffFile, right: ApiDiffFile): number =>
  API_MEANINGS.indexOf(left.meaning) - API_MEANINGS.indexOf(right.meaning) || (left.path < right.path ? -1 : left.path > right.path ? 1 : 0);

async function forgeOf({ stores, providers }: DashboardWorld, { row }: StoredReview): Promise<StageForge> {
  const repository = row.coordinates === null ? undefined : registeredOf(await stores.registry.repositories(), row.coordinates);
  if (repository === undefined)
    throw new AppError('REGISTRATION_INVALID', 'The repository of this review is not registered, so its diff cannot be read.', {
      next: 'Register it: weir repo add <url>.',
    });
  return providers.forgeOf(repository);
}

async function readNow(world: DashboardWorld, review: StoredReview, signal: AbortSignal): Promise<ReadDiff> {
  const { row } = review;
  const forge = await forgeOf(world, review);
  if (row.coordinates === null) throw new Error('A review with a forge has coordinates.');
  const { settings, now } = world;
  const { head } = await forge.port.ask('change.get', { repository: forge.repository.path, change: row.coordinates.change }, signal);
  const read = await readForgeDiff({ forge, coordinates: row.coordinates }, sleep, signal);
  const collector = collectDiff({ maxFileBytes: settings.get<number>('review.maxFileBytes'), maxDiffBytes: settings.get<number>('review.maxDiffBytes') });
  collector.push(read.diff);
  const moved = row.head === null || head.commit === null || head.commit.startsWith(row.head) || row.head.startsWith(head.commit);
  const warnings = moved ? read.warnings : [...read.warnings, `The change has moved on to ${head.commit}; findings may stand on other lines.`];
  return {
    files: collector
      .end()
      .map(file => fileRow(file, read))
      .sort(byMeaning),
    warnings,
    at: now(),
  };
}

/** Keeps the diffs that were read last, so that the pages of one are one reading. */
export function createDiffReader(world: DashboardWorld): (call: ApiCall) => Promise<ApiAnswer> {
  const kept = new Map<string, ReadDiff>();

  async function diffOf(review: StoredReview, signal: AbortSignal): Promise<ReadDiff> {
    const key = `${review.row.reviewId} ${review.row.head ?? ''}`;
    const known = kept.get(key);
    if (known !== undefined && world.now() - known.at < KEEP_MS) return known;
    const read = await readNow(world, review, signal);
    kept.delete(key);
    kept.set(key, read);
    const [oldest] = kept.keys();
    if (oldest !== undefined && kept.size > MAX_KEPT) kept.delete(oldest);
    return read;
  }

  return async ({ params, query, signal }) => {
    const { id } = params as { readonly id: string };
    const { cursor = '0', limit } = query as Paged;
    if (!OFFSET.test(cursor)) throw badCursor();
    const review = await storedReview(world, id);
    const { files, warnings } = await diffOf(review, signal);
    const end = Number(cursor) + limit;
    const next = end < files.length ? String(end) : null;
    const { round, head } = review.row;
    return { body: { items: files.slice(Number(cursor), end), next, round, head: head ?? '', files: files.length, warnings }, next };
  };
}
