/**
 * Where a finding is shown (REV-17): on its lines if the diff has them, else on the changed line that its quote names,
 * else on its file, else in the summary's list. Nothing is dropped.
 */
import type { Finding, Placement } from '@weir/contract';
import { anchorRange, type DiffFile, findQuote, indexFile, type LineIndex, pathOf } from '@weir/diff';

/** The change's files by every path that a finding may call them. */
export interface PlacementIndex {
  readonly files: ReadonlyMap<string, { readonly file: DiffFile; readonly index: LineIndex }>;
}

/** Indexes each file once. The new path wins over an old one of the same name. */
export function indexChange(files: readonly DiffFile[]): PlacementIndex {
  const byPath = new Map<string, { file: DiffFile; index: LineIndex }>();
  const rows = files.map(file => ({ file, index: indexFile(file) }));
  for (const row of rows) if (row.file.oldPath !== null) byPath.set(row.file.oldPath, row);
  for (const row of rows) byPath.set(pathOf(row.file), row);
  return { files: byPath };
}

/** The place of one finding. `moved` says that the reported line was not in the diff and the quoted code named another. */
export function placeFinding(finding: Finding, change: PlacementIndex): Placement {
  const row = change.files.get(finding.path);
  if (row === undefined) return { kind: 'summary', reason: `${finding.path} is not part of the change` };
  if (finding.line === 0) return { kind: 'file', reason: 'the finding is about the whole file' };
  const { line, endLine, side } = finding;
  const anchor = anchorRange(row.index, { line, endLine, side });
  if (anchor.kind === 'anchor') return { kind: 'line', side: anchor.side, line: anchor.line, endLine: anchor.endLine, hunk: anchor.hunk, moved: false };
  const found = finding.quote === null ? undefined : findQuote(row.file, finding.quote, { side, line });
  if (found === undefined) return { kind: 'file', reason: anchor.reason };
  return { kind: 'line', side: found.side, line: found.line, endLine: found.endLine, hunk: found.hunk, moved: true };
}
