import type { Finding } from '@weir/contract';
import { type DiffFile, type DiffLine, pathOf } from '@weir/diff';
import type { Rule } from './specialist.ts';

/** Added lines of a file in order. Each has its number on the new side. */
export function* addedLines(file: DiffFile): Generator<DiffLine & { readonly new: number }> {
  for (const hunk of file.hunks) for (const line of hunk.lines) if (line.kind === 'added' && line.new !== null) yield { ...line, new: line.new };
}

/** Numbers of the lines that the change adds, on the new side: a risk counts only if it touches one of them. */
export function touchedLines(file: DiffFile): ReadonlySet<number> {
  const touched = new Set<number>();
  for (const line of addedLines(file)) touched.add(line.new);
  return touched;
}

/** What a check says of one place; the rest of a finding comes from its rule. */
export interface Remark {
  readonly line: number;
  readonly endLine?: number;
  readonly side?: Finding['side'];
  readonly message: string;
  readonly title?: string;
  readonly severity?: Finding['severity'];
  readonly quote?: string | null;
  readonly suggestion?: string | null;
  readonly evidence?: Finding['evidence'];
}

/** Builds a finding of a rule at a place of a file. */
export const findingOf = (rule: Rule, file: DiffFile, remark: Remark): Finding => ({
  rule: rule.id,
  path: pathOf(file),
  side: remark.side ?? 'new',
  line: remark.line,
  endLine: remark.endLine ?? remark.line,
  severity: remark.severity ?? rule.severity,
  category: rule.category,
  title: remark.title ?? rule.title,
  message: remark.message,
  quote: remark.quote ?? null,
  evidence: remark.evidence ?? [{ path: pathOf(file), line: remark.line || null, note: 'the changed line' }],
  suggestion: remark.suggestion ?? null,
});
