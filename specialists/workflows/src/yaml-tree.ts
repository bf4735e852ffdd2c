/**
 * Reads a CI file as YAML into a small tree that knows its lines.
 * Aliases and merge keys are resolved within fixed limits, so that a file cannot blow up in memory.
 */
import { isAlias, isMap, isPair, isScalar, isSeq, LineCounter, type Document, parseAllDocuments } from 'yaml';
import { lineFinder } from './scalar-lines.ts';

export interface ScalarTree {
  readonly kind: 'scalar';
  readonly text: string;
  readonly line: number;
  /** 1-based source line of an offset in `text`. */
  readonly lineAt: (offset: number) => number;
  /** True for `|` and `>` scalars, whose text starts on the line after `line`. */
  readonly block: boolean;
}
export interface Entry {
  readonly key: string;
  readonly line: number;
  readonly value: Tree;
}
export interface MapTree {
  readonly kind: 'map';
  readonly line: number;
  readonly entries: readonly Entry[];
}
export interface ListTree {
  readonly kind: 'list';
  readonly line: number;
  readonly items: readonly Tree[];
}
export type Tree = ScalarTree | MapTree | ListTree;

/** The documents of a file, or why it could not be read. */
export type YamlReading = { readonly documents: readonly Tree[] } | { readonly problem: string };

/** More nodes than any real CI file has; reached only by aliases that multiply (REV-14: said, not hidden). */
const MAX_NODES = 60_000;
const MAX_DEPTH = 40;
const MAX_DOCUMENTS = 16;
const TOO_LARGE = 'its aliases expand to more than a workflow can hold';

interface Building {
  readonly text: string;
  readonly counter: LineCounter;
  readonly document: Document;
  /** 1-based number of the text's first line in its file. */
  readonly first: number;
  nodes: number;
}

const EMPTY = (line: number): ScalarTree => ({ kind: 'scalar', text: '', line, lineAt: () => line, block: false });

const lineOf = (building: Building, node: unknown, otherwise: number): number => {
  const range = (node as { range?: readonly number[] | null } | null | undefined)?.range;
  const start = range?.[0];
  return start === undefined ? otherwise : building.counter.linePos(start).line + building.first - 1;
};

const scalarTree = (building: Building, node: { value: unknown; type?: unknown; range?: readonly number[] | null }, line: number): ScalarTree => {
  const text = node.value === null || node.value === undefined ? '' : String(node.value);
  const [start = 0, end = 0] = node.range ?? [];
  const style = node.type === 'BLOCK_LITERAL' ? 'literal' : node.type === 'QUOTE_DOUBLE' ? 'double' : 'other';
  const block = node.type === 'BLOCK_LITERAL' || node.type === 'BLOCK_FOLDED';
  return { kind: 'scalar', text, line, lineAt: lineFinder({ value: text, source: building.text.slice(start, end), line, style }), block };
};

const mergedEntries = (value: Tree): readonly Entry[] => {
  if (value.kind === 'map') return value.entries;
  return value.kind === 'list' ? value.items.flatMap(item => (item.kind === 'map' ? item.entries : [])) : [];
};

const mapTree = (building: Building, items: readonly unknown[], line: number, depth: number): MapTree => {
  const entries: Entry[] = [];
  const merged: Entry[] = [];
  for (const item of items) {
    if (!isPair(item)) continue;
    const keyLine = lineOf(building, item.key, line);
    const key = isScalar(item.key) ? String(item.key.value ?? '') : '';
    const value = build(building, item.value, keyLine, depth + 1);
    if (key === '<<') merged.push(...mergedEntries(value));
    else entries.push({ key, line: keyLine, value });
  }
  const own = new Set(entries.map(entry => entry.key));
  return { kind: 'map', line, entries: [...entries, ...merged.filter(entry => !own.has(entry.key))] };
};

const build = (building: Building, node: unknown, otherwise: number, depth: number): Tree => {
  building.nodes++;
  if (building.nodes > MAX_NODES || depth > MAX_DEPTH) throw new RangeError(TOO_LARGE);
  const line = lineOf(building, node, otherwise);
  if (isAlias(node)) return build(building, node.resolve(building.document), line, depth + 1);
  if (isScalar(node)) return scalarTree(building, node, line);
  if (isSeq(node)) return { kind: 'list', line, items: node.tag === '!reference' ? [] : node.items.map(item => build(building, item, line, depth + 1)) };
  return isMap(node) ? mapTree(building, node.items, line, depth) : EMPTY(line);
};

/** The parser's sentence without its excerpt of the source. */
const firstLine = (message: string): string => (message.split('\n')[0] ?? message).replace(/:$/, '');

/**
 * Parses a file. All scalars come as the strings that stand in the file (the key `on` and the value `true` included).
 * `first` is the number of the text's first line in its file.
 * Never throws: a syntax error, or a limit that is reached, is a `problem`.
 */
export const readYaml = (text: string, first = 1): YamlReading => {
  const counter = new LineCounter();
  try {
    const parsed = parseAllDocuments(text, { lineCounter: counter, schema: 'failsafe', uniqueKeys: false, prettyErrors: true, logLevel: 'silent' });
    const documents = Array.isArray(parsed) ? parsed.slice(0, MAX_DOCUMENTS) : [];
    for (const document of documents) if (document.errors[0]) return { problem: firstLine(document.errors[0].message) };
    const building = { text, counter, first, nodes: 0 };
    return { documents: documents.map(document => build(Object.assign(building, { document: document as Document }), document.contents, first, 0)) };
  } catch (error) {
    return { problem: error instanceof Error ? firstLine(error.message) : String(error) };
  }
};
