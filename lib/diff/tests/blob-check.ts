/**
 * Holds a parsed file against the two blobs that it was made from: every line, every number, every anchor, both ends of file.
 * Pure; used by tests only.
 */
import { anchorRange, type DiffFile, type DiffLine, type DiffSide, decodeLossless, indexFile, type LineIndex, lineAt, lineInBoth } from '../src/index.ts';

export interface Blob {
  readonly lines: readonly string[];
  readonly noEol: boolean;
}

export const blobOf = (bytes: Uint8Array): Blob => {
  const lines = decodeLossless(bytes).split('\n');
  const noEol = lines.at(-1) !== '';
  return { lines: noEol ? lines : lines.slice(0, -1), noEol };
};

export const emptyBlob: Blob = { lines: [], noEol: false };

/** What is wrong, as sentences; nothing when the file is exactly the difference of the blobs. */
export const differencesFrom = (file: DiffFile, blobs: Readonly<Record<DiffSide, Blob>>): string[] => [
  ...linesAgainst(file, 'old', blobs.old),
  ...linesAgainst(file, 'new', blobs.new),
  ...rebuilt(file, blobs),
  ...anchorsOf(indexFile(file)),
];

/** For a combined diff: the old side is the first parent. git prints no marker for a missing line feed there. */
export const combinedDifferencesFrom = (file: DiffFile, blobs: Readonly<Record<DiffSide, Blob>>): string[] => [
  ...linesAgainst(file, 'old', { ...blobs.old, noEol: false }),
  ...linesAgainst(file, 'new', { ...blobs.new, noEol: false }),
  ...anchorsOf(indexFile(file)),
];

function linesAgainst(file: DiffFile, side: DiffSide, blob: Blob): string[] {
  const wrong: string[] = [];
  let shownLast = false;
  for (const line of file.hunks.flatMap(hunk => hunk.lines)) {
    const number = line[side];
    if (number === null) continue;
    if (blob.lines[number - 1] !== line.text)
      wrong.push(`${side} line ${number} is ${JSON.stringify(blob.lines[number - 1])}, read ${JSON.stringify(line.text)}`);
    shownLast ||= number === blob.lines.length;
  }
  const flag = side === 'old' ? file.oldNoEol : file.newNoEol;
  if (flag !== (shownLast && blob.noEol)) wrong.push(`${side} end of file: flag ${flag}`);
  return wrong;
}

/** Applies the hunks to the old lines and expects the new ones. */
function rebuilt(file: DiffFile, { old, new: now }: Readonly<Record<DiffSide, Blob>>): string[] {
  const result: string[] = [];
  let next = 0;
  for (const hunk of file.hunks) {
    const before = hunk.oldLines === 0 ? hunk.oldStart : hunk.oldStart - 1;
    result.push(...old.lines.slice(next, before));
    next = before + hunk.oldLines;
    for (const line of hunk.lines) if (line.kind !== 'removed') result.push(line.text);
  }
  for (let i = next; i < old.lines.length; i += 1) result.push(old.lines[i] ?? '');
  const same = result.length === now.lines.length && result.every((line, i) => line === now.lines[i]);
  return same ? [] : ['the hunks do not rebuild the new side'];
}

function anchorsOf(index: LineIndex): string[] {
  return index.file.hunks.flatMap((hunk, at) =>
    hunk.lines.flatMap(line => [
      ...(line.old === null || mapsBack(index, at, line, 'old') ? [] : [`old line ${line.old} does not map back`]),
      ...(line.new === null || mapsBack(index, at, line, 'new') ? [] : [`new line ${line.new} does not map back`]),
      ...(line.new === null || anchorSide(index, line.new) === 'new' ? [] : [`line ${line.new} is not found on the new side first`]),
    ]),
  );
}

function anchorSide(index: LineIndex, number: number): DiffSide | undefined {
  const anchor = anchorRange(index, { line: number });
  return anchor.kind === 'anchor' ? anchor.side : undefined;
}

function mapsBack(index: LineIndex, hunk: number, line: DiffLine, side: DiffSide): boolean {
  const anchor = anchorRange(index, { line: line[side] ?? 0, side });
  if (anchor.kind !== 'anchor' || anchor.hunk !== hunk || lineAt(index, side, anchor.line) !== line) return false;
  const both = lineInBoth(index, anchor);
  return both?.start.old === line.old && both.start.new === line.new && both.end.old === line.old;
}
