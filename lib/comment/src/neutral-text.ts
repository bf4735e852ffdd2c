/**
 * Makes untrusted text plain in every dialect of Markdown: it is shown as it is, links nowhere, calls nobody and starts
 * nothing. Forges look for mentions and numbers in the text after Markdown is read, so that an escape alone does not
 * stop them; a zero-width space behind the sign does.
 */
export const ZERO_WIDTH_SPACE = '\u200b';

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Signs that Markdown reads. */
const ESCAPED: ReadonlySet<string> = new Set([...'\\`*_[]|~$']);
/** Signs that call people, link issues, changes, labels, milestones, snippets, alerts, epics or other objects on some forge. */
const SIGILS: ReadonlySet<string> = new Set([...'@#!~%$^&[']);
/** Also what turns into a link (`://`, `www.`, `GH-1`) or a picture (`:name:`) by itself. */
const SPECIAL = /[\\`*_[\]|~$@#!%^&<>]|:(?=\/\/|[\w+-]{1,50}:)|www(?=\.)|GH(?=-\d)/gi;

/** A sign that calls or links, by what follows it. */
function calls(sign: string, next: string): boolean {
  return sign.length > 1 || sign === ':' || (SIGILS.has(sign) && (next === '' || next.trim() !== ''));
}

const guarded = (text: string, shown: (sign: string) => string): string =>
  text.replace(SPECIAL, (sign, at: number) => shown(sign) + (calls(sign, text.charAt(at + sign.length)) ? ZERO_WIDTH_SPACE : ''));

/** Text inside a line; the line's own start is `guardLineStart`'s. */
export const neutralText = (text: string): string => guarded(text, sign => ENTITIES[sign] ?? (ESCAPED.has(sign) ? `\\${sign}` : sign));

/** Text inside an element of HTML, where Markdown's escapes would be shown. */
export const neutralHtml = (text: string): string => guarded(text, sign => ENTITIES[sign] ?? sign);

/** Signs that mean something at the start of a line: headings, lists, rules, and the commands that one forge reads in any comment. */
const LINE_START = /^(?:[#+\-=/]|\d{1,9}(?=[.)]))/;

/** Keeps the first character of a printed line from being a mark of Markdown or a command. */
export function guardLineStart(line: string): string {
  const trimmed = line.trim();
  const [sign] = LINE_START.exec(trimmed) ?? [];
  if (sign === undefined) return trimmed;
  return /^\d/.test(sign) ? `${sign}\\${trimmed.slice(sign.length)}` : `\\${trimmed}`;
}

/** Length of the longest run of backticks. */
export const longestTicks = (text: string): number => (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0);

/** A code span; its fence is longer than any run of backticks inside. */
export function codeSpan(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line === '') return '';
  const ticks = '`'.repeat(longestTicks(line) + 1);
  const pad = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${ticks}${pad}${line}${pad}${ticks}`;
}

/** A fenced block, whose fence is longer than any run of backticks inside. */
export function fenced(info: string, text: string): string {
  const ticks = '`'.repeat(Math.max(3, longestTicks(text) + 1));
  return text === '' ? `${ticks}${info}\n${ticks}` : `${ticks}${info}\n${text}\n${ticks}`;
}

/** Longer addresses are printed as their text alone. */
const MAX_URL_CHARS = 2_000;
const PLAIN_URL = /^https?:\/\/[\x21-\x7e]+$/;

/** An address that Markdown reads as one whole; undefined when it is none. */
export function linkTarget(url: string): string | undefined {
  if (url.length > MAX_URL_CHARS || !PLAIN_URL.test(url)) return undefined;
  return url.replace(/[()<>|\\`"*_[\]@]/g, sign => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}
