/**
 * The shape of a pattern for tool names. Character classes with counts and nothing else, so that matching is bounded
 * whatever an operator writes.
 */

/** Longest source that is read. */
const MAX_PATTERN_CHARACTERS = 200;
/** Classes in a row; each may repeat, and two neighbours that overlap cost a square, never more than the name allows. */
const MAX_CLASSES = 3;
const CLASS = /\[\^?(?:\\.|[^\\\]])+\](?:[*+?]|\{\d{1,3}(?:,\d{0,3})?\})?/gy;

/** What is wrong with the pattern, as a sentence part; undefined when it can be used. */
export const namePatternProblem = (source: string): string | undefined => {
  const shape = `must be "^", up to ${MAX_CLASSES} character classes with a count, and "$"`;
  if (source.length > MAX_PATTERN_CHARACTERS || !source.startsWith('^') || !source.endsWith('$')) return shape;
  const body = source.slice(1, -1);
  let at = 0;
  for (let classes = 0; at < body.length; classes += 1) {
    CLASS.lastIndex = at;
    const atom = CLASS.exec(body);
    if (atom === null || classes === MAX_CLASSES) return shape;
    at = CLASS.lastIndex;
  }
  return compiles(source) ? undefined : 'is no valid regular expression';
};

/** A class such as [z-a] has the right shape and still does not compile; the engine alone can tell. */
function compiles(source: string): boolean {
  try {
    return new RegExp(source, 'u').source === source;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}
