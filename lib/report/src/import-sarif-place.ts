/**
 * Where a SARIF result is: its first location, with the bases of its URI resolved (SARIF 2.1.0, 3.4, 3.14.14, 3.30).
 */
import { at, field, listOf, textOf, wholeOf } from './json-reader.ts';
import { type Located, locateUri } from './repository-path.ts';

/** Bases that a URI may go through; a chain that is longer, or a circle, ends there. */
const MAX_BASES = 8;
/** Names that tools give to the root of the repository. A machine's own address of it does not count. */
const ROOT_NAMES: ReadonlySet<string> = new Set(['%SRCROOT%', 'SRCROOT', '%ROOTPATH%', 'ROOTPATH', '%PROJECTROOT%', 'PROJECTROOT', '%REPOROOT%', 'REPOROOT']);
const ABSOLUTE = /^(?:\/|[a-z][a-z0-9+.-]*:)/i;

const joined = (base: string, uri: string): string => (base === '' || base.endsWith('/') ? base + uri : `${base}/${uri}`);

function resolved(location: unknown, run: unknown): string | undefined {
  let uri = textOf(field(location, 'uri'));
  let base = textOf(field(location, 'uriBaseId'));
  for (let depth = 0; uri !== undefined && !ABSOLUTE.test(uri) && base !== undefined && !ROOT_NAMES.has(base) && depth < MAX_BASES; depth++) {
    const next = at(run, 'originalUriBaseIds', base);
    uri = joined(textOf(field(next, 'uri')) ?? '', uri);
    base = textOf(field(next, 'uriBaseId'));
  }
  return uri;
}

/** The path of an artifact location, which may only point into the run's list of artifacts. */
export function artifactPath(location: unknown, run: unknown, root: string | null): Located {
  const index = wholeOf(field(location, 'index'), 0);
  const listed = index === undefined ? undefined : field(listOf(field(run, 'artifacts'))[index], 'location');
  const uri = resolved(textOf(field(location, 'uri')) === undefined ? listed : location, run);
  return uri === undefined ? { drop: 'it names no file' } : locateUri(uri, root);
}

export interface RegionLines {
  /** 1-based; 0 when the region gives no line. */
  readonly line: number;
  readonly endLine: number;
  /** True when the region begins and ends with its lines. */
  readonly wholeLines: boolean;
}

/** An end column of 1 is the end of the line before. */
export function regionLines(region: unknown): RegionLines {
  const line = wholeOf(field(region, 'startLine'), 1) ?? 0;
  const end = wholeOf(field(region, 'endLine'), line) ?? line;
  const startColumn = wholeOf(field(region, 'startColumn'), 1) ?? 1;
  const endColumn = wholeOf(field(region, 'endColumn'), 1);
  const untilLineStart = endColumn === 1 && end > line;
  return { line, endLine: untilLineStart ? end - 1 : end, wholeLines: line > 0 && startColumn === 1 && (endColumn === undefined || untilLineStart) };
}
