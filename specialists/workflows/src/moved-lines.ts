/**
 * Added lines that the change only moves or indents: each has a removed line of the same text.
 * A reference that was there before is no new risk; a line whose meaning depends on its place is another matter.
 */
import type { DiffFile } from '@weir/diff';
import { addedLines } from '@weir/specialist-kit';

/** The text without its indent and list dash. */
const plain = (text: string): string => text.replace(/^\s*(?:-\s+)?/, '').trimEnd();

/** Numbers on the new side; a removed line answers for one added line. */
export const movedLines = (file: DiffFile): ReadonlySet<number> => {
  const removed = new Map<string, number>();
  for (const hunk of file.hunks) for (const { kind, text } of hunk.lines) if (kind === 'removed') removed.set(plain(text), (removed.get(plain(text)) ?? 0) + 1);
  const moved = new Set<number>();
  for (const line of addedLines(file)) {
    const left = removed.get(plain(line.text)) ?? 0;
    if (left === 0) continue;
    removed.set(plain(line.text), left - 1);
    moved.add(line.new);
  }
  return moved;
};
