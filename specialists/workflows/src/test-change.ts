/** Builds changes for the tests of this package: a file's new text, and which of its lines the change adds. */
import type { DiffFile, DiffLine } from '@weir/diff';
import type { CheckContext } from '@weir/specialist-kit';

/** A file whose lines in `touched` (1-based) are added and all others context; without `touched` the file is new. */
export const changed = (path: string, text: string, touched?: readonly number[]): DiffFile => {
  const lines: DiffLine[] = [];
  let old = 0;
  for (const [index, line] of text.split('\n').entries()) {
    const added = touched === undefined || touched.includes(index + 1);
    if (!added) old++;
    lines.push({ kind: added ? 'added' : 'context', old: added ? null : old, new: index + 1, text: line });
  }
  return {
    oldPath: touched === undefined ? null : path,
    newPath: path,
    kind: touched === undefined ? 'added' : 'modified',
    oldMode: null,
    newMode: null,
    binary: false,
    submodule: false,
    oldNoEol: false,
    newNoEol: false,
    hunks: [{ oldStart: 1, oldLines: old, newStart: 1, newLines: lines.length, lines }],
    problem: null,
  };
};

/** Keeps the lines `from`..`to` of the file's one hunk, as a diff with little context does. */
export const cut = (file: DiffFile, from: number, to: number): DiffFile => ({
  ...file,
  hunks: file.hunks.map(hunk => ({
    ...hunk,
    newStart: from,
    lines: hunk.lines.filter(({ new: number }) => number !== null && number >= from && number <= to),
  })),
});

/** A context in which the files can be read whole, or not at all (a bare diff). */
export const contextOf = (files: readonly DiffFile[], readable: boolean): CheckContext => {
  const texts = new Map(files.map(file => [file.newPath ?? '', file.hunks.flatMap(hunk => hunk.lines.map(line => line.text)).join('\n')]));
  const signal = { aborted: false };
  return readable ? { files, signal, readHead: async path => texts.get(path) } : { files, signal };
};
