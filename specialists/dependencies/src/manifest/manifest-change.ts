/** A manifest of the change, read on both sides and compared as data. */
import type { DiffFile } from '@weir/diff';
import { pathOf } from '@weir/diff';
import { touchedLines } from '@weir/specialist-kit';
import { type ChangeReader, MAX_MANIFEST_CHARS } from '../change-reader.ts';
import { changedEntries, type EntryChange } from '../dependency-entry.ts';
import { type Ecosystem, ecosystemOf } from '../ecosystems.ts';
import type { Manifest } from './manifest.ts';

export interface ManifestChange {
  readonly file: DiffFile;
  readonly path: string;
  readonly ecosystem: Ecosystem;
  readonly base: Manifest;
  readonly head: Manifest;
  readonly changes: readonly EntryChange[];
  /** Numbers of the added lines. */
  readonly touched: ReadonlySet<number>;
}

/** Null for a file that is no manifest, has no new side, or cannot be read as data; the last is noted as partial. */
export const readManifestChange = async (file: DiffFile, reader: ChangeReader): Promise<ManifestChange | null> => {
  const ecosystem = ecosystemOf(pathOf(file));
  if (ecosystem === undefined || file.newPath === null || file.binary) return null;
  const sides = await reader.sides(file, MAX_MANIFEST_CHARS);
  if (sides === null) return null;
  const base = ecosystem.read(sides.old);
  const head = ecosystem.read(sides.new);
  const problem = head.problem ?? base.problem;
  if (problem !== null) {
    reader.notePartial(pathOf(file), `the manifest could not be compared as data: ${head.problem === null ? 'before the change ' : ''}${problem}`);
    return null;
  }
  return { file, path: file.newPath, ecosystem, base, head, changes: changedEntries(base.entries, head.entries), touched: touchedLines(file) };
};
