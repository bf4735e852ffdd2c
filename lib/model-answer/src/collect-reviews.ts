/**
 * Finds the lists of findings in a block: under their key, however deep, or as a bare list or a bare finding.
 */
import { KEYS, looksLikeFinding, partOf, textOf } from './finding-keys.ts';
import type { ArrayNode, Entry, JsonNode, ObjectNode } from './json-node.ts';
import type { Block } from './scan-blocks.ts';

export interface Review {
  /** `named`: under a key such as `findings`. `list`: a bare list. `bare`: a finding without anything around it. */
  readonly frame: 'named' | 'list' | 'bare';
  readonly items: readonly JsonNode[];
  /** Path of the object around, for answers grouped by file; null when it has none. */
  readonly path: string | null;
  /** What is wrong with the frame; a phrase that completes "in the answer …". */
  readonly problem: string | null;
  readonly start: number;
  readonly end: number;
}

interface Surroundings {
  /** True when JSON around the node was cut off by the end of the text. */
  readonly cut: boolean;
  /** True inside an object that names its findings: other lists there are not findings. */
  readonly named: boolean;
  readonly path: string | null;
}

export const CUT = 'the text ends before the last bracket is closed';
const FINDINGS: readonly string[] = KEYS.findings;
const isFindingsKey = (entry: Entry): boolean => FINDINGS.includes(entry.plain);

/** Brackets of a sentence that never close are no frame: words stand in them, and no key in quotes. */
function isProse(node: ObjectNode | ArrayNode): boolean {
  if (node.kind === 'array') return node.items.some(item => item.kind === 'text');
  return (node.prose || node.entries.length < 2) && !node.entries.some(entry => entry.quoted);
}

export function collectReviews(block: Block): readonly Review[] {
  return reviewsIn(block, { cut: false, named: false, path: null });
}

function reviewsIn(node: JsonNode, around: Surroundings): readonly Review[] {
  if (node.kind === 'object') return reviewsInObject(node, around);
  if (node.kind !== 'array') return [];
  const cut = around.cut || node.ending === 'eof';
  if (node.items.some(item => isFindingHere(item, around))) return [{ ...node, frame: 'list', path: around.path, problem: cut ? CUT : null }];
  return node.items.flatMap(item => reviewsIn(item, { ...around, cut: cut && (around.cut || !isProse(node)) }));
}

/** Beside named findings, a list counts only if its objects have a line or a severity too: `files: [{path, summary}]` does not. */
const isFindingHere = (node: JsonNode, { named }: Surroundings): boolean =>
  looksLikeFinding(node) && (!named || (node.kind === 'object' && (['line', 'severity'] as const).some(part => partOf(node.entries, part) !== undefined)));

function reviewsInObject(node: ObjectNode, around: Surroundings): readonly Review[] {
  const inFinding = looksLikeFinding(node);
  const named = new Set(node.entries.filter(entry => isFindingsKey(entry) && holdsFindings(entry.value, inFinding)));
  if (named.size === 0 && isFindingHere(node, around)) {
    const problem = around.cut || node.ending === 'eof' ? CUT : null;
    return [{ frame: 'bare', items: [node], path: around.path, problem, start: node.start, end: node.end }];
  }
  const cut = around.cut || (node.ending === 'eof' && (named.size > 0 || !isProse(node)));
  const inside = { cut, path: textOf(partOf(node.entries, 'path')) ?? around.path };
  return node.entries.flatMap(entry => {
    if (named.has(entry)) return namedReviews(entry.value, { ...inside, named: true });
    return reviewsIn(entry.value, { ...inside, named: entry.key !== '' && (around.named || named.size > 0) });
  });
}

/** In an object that is a finding itself, `comments` and the like count only with something in them. */
function holdsFindings(value: JsonNode, inFinding: boolean): boolean {
  if (value.kind === 'array') return !inFinding || value.items.length > 0;
  return !inFinding && (value.kind === 'object' || (value.kind === 'literal' && value.value === null));
}

function namedReviews(value: JsonNode, { cut, path }: Surroundings): readonly Review[] {
  const place = { frame: 'named', path, start: value.start, end: value.end, problem: cut ? CUT : null } as const;
  if (value.kind === 'array') return [{ ...place, items: value.items, problem: cut || value.ending === 'eof' ? CUT : null }];
  if (value.kind !== 'object') return [{ ...place, items: [] }];
  if (looksLikeFinding(value)) return [{ ...place, items: [value] }];
  const problem = place.problem ?? 'the findings are not a list';
  if (value.entries.length === 0) return [{ ...place, items: [], problem }];
  return value.entries.map(entry => ({ ...place, items: [entry.value], path: entry.key, problem }));
}
