/**
 * A line of code as the patterns see it, with its neighbours, and whether somebody said why it is there.
 */
import type { TextLine, TextRun } from './changed-text.ts';
import { maskCode } from './code-mask.ts';
import type { Language } from './source-language.ts';

export interface CodeLine extends TextLine {
  /** The text with comments and the insides of strings blanked; columns are those of `text`. */
  readonly code: string;
}

export interface CodePlace {
  readonly line: CodeLine;
  readonly before: CodeLine | undefined;
  readonly after: CodeLine | undefined;
}

/** A longer line is minified or data. Also bounds what a pattern reads. */
const MAX_LINE_CHARS = 1_000;

/** A hunk that begins inside a doc comment shows its end: a line that starts with a star and closes the comment. */
function beginsInComment(run: TextRun): boolean {
  if (run[0]?.number === 1) return false;
  const decisive = run.find(line => /\/\*|^\s*\*(?:.*\*)?\/|`/.test(line.text));
  return decisive !== undefined && /^\s*\*(?:.*\*)?\//.test(decisive.text);
}

/** The run with its code view, line by line. */
export function codeLines(run: TextRun, language: Language): readonly CodeLine[] {
  const code = maskCode(run.map(line => line.text).join('\n'), language, beginsInComment(run)).split('\n');
  return run.map((line, index) => ({ ...line, code: code[index] ?? '' }));
}

/** Added lines of a sane length, each with its neighbours. */
export function addedPlaces(lines: readonly CodeLine[]): readonly CodePlace[] {
  return lines.flatMap((line, index) =>
    line.added && line.text.length <= MAX_LINE_CHARS && line.code.trim() !== '' ? [{ line, before: lines[index - 1], after: lines[index + 1] }] : [],
  );
}

/** A title follows, here or on the next line: the call declares a test. Others of that name fit a curve or take a condition. */
export function isTitled({ line, after }: CodePlace, match: RegExpExecArray): boolean {
  const rest = line.code.slice(match.index + match[0].length).trim();
  return /^["'`]/.test(rest === '' ? (after?.code.trim() ?? '') : rest);
}

const TOOL_DIRECTIVE = /eslint-|@ts-|prettier-|biome-|noinspection|rubocop|noqa|pylint|type: ignore|nolint|istanbul|c8 ignore/;

/** A directive that switches off the very rule that speaks against the leftover: somebody has looked at it. */
const ALLOWS_LEFTOVER = /(?:disable|ignore|noqa|nolint|allow).{0,60}(?:debug|dbg_macro|T100|T201|forbidigo)/i;

/** Whether a directive on the line, or alone on the line before it, allows the leftover by its rule's name. */
export const isAllowed = ({ line, before }: CodePlace): boolean =>
  ALLOWS_LEFTOVER.test(line.text) || (before !== undefined && /^\s*(?:#\[.*\])?\s*$/.test(before.code) && ALLOWS_LEFTOVER.test(before.text));

const commentOf = (line: CodeLine): string => {
  const code = line.code.trimEnd();
  return code.length < line.text.trimEnd().length
    ? line.text
        .slice(code.length)
        .replace(/[^\p{L}]+/gu, ' ')
        .trim()
    : '';
};

/** Whether a comment for people stands on the line, or alone on the line before it. */
export function hasStatedReason({ line, before }: CodePlace): boolean {
  const own = commentOf(line);
  if (own !== '' && !TOOL_DIRECTIVE.test(line.text)) return true;
  return before !== undefined && before.code.trim() === '' && commentOf(before) !== '' && !TOOL_DIRECTIVE.test(before.text);
}
