/**
 * Splits a `diff --git X Y` line into its two names. Bare names may hold spaces, so the line alone can be ambiguous:
 * the split where both halves mean one path wins (only renames differ, and these have lines of their own).
 */
import { commonEnd, namesOnePath, type NamePair } from './name-prefix.ts';
import { readQuotedName } from './quoted-name.ts';

/** Spaces on each side of the middle where two names with prefixes of several parts may meet; more only costs time. */
const SPLITS_MAX = 32;

/** A name that is known from a `---` or `+++` line, to split at. */
export interface KnownNames {
  readonly old: string | null;
  readonly new: string | null;
}

/** Names with their prefixes; undefined when no split is sensible. `text` is the line after `diff --git `. */
export const splitHeaderNames = (text: string, known: KnownNames): NamePair | undefined => {
  if (text.startsWith('"')) return splitAfterQuoted(text);
  if (text.endsWith('"')) return splitBeforeQuoted(text);
  return splitAtKnown(text, known) ?? splitAtOnePath(text) ?? splitAtCommonEnd(text) ?? splitAtLetters(text) ?? splitAtOnlySpace(text);
};

const pairAt = (text: string, space: number): NamePair => ({ old: text.slice(0, space), new: text.slice(space + 1) });

function splitAfterQuoted(text: string): NamePair | undefined {
  const first = readQuotedName(text, 0);
  if (first === undefined || text[first.end] !== ' ') return undefined;
  const second = readQuotedName(text, first.end + 1);
  if (second === undefined) return { old: first.name, new: text.slice(first.end + 1) };
  return second.end === text.length ? { old: first.name, new: second.name } : undefined;
}

function splitBeforeQuoted(text: string): NamePair | undefined {
  for (let space = text.indexOf(' "'); space > 0; space = text.indexOf(' "', space + 1)) {
    const second = readQuotedName(text, space + 1);
    if (second?.end === text.length) return { old: text.slice(0, space), new: second.name };
  }
  return undefined;
}

function splitAtKnown(text: string, known: KnownNames): NamePair | undefined {
  if (known.old !== null && text.startsWith(`${known.old} `)) return pairAt(text, known.old.length);
  if (known.new !== null && text.endsWith(` ${known.new}`)) return pairAt(text, text.length - known.new.length - 1);
  return undefined;
}

/** The middle first: prefixes of one length, or none, put the space there. */
function splitAtOnePath(text: string): NamePair | undefined {
  const middle = (text.length - 1) / 2;
  if (text[middle] === ' ' && namesOnePath(pairAt(text, middle))) return pairAt(text, middle);
  const slash = text.indexOf('/');
  for (let space = text.indexOf(' '); space > 0; space = text.indexOf(' ', space + 1)) {
    const second = text.indexOf('/', space + 1);
    if (second < 0) return undefined;
    if (space - slash === text.length - second && namesOnePath(pairAt(text, space))) return pairAt(text, space);
  }
  return undefined;
}

/** Prefixes of several parts (`old/v1/`, `new/`): the split whose names share the longest end. */
function splitAtCommonEnd(text: string): NamePair | undefined {
  let best: NamePair | undefined;
  let longest = 0;
  for (const space of spacesAroundMiddle(text)) {
    const pair = pairAt(text, space);
    const shared = commonEnd(pair.old, pair.new).length;
    if (shared > longest) [best, longest] = [pair, shared];
  }
  return best;
}

function spacesAroundMiddle(text: string): number[] {
  const middle = text.length >> 1;
  const spaces: number[] = [];
  for (let at = text.indexOf(' ', middle); at > 0 && spaces.length < SPLITS_MAX; at = text.indexOf(' ', at + 1)) spaces.push(at);
  for (let at = text.lastIndexOf(' ', middle - 1); at > 0 && spaces.length < 2 * SPLITS_MAX; at = text.lastIndexOf(' ', at - 1)) spaces.push(at);
  return spaces;
}

/** Names that differ without rename lines, as `git diff --no-index` prints them. */
function splitAtLetters(text: string): NamePair | undefined {
  const found = /^[abiwco12]\/.*? [abiwco12]\//s.exec(text);
  return found === null ? undefined : pairAt(text, found[0].length - 3);
}

function splitAtOnlySpace(text: string): NamePair | undefined {
  const space = text.indexOf(' ');
  return space > 0 && space === text.lastIndexOf(' ') && space < text.length - 1 ? pairAt(text, space) : undefined;
}
