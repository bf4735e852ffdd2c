/**
 * The first stage: reads the change and its diff, and says how large it is. No line of the diff is kept (REV-12). Running it twice reads
 * twice and changes nothing.
 */
import type { DiffFacts, ReviewResult, ReviewWork } from '@weir/contract';
import { type CollectedFile, collectDiff, type DiffLimits, losslessByteLength } from '@weir/diff';
import { type ChangeLimits, decideChangeSize } from '@weir/review';
import { readGate } from './change-gate.ts';
import { type ForgeDiff, readForgeDiff } from './forge-diff.ts';
import { aimOf, instant, runStage, type StageParts } from './stage.ts';

export interface FetchParts extends StageParts {
  /** From which size a change is not reviewed (REV-31). */
  readonly changeLimits: ChangeLimits;
  /** What is held of a diff (REV-14). */
  readonly diffLimits: DiffLimits;
}

type FetchWork = Extract<ReviewWork, { readonly type: 'FetchDiff' }>;

/** Renames that the facts name; the later stages read the diff again and see all. */
const MAX_RENAMES = 1_000;

const total = (collected: readonly CollectedFile[], side: 'added' | 'removed'): number => collected.reduce((sum, each) => sum + each[side], 0);

export function diffFacts({ diff, unread, warnings }: ForgeDiff, limits: DiffLimits): DiffFacts {
  const collector = collectDiff(limits);
  collector.push(diff);
  const collected = collector.end();
  const renames = collected.flatMap(({ file: { kind, oldPath, newPath } }) =>
    kind === 'renamed' && oldPath !== null && newPath !== null ? [{ from: oldPath, to: newPath }] : [],
  );
  return {
    files: collected.length,
    addedLines: total(collected, 'added'),
    removedLines: total(collected, 'removed'),
    bytes: losslessByteLength(diff),
    truncated: unread.size > 0 || warnings.length > 0 || collected.some(({ file }) => file.problem !== null),
    renames: renames.slice(0, MAX_RENAMES),
  };
}

export const fetchDiff = (parts: FetchParts) =>
  runStage<FetchWork>(parts, async (work, review, signal): Promise<readonly ReviewResult[]> => {
    const aim = aimOf(work.fact);
    const begun = { type: 'FetchBegun', ...aim, at: instant(parts.now()) } as const;
    const gate = await readGate(parts, work, review, signal);
    if (!gate.open) return gate.results;
    const read = await parts.effect('fetch.read', () => readForgeDiff(review, parts.sleep, signal));
    const diff = diffFacts(read, parts.diffLimits);
    const at = instant(parts.now());
    const size = decideChangeSize(parts.changeLimits, { changedFiles: diff.files, diffBytes: diff.bytes });
    if (!size.allowed) return [begun, { type: 'WorkRefused', ...aim, at, code: size.code, measurement: size.measurement }];
    return [begun, { type: 'DiffFetched', ...aim, at, diff }];
  });
