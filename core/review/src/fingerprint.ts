/**
 * A fingerprint names a remark by its rule, its file and the code that it is about, never by a line number: it stays the
 * same when the code moves, and differs between two equal lines by their order (80-surfaces, SARIF).
 */
import type { Finding, Placement } from '@weir/contract';
import { type DiffFile, indexFile, lineAt, type LineIndex, pathOf } from '@weir/diff';
import type { MergedFinding } from './merge-findings.policy.ts';

/** Hashes text to lower-case hex, at least 32 digits. Injected: core/ has no crypto. */
export type Hash = (text: string) => string;

const VERSION = 'weir/v1';

const squeeze = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** Text of the placed lines, read from the diff. */
function codeAt(index: LineIndex | undefined, placement: Placement): string {
  if (index === undefined || placement.kind !== 'line') return '';
  const texts: string[] = [];
  for (let number = placement.line; number <= placement.endLine; number++) texts.push(lineAt(index, placement.side, number)?.text ?? '');
  return texts.join('\n');
}

const subject = (finding: Finding, index: LineIndex | undefined, placement: Placement): string =>
  squeeze(finding.quote ?? codeAt(index, placement)) || finding.title;

/** Fingerprints for findings in report order; the parts are length-prefixed, so that no two lists of parts meet. */
export function fingerprints(findings: readonly MergedFinding[], files: readonly DiffFile[], hash: Hash): readonly string[] {
  const byPath = new Map(files.map(file => [pathOf(file), indexFile(file)]));
  const seen = new Map<string, number>();
  return findings.map(({ finding, placement }) => {
    const parts = [VERSION, finding.rule, finding.path, subject(finding, byPath.get(finding.path), placement)];
    const key = parts.map(part => `${part.length}:${part}`).join('');
    const occurrence = seen.get(key) ?? 0;
    seen.set(key, occurrence + 1);
    return hash(`${key}${occurrence}`);
  });
}
