/**
 * The known name that someone most likely meant. A name that is equal but for case and punctuation wins; otherwise the
 * smallest number of edits, within a limit that grows with the name.
 */

/** Names are cut here before they are compared, so that a hostile one costs nothing. */
const MAX_COMPARED_CHARACTERS = 128;
const MAX_DISTANCE = 6;

const fold = (name: string): string =>
  name
    .slice(0, MAX_COMPARED_CHARACTERS)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');

/** The nearest of the candidates; the first of equals; undefined where none is near enough to be a slip of the pen. */
export const nearestName = (name: string, candidates: Iterable<string>): string | undefined => {
  const wanted = fold(name);
  if (wanted === '') return undefined;
  let best: string | undefined;
  let limit = Math.min(MAX_DISTANCE, Math.max(1, Math.floor(wanted.length / 3)));
  for (const candidate of candidates) {
    const folded = fold(candidate);
    if (folded === wanted) return candidate;
    const distance = editDistance(wanted, folded, limit);
    if (distance > limit) continue;
    best = candidate;
    limit = distance - 1;
  }
  return best;
};

/** Edits to get from one to the other, two swapped neighbours being one; any number over `limit` as soon as it must be over it. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let before: readonly number[] = [];
  let previous: readonly number[] = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i += 1) {
    const current = [i];
    for (let j = 1; j <= b.length; j += 1) current.push(cheapest({ a, b, i, j }, before, previous, current));
    if (Math.min(...current) > limit) return limit + 1;
    before = previous;
    previous = current;
  }
  return at(previous, b.length);
}

const at = (costs: readonly number[], index: number): number => costs[index] ?? Number.POSITIVE_INFINITY;

/** Cost of the first `i` characters of `a` as the first `j` of `b`, from the costs of the two rows before and of this one. */
function cheapest(
  { a, b, i, j }: { a: string; b: string; i: number; j: number },
  before: readonly number[],
  previous: readonly number[],
  current: readonly number[],
): number {
  const replaced = at(previous, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
  const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? at(before, j - 2) + 1 : replaced;
  return Math.min(replaced, swapped, at(previous, j) + 1, at(current, j - 1) + 1);
}
