/**
 * Finds the line that opens a section under what a program put before it for people: colours (`--color=always`) or a
 * history graph (`git log --graph -p`). Such a section is not read, since its content can hold the same signs; it is named.
 */

export interface DisguisedLine {
  /** The line as it would be without the disguise. */
  readonly line: string;
  readonly problem: string;
}

const ESCAPE = '\x1b';
const OPENER = 'diff --';
/** Columns of a history graph. One starts the line, so that an indented message is not taken for one. */
const GRAPH = /^[|*\\/_][|*\\/_ .-]*$/;

/** Undefined when the line opens no section, or opens it openly. */
export const undisguise = (line: string): DisguisedLine | undefined => {
  const at = line.indexOf(OPENER);
  if (at < 1) return undefined;
  const before = withoutColours(line.slice(0, at));
  const opener = withoutColours(line.slice(at));
  if (before === '') return { line: opener, problem: 'the diff has colour codes; write it with --color=never' };
  return GRAPH.test(before) ? { line: opener, problem: 'the diff stands behind a history graph; write it without --graph' } : undefined;
};

/** Without the SGR sequences of ECMA-48: ESC, `[`, digits and semicolons, `m`. */
function withoutColours(text: string): string {
  return text
    .split(ESCAPE)
    .map((piece, i) => (i === 0 ? piece : piece.replace(/^\[[0-9;]*m/, '')))
    .join('');
}
