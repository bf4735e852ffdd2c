/**
 * Paths and addresses of foreign reports as paths inside the repository. None leads out of it.
 */
import { pathOfUri } from './file-uri.ts';
import type { DropReason } from './import-tally.ts';

export type Located = { readonly path: string } | { readonly drop: DropReason };

const OUTSIDE: Located = { drop: 'its file is outside of the repository' };
const WINDOWS_DRIVE = /^[a-z]:[\\/]/i;
const SCHEME = /^([a-z][a-z0-9+.-]+):/i;

const slashed = (path: string): string => (WINDOWS_DRIVE.test(path) || !path.includes('/') ? path.replaceAll('\\', '/') : path);

/** Without empty and `.` segments; undefined when `..` climbs above the start. */
function normalized(path: string): string | undefined {
  const segments: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') segments.push(segment);
    else if (segments.pop() === undefined) return undefined;
  }
  return segments.join('/');
}

const isAbsolute = (path: string): boolean => path.startsWith('/') || WINDOWS_DRIVE.test(path);

/**
 * A path as a tool prints it: relative to the root of the repository, or absolute.
 * @param root absolute path of the repository; null when it has none (a bare diff), then absolute paths are outside.
 */
export function locatePath(text: string, root: string | null): Located {
  const path = slashed(text);
  if (path.includes('\0')) return OUTSIDE;
  const whole = normalized(path);
  if (whole === undefined) return OUTSIDE;
  if (!isAbsolute(path)) return whole === '' ? { drop: 'it names no file' } : { path: whole };
  const base = root === null ? undefined : normalized(slashed(root));
  if (base === undefined) return OUTSIDE;
  const prefix = base === '' ? '' : `${base}/`;
  // Windows compares drive letters without their case.
  const same = WINDOWS_DRIVE.test(path) ? whole.slice(0, prefix.length).toLowerCase() === prefix.toLowerCase() : whole.startsWith(prefix);
  return same && whole.length > prefix.length ? { path: whole.slice(prefix.length) } : OUTSIDE;
}

/** `file:///C:/a` has a slash before its drive letter; `file://localhost/a` names this machine. */
const filePath = (uri: string): string => pathOfUri(uri.slice('file:'.length).replace(/^\/\/(?:localhost)?(?=\/)/i, '')).replace(/^\/(?=[a-z]:[\\/])/i, '');

/** A URI reference: relative, `file:`, or a bare path that a tool wrote in its place. */
export function locateUri(uri: string, root: string | null): Located {
  if (/^file:/i.test(uri)) return locatePath(filePath(uri), root);
  if (!WINDOWS_DRIVE.test(uri) && SCHEME.test(uri)) return { drop: 'its address is not a file' };
  return locatePath(pathOfUri(uri.replace(/[?#].*$/s, '')), root);
}
