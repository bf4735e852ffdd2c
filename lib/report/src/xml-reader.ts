/**
 * Reads the tags of a small XML document in one pass: elements and attributes, the five entities and numeric references.
 * Document types are refused, so no entity can grow or reach out. Text between tags is skipped.
 */
import { AppError } from '@weir/kernel';

/** Bounds of an imported document (REV-20b). Checkstyle nests two deep with five attributes. */
export const XML_LIMITS = { depth: 50, attributes: 50 } as const;

/** Characters of a name that a message repeats. */
const MAX_NAMED_CHARS = 50;

export interface XmlTag {
  readonly kind: 'open' | 'close';
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"],
]);
const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map();
const NAME = /[A-Za-z_:\u0080-\uffff][\w:.\u0080-\uffff-]*/y;
const BLANK = /\s*/y;

const invalid = (problem: string): AppError => new AppError('IMPORT_INVALID', `The XML is not well-formed: ${problem}.`);

function reference(name: string): string {
  const known = ENTITIES.get(name);
  if (known !== undefined) return known;
  const digits = /^#(?:x([0-9a-f]+)|([0-9]+))$/i.exec(name);
  const code = digits === null ? Number.NaN : Number.parseInt(digits[1] ?? digits[2] ?? '', digits[1] === undefined ? 10 : 16);
  if (!(code > 0 && code <= 0x10ffff)) throw invalid('it uses an entity that it may not use');
  return String.fromCodePoint(code);
}

const unescapeValue = (value: string): string =>
  // Ten characters hold every entity and every number of a character.
  value.replace(/&([^;&]{0,10});|&/g, (_, name: string | undefined) => {
    if (name === undefined) throw invalid('an ampersand begins no entity');
    return reference(name);
  });

/** Sticky match at a position; the empty text when there is none. */
function matchAt(pattern: RegExp, text: string, position: number): string {
  pattern.lastIndex = position;
  return pattern.exec(text)?.[0] ?? '';
}

function endOf(text: string, terminator: string, from: number): number {
  const found = text.indexOf(terminator, from);
  if (found === -1) throw invalid(`a part that has to end with ${terminator} does not end`);
  return found + terminator.length;
}

interface Attributes {
  readonly attributes: ReadonlyMap<string, string>;
  /** Position of `>` or `/>`. */
  readonly end: number;
}

function readAttributes(text: string, start: number): Attributes {
  const attributes = new Map<string, string>();
  for (let position = start; ; ) {
    const blank = matchAt(BLANK, text, position);
    position += blank.length;
    const name = matchAt(NAME, text, position);
    if (name === '') return { attributes, end: position };
    if (blank === '' || attributes.has(name) || attributes.size === XML_LIMITS.attributes)
      throw invalid(`the attribute ${name.slice(0, MAX_NAMED_CHARS)} may not stand there`);
    position += name.length;
    position += matchAt(BLANK, text, position).length;
    if (text[position] !== '=') throw invalid('an attribute has no value');
    position += 1 + matchAt(BLANK, text, position + 1).length;
    const quote = text[position];
    if (quote !== '"' && quote !== "'") throw invalid('an attribute value has no quotes');
    const end = endOf(text, quote, position + 1);
    attributes.set(name, unescapeValue(text.slice(position + 1, end - 1)));
    position = end;
  }
}

/** Sections that hold no tags, with their ends. */
const SKIPPED: readonly (readonly [start: string, end: string])[] = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
];

/** End of a comment, a text section or an instruction that begins here; undefined when a tag does. */
function skippedTo(text: string, at: number): number | undefined {
  const section = SKIPPED.find(([start]) => text.startsWith(start, at));
  if (section !== undefined) return endOf(text, section[1], at + section[0].length);
  if (text[at + 1] === '!') throw invalid('it has a document type, which Weir refuses');
  return undefined;
}

interface ReadTag extends XmlTag {
  /** True for `<a/>`. */
  readonly empty: boolean;
  readonly end: number;
}

function readTag(text: string, at: number): ReadTag {
  const closing = text[at + 1] === '/';
  const nameAt = at + (closing ? 2 : 1);
  const name = matchAt(NAME, text, nameAt);
  if (name === '') throw invalid('a tag has no name');
  const { attributes, end } = readAttributes(text, nameAt + name.length);
  const empty = !closing && text[end] === '/';
  const bracket = empty ? end + 1 : end;
  if (text[bracket] !== '>') throw invalid(`the tag ${name.slice(0, MAX_NAMED_CHARS)} does not end`);
  return { kind: closing ? 'close' : 'open', name, attributes, empty, end: bracket + 1 };
}

/** Keeps the list of open elements and refuses a tag that does not fit it. */
function nest(open: string[], { kind, name, empty }: ReadTag): void {
  if (kind === 'close' && open.pop() !== name) throw invalid(`the tag ${name.slice(0, MAX_NAMED_CHARS)} closes nothing`);
  if (kind === 'open' && !empty && open.push(name) > XML_LIMITS.depth) throw invalid(`it is nested deeper than ${XML_LIMITS.depth} levels`);
}

/**
 * Every tag in order; `<a/>` gives an open and a close.
 * @throws AppError IMPORT_INVALID for a document type, tags that do not match, and anything beyond XML_LIMITS.
 */
export function* xmlTags(text: string): Generator<XmlTag> {
  const open: string[] = [];
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at)) {
    const skipped = skippedTo(text, at);
    if (skipped !== undefined) {
      at = skipped;
      continue;
    }
    const tag = readTag(text, at);
    at = tag.end;
    nest(open, tag);
    yield tag;
    if (tag.empty) yield { kind: 'close', name: tag.name, attributes: NO_ATTRIBUTES };
  }
  if (open.length > 0) throw invalid(`the tag ${open.at(-1)?.slice(0, MAX_NAMED_CHARS)} is never closed`);
}
