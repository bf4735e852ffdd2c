/**
 * Reads the block YAML that pnpm and yarn write, line by line, with the line of each key. Anchors, multi-line scalars
 * and flow collections over several lines are left as text: these tools never write them.
 */
import type { NumberedLine } from './piece.ts';

export interface YamlProperty {
  /** Keys above, outermost first; relative to the fragment where the piece is not whole. */
  readonly path: readonly string[];
  /** '' for an item of a list. */
  readonly key: string;
  /** Text after the colon without quotes; '' where a mapping opens. */
  readonly value: string;
  readonly line: number;
}

/** Deeper nesting is passed over. */
const MAX_YAML_DEPTH = 32;
/** Longer lines are passed over. */
const MAX_YAML_LINE_CHARS = 20_000;

const unquoted = (text: string): string => {
  const quote = text[0];
  const closed = text.length > 1 && (quote === '"' || quote === "'") && text.endsWith(quote);
  return closed ? text.slice(1, -1) : text;
};

/** Splits `key: value`; the key may be quoted and hold colons. */
const split = (text: string): readonly [key: string, value: string] | null => {
  const quote = text[0];
  const from = quote === '"' || quote === "'" ? text.indexOf(quote, 1) + 1 : 0;
  const colon = text.endsWith(':') && text.indexOf(': ', from) < 0 ? text.length - 1 : text.indexOf(': ', from);
  return colon > 0 ? [unquoted(text.slice(0, colon)), unquoted(text.slice(colon + 1).trim())] : null;
};

interface Level {
  readonly indent: number;
  readonly key: string;
}

/** Levels that still hold a line; a list may stand at the indent of its key. */
const enclosing = (open: readonly Level[], indent: number, item: boolean): readonly Level[] =>
  open.filter(level => level.indent < indent || (item && level.indent === indent));

const isContent = (body: string): boolean => body !== '' && !body.startsWith('#');

export function* walkYaml(lines: readonly NumberedLine[]): Generator<YamlProperty> {
  let open: readonly Level[] = [];
  for (const { line, text } of lines) {
    const body = text.length > MAX_YAML_LINE_CHARS ? '' : text.trim();
    if (!isContent(body)) continue;
    const indent = text.length - text.trimStart().length;
    const item = body.startsWith('- ');
    open = enclosing(open, indent, item);
    const path = open.map(level => level.key);
    const pair = item ? null : split(body);
    if (item) yield { path, key: '', value: unquoted(body.slice(2).trim()), line };
    if (pair === null) continue;
    yield { path, key: pair[0], value: pair[1], line };
    if (pair[1] === '' && open.length < MAX_YAML_DEPTH) open = [...open, { indent, key: pair[0] }];
  }
}
