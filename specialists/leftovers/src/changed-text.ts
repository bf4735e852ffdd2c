/**
 * The text that a change leaves, as far as it can be seen: the whole file where a reader is at hand, else what the hunks show.
 * Neighbouring lines stand in one run, so a check may look at the line before or after.
 */
import { type DiffFile, pathOf } from '@weir/diff';
import { touchedLines, type CheckContext } from '@weir/specialist-kit';

export interface TextLine {
  /** 1-based number on the new side. */
  readonly number: number;
  readonly text: string;
  readonly added: boolean;
}

/** Lines that follow each other without a gap. */
export type TextRun = readonly TextLine[];

/** Characters of a whole file that are read for context; a longer one is judged by its hunks. */
const MAX_HEAD_CHARS = 2_000_000;

/** The lines that the hunks show on the new side, one run a hunk. */
export const shownRuns = (file: DiffFile): TextRun[] =>
  file.hunks.map(hunk => hunk.lines.flatMap(line => (line.new === null ? [] : [{ number: line.new, text: line.text, added: line.kind === 'added' }])));

/** The whole file as one run, or null where it cannot be had or does not agree with the diff (another encoding, a later edit). */
async function wholeRun(file: DiffFile, readHead: CheckContext['readHead']): Promise<TextRun | null> {
  const head = await readHead?.(pathOf(file));
  if (head === undefined || head.length > MAX_HEAD_CHARS) return null;
  const touched = touchedLines(file);
  const lines = head.split('\n').map((text, index) => ({ number: index + 1, text, added: touched.has(index + 1) }));
  const agrees = shownRuns(file).every(run => run.every(line => lines[line.number - 1]?.text === line.text));
  return agrees ? lines : null;
}

/** Runs of a changed file: one with all its lines if `readHead` knows it, else one a hunk. */
export async function changedRuns(file: DiffFile, readHead: CheckContext['readHead']): Promise<readonly TextRun[]> {
  if (file.kind === 'added') return shownRuns(file);
  const whole = await wholeRun(file, readHead);
  return whole === null ? shownRuns(file) : [whole];
}
