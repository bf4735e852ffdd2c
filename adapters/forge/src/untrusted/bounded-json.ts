/**
 * Prints a value of unknown size as JSON within a limit. Long texts are shortened first, then long lists; each cut says so in its
 * place and is counted (REV-14). What comes out is always whole JSON.
 */

/** What was cut, by kind. */
export interface CutCounts {
  readonly texts: number;
  /** Lists and objects. */
  readonly lists: number;
  /** Places that are nested too deeply. */
  readonly nested: number;
}

export interface PrintOptions {
  /** Of the printed text, as `finish` leaves it. */
  readonly limit: number;
  /** Makes a text, or the name of a member, fit to be shown. */
  readonly clean: (text: string) => string;
  /** Puts around the JSON what belongs to it. */
  readonly finish: (json: string, cut: CutCounts) => string;
}

export interface Printed {
  readonly text: string;
  readonly cut: CutCounts;
}

interface Caps {
  /** Characters of one text. */
  readonly text: number;
  /** Entries of one list, members of one object. */
  readonly entries: number;
}

/** One attempt: what it may still print, and what it has cut. */
interface Attempt extends Caps {
  readonly clean: (text: string) => string;
  /** Names of members, listed once for all attempts: an object may have a million. */
  readonly names: WeakMap<object, readonly string[]>;
  left: number;
  texts: number;
  lists: number;
  nested: number;
}

/** Texts are not shortened below this before lists are. */
const SHORT_TEXT = 256;
/** No answer of a forge is nested deeper; beyond, recursion would not be bounded. */
const MAX_DEPTH = 64;
/** What a value takes beside its own characters: quotes, comma, line end. */
const AROUND = 4;

/** A text that is the whole value stands as it is, without quotes. The work is bounded by the limit, not by the value. */
export const boundedJson = (value: unknown, { limit, clean, finish }: PrintOptions): Printed => {
  const names = new WeakMap<object, readonly string[]>();
  for (const caps of capsWithin(limit)) {
    const attempt: Attempt = { ...caps, clean, names, left: limit, texts: 0, lists: 0, nested: 0 };
    const kept = shorten(value, 0, attempt);
    if (attempt.left < 0) continue;
    const { texts, lists, nested } = attempt;
    const text = finish(typeof kept === 'string' ? kept : JSON.stringify(kept, undefined, 1), { texts, lists, nested });
    if (text.length <= limit) return { text, cut: { texts, lists, nested } };
  }
  const cut = { texts: 0, lists: 1, nested: 0 };
  return { text: finish(JSON.stringify('[weir: cut here, nothing of this answer fits]'), cut), cut };
};

function* capsWithin(limit: number): Generator<Caps> {
  for (let text = limit; text > SHORT_TEXT; text = Math.floor(text / 2)) yield { text, entries: Infinity };
  for (let entries = limit; entries >= 1; entries = Math.floor(entries / 2)) yield { text: SHORT_TEXT, entries };
}

function shorten(value: unknown, depth: number, attempt: Attempt): unknown {
  if (typeof value === 'string') return shortText(value, attempt);
  if (typeof value !== 'object' || value === null) {
    attempt.left -= String(value).length;
    return value;
  }
  if (depth >= MAX_DEPTH) {
    attempt.nested += 1;
    return shortText('[weir: cut here, nested too deeply]', attempt);
  }
  return Array.isArray(value) ? shortList(value, depth, attempt) : shortObject(value as Readonly<Record<string, unknown>>, depth, attempt);
}

function shortText(text: string, attempt: Attempt): string {
  const shown = attempt.clean(text.length <= attempt.text ? text : text.slice(0, wholeCharacters(text, attempt.text)));
  attempt.left -= shown.length + AROUND;
  if (text.length <= attempt.text) return shown;
  attempt.texts += 1;
  return `${shown}[weir: cut here, ${attempt.text} of ${text.length} characters are shown]`;
}

/** A pair of surrogates stays together. */
const wholeCharacters = (text: string, end: number): number => ((text.codePointAt(end - 1) ?? 0) > 0xffff ? end - 1 : end);

function shortList(list: readonly unknown[], depth: number, attempt: Attempt): readonly unknown[] {
  const kept: unknown[] = [];
  for (const entry of list) {
    if (kept.length >= attempt.entries || attempt.left < 0) break;
    kept.push(shorten(entry, depth + 1, attempt));
    attempt.left -= AROUND;
  }
  if (kept.length < list.length) {
    attempt.lists += 1;
    kept.push(`[weir: cut here, ${kept.length} of ${list.length} entries are shown]`);
  }
  return kept;
}

function shortObject(value: Readonly<Record<string, unknown>>, depth: number, attempt: Attempt): Readonly<Record<string, unknown>> {
  const names = attempt.names.get(value) ?? Object.keys(value);
  attempt.names.set(value, names);
  const kept = new Map<string, unknown>();
  for (const name of names) {
    if (kept.size >= attempt.entries || attempt.left < 0) break;
    kept.set(freeName(kept, shortText(name, attempt)), shorten(value[name], depth + 1, attempt));
  }
  if (kept.size < names.length) {
    attempt.lists += 1;
    kept.set(freeName(kept, '[weir: cut here]'), `${kept.size} of ${names.length} members are shown`);
  }
  // Own members, whatever they are called.
  return Object.fromEntries(kept);
}

/** Two names may look alike once they are cleaned; neither takes the other's place. */
const freeName = (kept: ReadonlyMap<string, unknown>, name: string): string => (kept.has(name) ? freeName(kept, `${name}+${kept.size}`) : name);
