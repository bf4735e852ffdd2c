/**
 * The keys under which models put the parts of a finding. The first key of a row that is present wins.
 * Keys are compared in their plain form (json-node).
 */
import type { Entry, JsonNode } from './json-node.ts';

export const KEYS = {
  findings: ['findings', 'issues', 'problems', 'comments', 'remarks', 'reviewcomments'],
  path: ['path', 'file', 'filename', 'filepath'],
  location: ['location', 'position'],
  line: ['line', 'startline', 'linestart', 'linenumber', 'lineno', 'lines', 'linerange', 'range', 'start'],
  endLine: ['endline', 'lineend', 'toline', 'end'],
  side: ['side'],
  severity: ['severity', 'level', 'priority'],
  category: ['category', 'type', 'kind'],
  title: ['title', 'summary', 'heading', 'headline'],
  message: ['message', 'description', 'body', 'details', 'detail', 'explanation', 'comment', 'text', 'problem', 'issue'],
  quote: ['quote', 'code', 'snippet', 'codesnippet', 'quotedcode', 'existingcode', 'excerpt'],
  evidence: ['evidence'],
  suggestion: ['suggestion', 'suggestedcode', 'suggestedfix', 'fix', 'replacement', 'improvedcode'],
  note: ['note', 'message', 'description', 'text', 'reason'],
} as const satisfies Record<string, readonly string[]>;

export type FindingPart = keyof typeof KEYS;

/** Value of a part of a finding; undefined when no key of its row is present. Null values give way to later keys. */
export function partOf(entries: readonly Entry[], part: FindingPart): JsonNode | undefined {
  let empty: JsonNode | undefined;
  for (const name of KEYS[part]) {
    const value = entries.find(entry => entry.plain === name)?.value;
    if (value === undefined) continue;
    if (value.kind !== 'literal' || value.value !== null) return value;
    empty ??= value;
  }
  return empty;
}

/** Text of a string or number; undefined for anything else and for blank text. */
export function textOf(node: JsonNode | undefined): string | undefined {
  if (node?.kind === 'text') return node.text.trim() === '' ? undefined : node.text;
  if (node?.kind === 'literal' && node.value !== null) return String(node.value);
  return undefined;
}

/** True for an object that has what every finding needs: a path, and something to say of it. */
export const looksLikeFinding = (node: JsonNode): boolean =>
  node.kind === 'object' &&
  partOf(node.entries, 'path') !== undefined &&
  (textOf(partOf(node.entries, 'message')) !== undefined || textOf(partOf(node.entries, 'title')) !== undefined);
