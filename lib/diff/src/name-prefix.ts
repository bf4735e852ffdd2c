/**
 * Takes the prefixes off a pair of header names: `a/ b/`, reversed, mnemonic (`i/ w/`), custom, or none at all.
 * A prefix is never assumed from one name alone: a repository can hold a directory `a`.
 */

export interface NamePair {
  readonly old: string;
  readonly new: string;
}

/** git's letters: a b by default, i(ndex) w(ork tree) c(ommit) o(bject) with mnemonic prefixes, 1 2 without an index. */
const LETTERS = 'abiwco12';
/** Bitbucket Server's prefixes. */
const SCHEMES = [
  ['src://', 'dst://'],
  ['dst://', 'src://'],
] as const;

/** True when both header names mean one path, with or without prefixes. */
export const namesOnePath = ({ old: x, new: y }: NamePair): boolean => x === y || restsAreEqual(x, y);

/**
 * Both paths without prefixes. Equal names have none. Otherwise the first components are prefixes when the rests are equal;
 * else a pair of git's letters is; else, where `onePath` says that both are one path, all before their common end is.
 */
export const stripPrefixes = ({ old: x, new: y }: NamePair, onePath: boolean): NamePair => {
  if (x === y) return { old: x, new: y };
  for (const [left, right] of SCHEMES) {
    if (x.startsWith(left) && y.startsWith(right)) return { old: x.slice(left.length), new: y.slice(right.length) };
  }
  if (restsAreEqual(x, y) || haveLetters(x, y)) return { old: restOf(x), new: restOf(y) };
  const end = onePath ? commonEnd(x, y) : '';
  return end === '' ? { old: x, new: y } : { old: end, new: end };
};

/** A lone name beside `/dev/null`, as tools other than git print it: `a/` or `b/` is taken for a prefix. */
export const stripLoneName = (name: string): string => (/^[ab]\/[^/]/.test(name) ? name.slice(2) : name);

const restOf = (name: string): string => name.slice(name.indexOf('/') + 1);

/** Lengths are compared first: a long header has many candidate pairs, and only one of them can match. */
function restsAreEqual(x: string, y: string): boolean {
  const left = x.indexOf('/');
  const right = y.indexOf('/');
  if (left < 1 || right < 1 || x.length - left !== y.length - right) return false;
  return x.length > left + 1 && x.slice(left) === y.slice(right);
}

function haveLetters(x: string, y: string): boolean {
  return x[0] !== y[0] && [x, y].every(name => name.length > 2 && name[1] === '/' && LETTERS.includes(name[0] ?? ' '));
}

/** Longest common end that is a whole path in both names: it starts after a slash, or is all of a name that has no prefix. */
export function commonEnd(x: string, y: string): string {
  let same = 0;
  let end = 0;
  while (same < x.length && same < y.length && x[x.length - 1 - same] === y[y.length - 1 - same]) {
    if (x[x.length - 1 - same] === '/') end = same;
    same += 1;
  }
  const startsPath = (name: string): boolean => same === name.length || name[name.length - 1 - same] === '/';
  if (startsPath(x) && startsPath(y)) end = same;
  return end === 0 ? '' : x.slice(x.length - end);
}
