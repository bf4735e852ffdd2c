/**
 * What was read, in words (REV-14, REV-16b): every file of the change is counted, and what was not read whole is named.
 */
import type { FileCoverage } from '@weir/contract';
import { oneLine, visible } from './plain-text.ts';

/** Files and reasons that are named without `--verbose`. */
export const MAX_NAMED = 10;

const filesOf = (count: number): string => `${count} ${count === 1 ? 'file' : 'files'}`;

function countedReasons(files: readonly FileCoverage[]): string {
  const counts = new Map<string, number>();
  for (const file of files) {
    const reason = oneLine(file.reason ?? 'no reason given');
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  const parts = [...counts].map(([reason, count]) => `${reason}: ${count}`);
  return parts.length > MAX_NAMED ? `${parts.slice(0, MAX_NAMED).join(', ')}, and ${parts.length - MAX_NAMED} more reasons` : parts.join(', ');
}

/** Groups of files by how they were read. */
const readings = (coverage: readonly FileCoverage[]) => ({
  whole: coverage.filter(file => file.reading === 'full'),
  partial: coverage.filter(file => file.reading === 'partial' && !file.byRule),
  skipped: coverage.filter(file => file.reading === 'skipped' && !file.byRule),
  byRule: coverage.filter(file => file.reading !== 'full' && file.byRule),
});

/** `Read: 15 of 18 files, whole. In part: 1. Not read: 1. Left out by rule: 1 (binary: 1).` */
export function coverageSentence(coverage: readonly FileCoverage[]): string {
  if (coverage.length === 0) return 'Read: nothing; the change has no files.';
  const { whole, partial, skipped, byRule } = readings(coverage);
  const parts = [`Read: ${whole.length} of ${filesOf(coverage.length)}, whole.`];
  if (partial.length > 0) parts.push(`In part: ${partial.length}.`);
  if (skipped.length > 0) parts.push(`Not read: ${skipped.length}.`);
  if (byRule.length > 0) parts.push(`Left out by rule: ${byRule.length} (${countedReasons(byRule)}).`);
  return parts.join(' ');
}

const named = (word: string) => (file: FileCoverage) => `  ${word}: ${visible(file.path)}: ${oneLine(file.reason ?? 'no reason given')}`;

/** The sentence, then a line for each file that was not read whole. Without `verbose` the list is bounded and files left out by rule are only counted. */
export function coverageLines(coverage: readonly FileCoverage[], verbose: boolean): string[] {
  const { partial, skipped, byRule } = readings(coverage);
  const lines = [...skipped.map(named('not read')), ...partial.map(named('in part')), ...(verbose ? byRule.map(named('by rule')) : [])];
  const shown = verbose ? lines : lines.slice(0, MAX_NAMED);
  const rest = lines.length - shown.length;
  return [coverageSentence(coverage), ...shown, ...(rest > 0 ? [`  and ${rest} more; --verbose names them`] : [])];
}
