/**
 * The text of a migration as far as it can be seen, in one part if whole, else one part a hunk.
 * A change mostly adds migrations as new files, so the whole text is nearly always at hand.
 */
import { type DiffFile, pathOf } from '@weir/diff';
import type { CheckContext } from '@weir/specialist-kit';

export interface TextPart {
  readonly text: string;
  /** 1-based number of its first line on the new side. */
  readonly firstLine: number;
  /** True for all of the file. */
  readonly whole: boolean;
}

/** A migration that is longer is a dump or data, and is judged by its hunks. */
const MAX_HEAD_CHARS = 4_000_000;

function hunkParts(file: DiffFile): readonly TextPart[] {
  return file.hunks.map(hunk => ({
    text: hunk.lines.flatMap(line => (line.new === null ? [] : [line.text])).join('\n'),
    firstLine: hunk.lines.find(line => line.new !== null)?.new ?? 1,
    whole: file.kind === 'added' && file.problem === null,
  }));
}

/** Whether the text holds what the hunks show; another encoding or a later edit does not. */
function agrees(file: DiffFile, lines: readonly string[]): boolean {
  return file.hunks.every(hunk => hunk.lines.every(line => line.new === null || lines[line.new - 1] === line.text));
}

export async function migrationText(file: DiffFile, readHead: CheckContext['readHead']): Promise<readonly TextPart[]> {
  if (file.kind === 'added') return hunkParts(file);
  const head = await readHead?.(pathOf(file));
  if (head === undefined || head.length > MAX_HEAD_CHARS || !agrees(file, head.split('\n'))) return hunkParts(file);
  return [{ text: head, firstLine: 1, whole: true }];
}
