/**
 * Reads the items of one review: findings, findings in lists inside, and groups of findings by file.
 */
import type { AnswerTally } from './answer-tally.ts';
import { collectReviews, type Review } from './collect-reviews.ts';
import { looksLikeFinding, partOf } from './finding-keys.ts';
import { type FindingSetting, findingOfEntries } from './finding-of-node.ts';
import type { Entry, JsonNode, ObjectNode } from './json-node.ts';

/** Gives the findings to the tally, and returns their keys. */
export function* readReview(review: Review, tally: AnswerTally, setting: FindingSetting): Generator<string> {
  if (review.problem !== null) tally.say(`in the answer ${review.problem}`);
  for (const item of review.items) yield* readItem(item, review.path, { tally, setting });
}

interface ItemSetting {
  readonly tally: AnswerTally;
  readonly setting: FindingSetting;
}

function* readItem(item: JsonNode, path: string | null, to: ItemSetting): Generator<string> {
  if (item.kind === 'array') {
    for (const inner of item.items) yield* readItem(inner, path, to);
    if (item.ending === 'eof') to.tally.drop('the answer ends inside a list of findings', item);
  } else if (item.kind !== 'object') to.tally.drop('a finding is not an object', item);
  else if (item.ending === 'eof') to.tally.drop('the answer ends inside a finding', item);
  else yield* readObject(item, path, to);
}

function* readObject(item: ObjectNode, path: string | null, to: ItemSetting): Generator<string> {
  const groups = looksLikeFinding(item) ? [] : collectReviews(item);
  for (const group of groups) yield* readReview({ ...group, path: group.path ?? path }, to.tally, to.setting);
  if (groups.length > 0) return;
  for (const entries of split(item, to.tally)) {
    const key = to.tally.take(findingOfEntries(entries, path, to.setting), item);
    if (key !== undefined) yield key;
  }
}

/** A key that stands twice with two values means that a bracket between two findings is missing; so does an object without a key. */
function split(item: ObjectNode, tally: AnswerTally): readonly (readonly Entry[])[] {
  const groups: Entry[][] = [[]];
  let seen = new Map<string, JsonNode>();
  // The same value twice is a slip, unless another finding begins: then it belongs to that one.
  let repeated: Entry[] = [];
  const startGroup = (first: readonly Entry[]): void => {
    tally.say('in the answer a bracket between two findings is missing');
    groups.push([...first]);
    seen = new Map();
  };
  for (const entry of unwrapped(item).entries) {
    if (entry.key === '' && entry.value.kind === 'object') {
      startGroup(entry.value.entries);
      startGroup([]);
      continue;
    }
    const known = seen.get(entry.key);
    if (known !== undefined && sameValue(known, entry.value)) {
      repeated.push(entry);
      continue;
    }
    if (known !== undefined) {
      startGroup(repeated);
      repeated = [];
    }
    groups.at(-1)?.push(entry);
    seen.set(entry.key, entry.value);
  }
  const filled = groups.filter(group => group.length > 0);
  return filled.length === 0 ? [[]] : filled;
}

/** Lists and objects are never called the same. */
function sameValue(a: JsonNode, b: JsonNode): boolean {
  if (a.kind === 'text') return b.kind === 'text' && a.text === b.text;
  return a.kind === 'literal' && b.kind === 'literal' && a.value === b.value;
}

/** `{"finding": {…}}` is the object inside. Depth is bounded by the reader. */
function unwrapped(item: ObjectNode): ObjectNode {
  const only = item.entries[0];
  const wraps = item.entries.length === 1 && only?.value.kind === 'object' && partOf(item.entries, 'location') === undefined;
  return wraps && only.value.kind === 'object' ? unwrapped(only.value) : item;
}
