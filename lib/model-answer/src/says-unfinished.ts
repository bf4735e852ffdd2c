/**
 * An answer that says of itself that it is not whole: `"truncated": true`, `"error": "context too long"`. Gateways and
 * models write that beside a list of findings, which then may not be called complete.
 */
import type { Entry, JsonNode } from './json-node.ts';

/** Keys in their plain form, and whether a true value or a false one says that a part is missing. */
const SAYS: ReadonlyMap<string, boolean> = new Map([
  ...['error', 'errors', 'truncated', 'istruncated', 'incomplete', 'isincomplete', 'partial', 'ispartial', 'hasmore', 'omitted'].map(
    key => [key, true] as const,
  ),
  ...['complete', 'iscomplete', 'completed'].map(key => [key, false] as const),
]);
const NOTHING: readonly string[] = ['', 'none', 'null', 'no', 'false', 'n/a'];

function isTrue(value: JsonNode): boolean {
  switch (value.kind) {
    case 'literal':
      return value.value !== null && value.value !== false && value.value !== 0;
    case 'text':
      return !NOTHING.includes(value.text.trim().toLowerCase());
    case 'array':
      return value.items.length > 0;
    case 'object':
      return value.entries.length > 0;
  }
}

/** A null says nothing. */
function says({ plain, value }: Entry): boolean {
  const telling = SAYS.get(plain);
  if (telling === undefined || (value.kind === 'literal' && value.value === null)) return false;
  return isTrue(value) === telling;
}

/** Looks at the frame only: what stands in a list belongs to a finding. */
export const saysUnfinished = (node: JsonNode): boolean => node.kind === 'object' && node.entries.some(entry => says(entry) || saysUnfinished(entry.value));
