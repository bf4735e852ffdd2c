/** Lines of a hunk with both numbers, and the words that changed where a deleted line stands for an added one. */
import type { DiffFile } from '../api/resources.ts';
import { type Part, wordChanges } from './word-changes.ts';

export type DiffHunk = DiffFile['hunks'][number];
type Line = DiffHunk['lines'][number];
type DiffLineKind = Line['kind'];

export interface DiffRow {
  readonly kind: DiffLineKind;
  readonly oldLine: number | null;
  readonly newLine: number | null;
  readonly parts: readonly Part[];
}

const plain = (text: string): readonly Part[] => [{ text, changed: false }];

/** As many deleted lines as added ones, next to each other, are the same lines changed; otherwise nothing says which is which. */
function partsOf(lines: readonly Line[]): readonly (readonly Part[])[] {
  const all: (readonly Part[])[] = lines.map(line => plain(line.text));
  for (let at = 0; at < lines.length; ) {
    const runOf = (kind: DiffLineKind, from: number): number => {
      let end = from;
      while (lines[end]?.kind === kind) end++;
      return end;
    };
    const addFrom = runOf('del', at);
    const end = runOf('add', addFrom);
    if (addFrom - at === end - addFrom)
      for (let index = at; index < addFrom; index++) {
        const other = index + (addFrom - at);
        [all[index], all[other]] = wordChanges(lines[index]?.text ?? '', lines[other]?.text ?? '') as [readonly Part[], readonly Part[]];
      }
    at = Math.max(end, at + 1);
  }
  return all;
}

export function rowsOf(hunk: DiffHunk): readonly DiffRow[] {
  const parts = partsOf(hunk.lines);
  let [oldLine, newLine] = [hunk.oldStart, hunk.newStart];
  return hunk.lines.map((line, index) => ({
    kind: line.kind,
    oldLine: line.kind === 'add' ? null : oldLine++,
    newLine: line.kind === 'del' ? null : newLine++,
    parts: parts[index] ?? plain(line.text),
  }));
}
