/**
 * The request of a call: method, URL, headers and body. Pure and deterministic: the order is the row's. It never holds a
 * credential; the transport adds it.
 */
import type { ArgumentProblem } from './argument-problem.ts';
import { buildUrl } from './build-url.ts';
import type { CheckedArguments } from './checked-arguments.ts';
import { essenceOf } from './media-kind.ts';
import type { OperationRow } from './operation-row.ts';
import { type RequestBody, requestBody } from './request-body.ts';
import { baseOf, type RequestTarget, writeStaticHeaders } from './request-target.ts';

export interface BuiltRequest {
  readonly method: OperationRow['method'];
  readonly url: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: RequestBody;
}

export type BuildResult = { readonly ok: true; readonly request: BuiltRequest } | { readonly ok: false; readonly problem: ArgumentProblem };

/** Longer URLs are refused here; servers answer 414 well below it. */
export const MAX_URL_CHARACTERS = 16_384;

/** The request, or what of the target does not fit. `checked` comes from `checkArguments` of the same row. */
export const buildRequest = (row: OperationRow, checked: CheckedArguments, target: RequestTarget): BuildResult => {
  const base = baseOf(row, target);
  if (typeof base !== 'string') return { ok: false, problem: base };
  const headers: Record<string, string> = {};
  const problem = writeHeaders(row, checked.headers, target, headers);
  if (problem !== undefined) return { ok: false, problem };
  const url = base + buildUrl(row, checked);
  if (url.length > MAX_URL_CHARACTERS) {
    return { ok: false, problem: { argument: 'url', code: 'too-large', reason: `the URL has more than ${MAX_URL_CHARACTERS} characters` } };
  }
  const written = requestBody(row.body, checked.body, target);
  if (!written.ok) return written;
  if (written.contentType !== undefined) headers['content-type'] = written.contentType;
  return { ok: true, request: { method: row.method, url, headers, body: written.body } };
};

function writeHeaders(
  row: OperationRow,
  values: CheckedArguments['headers'],
  target: RequestTarget,
  headers: Record<string, string>,
): ArgumentProblem | undefined {
  const problem = writeStaticHeaders(target, headers);
  if (problem !== undefined) return problem;
  for (const { parameter, value } of values) {
    headers[parameter.name.toLowerCase()] = parameter.style === 'json' ? JSON.stringify(value) : Array.isArray(value) ? value.join(',') : String(value);
  }
  const accept = target.accept ?? headers['accept'] ?? preferredAnswer(row);
  headers['accept'] = accept;
  return /^[\u0020-\u007e]+$/.test(accept) ? undefined : { argument: 'accept', code: 'target', reason: 'must be printable ASCII' };
}

/** JSON where the operation answers with it, else its first type. */
const preferredAnswer = ({ produces }: OperationRow): string => produces.find(type => essenceOf(type) === 'application/json') ?? produces[0] ?? '*/*';
