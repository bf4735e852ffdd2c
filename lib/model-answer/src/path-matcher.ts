/**
 * Brings a path of an answer to the spelling of the change: models add `a/`, `b/` or `./`, quote it, or shorten it.
 */
export type PathMatcher = (written: string) => string;

const stripped = (path: string): string => path.replace(/^(?:\.\/)+/, '').replace(/^[ab]\/(?=.)/, '');

const QUOTES = '`"\'<>';

/** Without blanks and quotes around; a loop, since a pattern for the end would be quadratic on long runs. */
function unquoted(path: string): string {
  const trimmed = path.trim();
  let start = 0;
  let end = trimmed.length;
  while (start < end && QUOTES.includes(trimmed[start] ?? '')) start += 1;
  while (end > start && QUOTES.includes(trimmed[end - 1] ?? '')) end -= 1;
  return trimmed.slice(start, end);
}

/** Spellings that may be meant, the written one first. */
function* spellings(written: string): Generator<string> {
  yield written;
  yield written.trim();
  yield unquoted(written);
  const slashed = unquoted(written).replaceAll('\\', '/');
  yield slashed;
  yield slashed.replace(/^(?:\.\/)+/, '');
  yield stripped(slashed);
  yield slashed.replace(/^\/+/, '');
}

/** Paths by their last name; null where several share it. */
function byLastName(paths: readonly string[]): ReadonlyMap<string, string | null> {
  const found = new Map<string, string | null>();
  for (const path of paths) {
    const name = path.slice(path.lastIndexOf('/') + 1);
    found.set(name, found.has(name) ? null : path);
  }
  return found;
}

/**
 * @param known paths of the change. The first spelling among them wins; then the only one with that ending.
 * Without a match, or without `known`, the prefixes of a diff are taken off.
 */
export function pathMatcher(known: readonly string[] | undefined): PathMatcher {
  const paths = new Set(known);
  const lastNames = byLastName(known ?? []);
  return written => {
    for (const spelling of spellings(written)) if (paths.has(spelling)) return spelling;
    const fallback = stripped(unquoted(written));
    const only = lastNames.get(fallback.slice(fallback.lastIndexOf('/') + 1));
    return typeof only === 'string' && only.endsWith(`/${fallback}`) ? only : fallback || written;
  };
}
