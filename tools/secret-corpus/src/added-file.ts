import type { DiffFile } from '@weir/diff';

/** A file that a change adds whole, as the diff model shows it. */
export const addedFile = (path: string, lines: readonly string[]): DiffFile => ({
  oldPath: null,
  newPath: path,
  kind: 'added',
  oldMode: null,
  newMode: '100644',
  binary: false,
  submodule: false,
  oldNoEol: false,
  newNoEol: false,
  problem: null,
  hunks: [
    {
      oldStart: 0,
      oldLines: 0,
      newStart: 1,
      newLines: lines.length,
      lines: lines.map((text, index) => ({ kind: 'added' as const, old: null, new: index + 1, text })),
    },
  ],
});
