/** Which words of two lines differ: what stands before and behind the change is equal in both. */

export interface Part {
  readonly text: string;
  readonly changed: boolean;
}

/** A line longer than this is marked as a whole: nobody reads its words. */
const MAX_MARKED = 400;
const WORDS = /\w+|\s+|[^\w\s]/gu;

const parts = (words: readonly string[], from: number, to: number): readonly Part[] =>
  [
    { text: words.slice(0, from).join(''), changed: false },
    { text: words.slice(from, to).join(''), changed: true },
    { text: words.slice(to).join(''), changed: false },
  ].filter(part => part.text !== '');

/** Two lines that share nothing but blanks are not the same line changed: they come back unmarked. */
export function wordChanges(before: string, after: string): readonly [readonly Part[], readonly Part[]] {
  const plain = (text: string): readonly Part[] => [{ text, changed: false }];
  if (before.length > MAX_MARKED || after.length > MAX_MARKED) return [plain(before), plain(after)];
  const [old, young] = [before.match(WORDS) ?? [], after.match(WORDS) ?? []];
  const shortest = Math.min(old.length, young.length);
  let head = 0;
  while (head < shortest && old[head] === young[head]) head++;
  let tail = 0;
  while (tail < shortest - head && old.at(-1 - tail) === young.at(-1 - tail)) tail++;
  const shared = [...old.slice(0, head), ...old.slice(old.length - tail)];
  if (!shared.some(word => /\S/u.test(word))) return [plain(before), plain(after)];
  return [parts(old, head, old.length - tail), parts(young, head, young.length - tail)];
}
