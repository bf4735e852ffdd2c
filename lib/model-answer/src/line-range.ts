/**
 * Reads line numbers as models write them: 20, "20", "L20", "L20-L25", "lines 20 to 25", "20:5" (line and column),
 * [20, 25] and {start, end}.
 */
import { partOf } from './finding-keys.ts';
import type { Entry, JsonNode } from './json-node.ts';

export interface LineRange {
  /** 1-based; 0 when the finding is about the whole file. */
  readonly line: number;
  readonly endLine: number;
  /** True when something was written that is no line number. */
  readonly unread: boolean;
}

/** Parts of a list of lines that are read. */
const MAX_PARTS = 100;
/** Lines of the longest file that is believed. */
const MAX_LINE = 100_000_000;
const WRITTEN = /^\s*(?:lines?\s{0,4})?[#:]?\s?L?(\d{1,9})(?:\s{0,4}(?:-|–|—|to|\.\.+|,)\s{0,4}L?(\d{1,9}))?(?=$|[\s:).,])/i;

type Ends = readonly [first: number, last: number];

const asLine = (value: number): number | undefined => (Number.isFinite(value) && value >= 0 && value <= MAX_LINE ? Math.floor(value) : undefined);

/** From the first to the last of `10, 20, 35`: nothing of a list is lost. */
function endsOfList(parts: readonly string[]): Ends | undefined {
  const ends = parts.map(endsOfText).filter(pair => pair !== undefined);
  return ends.length < parts.length ? undefined : [Math.min(...ends.map(pair => pair[0])), Math.max(...ends.map(pair => pair[1]))];
}

function endsOfText(text: string): Ends | undefined {
  const parts = text.split(',', MAX_PARTS);
  if (parts.length > 2) return endsOfList(parts);
  const match = WRITTEN.exec(text);
  if (match === null) return undefined;
  const first = Number(match[1]);
  return [first, match[2] === undefined ? first : Number(match[2])];
}

function endsOf(node: JsonNode): Ends | undefined {
  switch (node.kind) {
    case 'text':
      return endsOfText(node.text);
    case 'literal': {
      const line = typeof node.value === 'number' ? asLine(node.value) : undefined;
      return line === undefined ? undefined : [line, line];
    }
    case 'array': {
      const ends = node.items.map(endsOf).filter(pair => pair !== undefined);
      return ends.length === 0 || ends.length < node.items.length
        ? undefined
        : [Math.min(...ends.slice(0, 2).map(e => e[0])), Math.max(...ends.map(e => e[1]))];
    }
    case 'object': {
      const range = lineRange(node.entries);
      return range.unread || range.line === 0 ? undefined : [range.line, range.endLine];
    }
  }
}

const isNothing = (node: JsonNode | undefined): boolean =>
  node === undefined || (node.kind === 'literal' && node.value === null) || (node.kind === 'text' && node.text.trim() === '');

/** The lines of a finding. An inverted range is turned; one without a first line takes its last. */
export function lineRange(entries: readonly Entry[]): LineRange {
  const first = partOf(entries, 'line');
  const last = partOf(entries, 'endLine');
  const from = first && endsOf(first);
  const to = last && endsOf(last);
  const unread = (from === undefined && !isNothing(first)) || (to === undefined && !isNothing(last));
  const start = from ?? to ?? [0, 0];
  const ends = [start[0], to?.[1] || start[1]].map(line => Math.min(line, MAX_LINE));
  return start[0] === 0 ? { line: 0, endLine: 0, unread } : { line: Math.min(...ends), endLine: Math.max(...ends), unread };
}
