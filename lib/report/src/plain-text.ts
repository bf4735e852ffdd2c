/**
 * Untrusted text for a terminal or a build log: paths, titles and messages may hold escape sequences, bidirectional
 * controls or commands that a build server obeys. Here they become visible characters and do nothing.
 */

/** Characters of one text that are shown; a terminal line has no use for more. */
export const MAX_LINE_CHARS = 4_000;
/** Lines of one text that are shown. */
export const MAX_TEXT_LINES = 1_000;

const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
/** Joiners that scripts and emoji need; they move nothing. */
const JOINERS: ReadonlySet<string> = new Set(['\u200c', '\u200d']);
const SHORT_ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);
/** Bytes that are not UTF-8 arrive as U+DC80 to U+DCFF (the diff model). */
const RAW_BYTE = { first: 0xdc80, last: 0xdcff, base: 0xdc00 } as const;

/** `##[…]` and `##vso[…]` are commands wherever they stand in a line of a build log. */
const LOG_COMMAND = /##(?=[a-z]{0,16}\[)/gi;
/** `::…::` is a command at the start of a line. */
const LINE_COMMAND = /^(\s*):(?=:)/;

function escapeCharacter(character: string): string {
  if (JOINERS.has(character)) return character;
  const short = SHORT_ESCAPES.get(character);
  if (short !== undefined) return short;
  const code = character.codePointAt(0) ?? 0;
  if (code >= RAW_BYTE.first && code <= RAW_BYTE.last) return `\\x${(code - RAW_BYTE.base).toString(16)}`;
  return code < 0x80 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`;
}

/** At most `max` UTF-16 units; a cut text ends in an ellipsis and never in half a character. */
export function clip(text: string, max: number): string {
  if (text.length <= max) return text;
  const last = text.charCodeAt(max - 2);
  return `${text.slice(0, last >= 0xd800 && last <= 0xdbff ? max - 2 : max - 1)}…`;
}

/** One line with every unsafe character written out, blanks kept: for paths. */
export const visible = (text: string): string =>
  clip(text, MAX_LINE_CHARS).replace(UNSAFE, escapeCharacter).replace(LOG_COMMAND, '# #').replace(LINE_COMMAND, '$1: ');

/** One line of prose: runs of blanks and line breaks become one blank. */
export const oneLine = (text: string): string => visible(clip(text, MAX_LINE_CHARS).replace(/\s+/g, ' ').trim());

/** Several lines, line breaks kept, tabs as four blanks. A text with too many lines ends in a line that counts the rest. */
export function safeLines(text: string): string[] {
  const all = text.split(/\r?\n/);
  const shown = all.slice(0, MAX_TEXT_LINES).map(line => visible(line.replaceAll('\t', '    ')));
  return all.length > MAX_TEXT_LINES ? [...shown, `… and ${all.length - MAX_TEXT_LINES} more lines`] : shown;
}

/** Valid Unicode for tools that refuse lone surrogates in JSON: each becomes U+FFFD. */
export const wellFormed = (text: string): string => text.replace(/\p{Cs}/gu, '\ufffd');
