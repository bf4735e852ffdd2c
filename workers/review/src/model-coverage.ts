/**
 * What of the change the model has really read: the plan, lowered by calls that failed or whose answer was cut (REV-16b).
 */
import type { FileCoverage } from '@weir/contract';
import { type DiffFile, pathOf } from '@weir/diff';

/** How one call ended for its files. */
export interface CallEnd {
  readonly source: string;
  readonly paths: readonly string[];
  readonly state: 'read' | 'cut' | 'failed';
  /** Null for a call that was read whole. */
  readonly reason: string | null;
}

export interface PlannedCoverage {
  readonly source: string;
  readonly coverage: readonly FileCoverage[];
}

const weight = ({ reading, byRule }: FileCoverage): number => (reading === 'full' ? 0 : byRule ? 1 : reading === 'partial' ? 2 : 3);

/** One entry a file of the change, in its order: of several specialists the one that read the least. */
export function modelCoverage(files: readonly DiffFile[], plans: readonly PlannedCoverage[], ends: readonly CallEnd[]): readonly FileCoverage[] {
  const found = new Map<string, FileCoverage>();
  for (const { source, coverage } of plans) {
    const endsOf = endsByPath(ends.filter(end => end.source === source));
    for (const planned of coverage) {
      const actual = lowered(planned, endsOf.get(planned.path) ?? []);
      const before = found.get(planned.path);
      if (before === undefined || weight(actual) > weight(before)) found.set(planned.path, actual);
    }
  }
  const paths = new Set(files.map(pathOf));
  return [...paths].map(path => found.get(path) ?? { path, reading: 'skipped', reason: 'no specialist with a model reads this path', byRule: true });
}

function endsByPath(ends: readonly CallEnd[]): ReadonlyMap<string, readonly CallEnd[]> {
  const found = new Map<string, CallEnd[]>();
  for (const end of ends) {
    for (const path of new Set(end.paths)) {
      const list = found.get(path);
      if (list === undefined) found.set(path, [end]);
      else list.push(end);
    }
  }
  return found;
}

function lowered(planned: FileCoverage, ends: readonly CallEnd[]): FileCoverage {
  const bad = ends.filter(end => end.state !== 'read');
  if (bad.length === 0 || planned.byRule) return planned;
  const reading = bad.length === ends.length && bad.every(end => end.state === 'failed') ? 'skipped' : 'partial';
  const reasons = [...new Set([planned.reason, ...bad.map(end => end.reason)].filter(reason => reason !== null))];
  return { path: planned.path, reading, reason: reasons.join('; '), byRule: false };
}
