/**
 * Path and query of a request, from checked arguments.
 */
import type { CheckedArguments, ParameterValue } from './checked-arguments.ts';
import { encodeName, encodeSegment } from './encode-text.ts';
import { type OperationPlan, planOf } from './operation-plan.ts';
import type { OperationParameter, OperationRow } from './operation-row.ts';

/** The path from its first slash and the query with its question mark, in the row's order. */
export const buildUrl = (row: OperationRow, { path, query }: CheckedArguments): string => {
  const written = buildPath(planOf(row), path);
  const pairs = query.flatMap(queryPairs);
  return pairs.length === 0 ? written : `${written}?${pairs.join('&')}`;
};

function buildPath({ pieces }: OperationPlan, values: ReadonlyMap<string, unknown>): string {
  let path = '';
  for (const piece of pieces) {
    if (typeof piece === 'string') path += piece;
    else path = appendValue(path, piece.parameter, values.get(piece.parameter.name));
  }
  return path === '' ? '/' : path;
}

/** `encodeSegment` writes a slash as `%2F`: the check lets one pass only where the row says that it is encoded. */
function appendValue(path: string, { style }: OperationParameter, value: unknown): string {
  if (style === 'segments') return appendSegments(path, String(value));
  return path + (Array.isArray(value) ? value.map(entry => encodeSegment(String(entry))).join(',') : encodeSegment(String(value)));
}

/**
 * Several segments. Some templates have no slash before such a value (`…/diff{path}`), so there is one slash between, whether
 * or not the template or the value has it; an empty value ends the path before that slash.
 */
function appendSegments(path: string, value: string): string {
  const before = path.endsWith('/') ? path.slice(0, -1) : path;
  if (value === '') return before;
  const segments = (value.startsWith('/') ? value.slice(1) : value).split('/');
  return `${before}/${segments.map(encodeSegment).join('/')}`;
}

function queryPairs({ parameter: { name, style }, value }: ParameterValue): string[] {
  const start = `${encodeName(name)}=`;
  if (style === 'json') return [start + encodeURIComponent(JSON.stringify(value))];
  if (!Array.isArray(value)) return [start + encodeURIComponent(String(value))];
  const entries = value.map(entry => encodeURIComponent(String(entry)));
  if (style === 'form') return entries.map(entry => start + entry);
  return entries.length === 0 ? [] : [start + entries.join(',')];
}
