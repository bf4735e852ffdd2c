/** Findings of other tools are filtered to the diff (REV-20b), and what is left out is counted. */
import type { SourcedFinding } from './merge-findings.policy.ts';

const LEFT_OUT = {
  ignored: 'on files that are left out by rule',
  elsewhere: 'not on files of this change',
  unchanged: 'not on lines of this change',
} as const;

const sentence = (count: number, where: string): string => `${count === 1 ? '1 imported finding is' : `${count} imported findings are`} ${where}; left out.`;

/** A finding about a whole file stays; one about lines has to meet the diff. */
export function filterImported<T extends SourcedFinding>(
  imported: readonly T[],
  ignored: ReadonlyMap<string, string>,
): { readonly kept: readonly T[]; readonly notes: readonly string[] } {
  const kept: T[] = [];
  const counts = { ignored: 0, elsewhere: 0, unchanged: 0 };
  for (const item of imported) {
    if (ignored.has(item.finding.path)) counts.ignored += 1;
    else if (item.placement.kind === 'summary') counts.elsewhere += 1;
    else if (item.placement.kind === 'file' && item.finding.line !== 0) counts.unchanged += 1;
    else kept.push(item);
  }
  const notes = (Object.keys(counts) as (keyof typeof counts)[]).flatMap(why => (counts[why] > 0 ? [sentence(counts[why], LEFT_OUT[why])] : []));
  return { kept, notes };
}
