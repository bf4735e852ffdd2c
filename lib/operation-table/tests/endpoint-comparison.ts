/**
 * Builds a call with ours and with the vendor's own client library, and says how the two requests differ (PRV-25a). Differences
 * that are meant are named, each with its reason; the tests count them, so that one that ends is seen.
 */
import { buildRequest, type BuiltRequest, checkArguments, type OperationRow } from '../src/index.ts';

/** The part of `@octokit/endpoint` that is used. */
export type Endpoint = (route: string, options: Record<string, unknown>) => { method: string; url: string; headers: Record<string, unknown>; body?: unknown };

export const BASE = 'https://api.example';
const ACCEPT = 'application/json';

export const EXCEPTIONS = {
  'segments keep their slash': 'The client writes %2F; the description says that the value has several segments, and the server takes both.',
  'lists repeat their name': 'The client joins entries with an encoded comma; the description has no style, whose default is one pair for each entry.',
  'a plus sign is text': 'The client takes q as half encoded and leaves plus signs, which then mean spaces; an argument is text here.',
  'no body is no body': 'The client gives PUT and PATCH an empty text, which sends the same bytes.',
  'no dangling ampersand': 'The client leaves one for each absent parameter of a query in a write; it means nothing.',
  'marks in a query': "The client writes !'()* as they are in the query of a read and encodes them in that of a write; ours are as in a read.",
  'JSON has no charset': 'The client adds charset=utf-8, which application/json does not define (RFC 8259, section 11).',
} as const;
export type Exception = keyof typeof EXCEPTIONS;

/** Names that the client takes for itself, so that a body with such a field is handed over whole, as its own documentation says. */
const RESERVED = ['url', 'method', 'headers', 'baseUrl', 'mediaType', 'request'];

export interface Comparison {
  readonly exceptions: ReadonlySet<Exception>;
  /** What differs and is not meant. */
  readonly difference?: string;
}

/** Arguments are ours; the client gets the same ones in its own form. */
export const compareWithEndpoint = (endpoint: Endpoint, row: OperationRow, args: Record<string, unknown>): Comparison => {
  const check = checkArguments(row, args);
  if (!check.ok) return { exceptions: new Set(), difference: JSON.stringify(check.problems) };
  const built = buildRequest(row, check.checked, { baseUrl: BASE, basePath: '', accept: ACCEPT, headers: { 'x-github-api-version': '2022-11-28' } });
  if (!built.ok) return { exceptions: new Set(), difference: JSON.stringify(built.problem) };
  const theirs = endpoint(routeOf(row), optionsOf(row, args, built.request));
  return compare(row, args, built.request, theirs);
};

/** As the client's own routes have it: query parameters of a write stand in the template. */
function routeOf(row: OperationRow): string {
  const query = row.parameters.filter(parameter => parameter.in === 'query').map(parameter => parameter.name);
  const template = row.method === 'GET' || row.method === 'HEAD' || query.length === 0 ? '' : `{?${query.join(',')}}`;
  return `${row.method} ${row.path}${template}`;
}

function optionsOf(row: OperationRow, args: Record<string, unknown>, ours: BuiltRequest): Record<string, unknown> {
  const names = new Set(row.parameters.map(parameter => parameter.name));
  const parameters = Object.fromEntries(Object.entries(args).filter(([name]) => names.has(name)));
  const fields = Object.entries(args).filter(([name]) => !names.has(name));
  const typed = ours.body.kind === 'text' || ours.body.kind === 'binary' ? { 'content-type': ours.headers['content-type'] } : {};
  return {
    ...parameters,
    ...bodyOptions(row, fields),
    baseUrl: row.server ?? BASE,
    headers: { accept: ACCEPT, 'x-github-api-version': '2022-11-28', ...typed },
  };
}

function bodyOptions(row: OperationRow, fields: readonly [string, unknown][]): Record<string, unknown> {
  const hasBodyField = (row.body?.fields ?? []).some(field => field.name === 'body');
  const [[name, value] = ['', undefined]] = fields;
  if (fields.length === 1 && name === 'body' && !hasBodyField) return { data: value };
  const asData = fields.some(([field]) => RESERVED.includes(field) || field.startsWith('body.'));
  const named = Object.fromEntries(fields.map(([field, given]) => [field.replace(/^body\./, ''), given]));
  return asData ? { data: named } : named;
}

function compare(row: OperationRow, args: Record<string, unknown>, ours: BuiltRequest, theirs: ReturnType<Endpoint>): Comparison {
  const exceptions = new Set<Exception>();
  const url = meantUrl(row, args, theirs.url, ours.url, exceptions);
  if (ours.method !== theirs.method || ours.url !== url) return { exceptions, difference: `${ours.method} ${ours.url}\nis ${theirs.method} ${url}` };
  if (ours.body.kind === 'none' && theirs.body === '') exceptions.add('no body is no body');
  else if (textOf(ours.body.kind === 'none' ? undefined : ours.body.value) !== textOf(theirs.body)) {
    return { exceptions, difference: `${row.id}: body ${JSON.stringify(ours.body)}\nis ${textOf(theirs.body)}` };
  }
  return compareHeaders(row, ours, theirs, exceptions);
}

/** What is sent: JSON with its order, or the bytes. */
const textOf = (body: unknown): string | undefined => (body instanceof Uint8Array ? `bytes ${body.join()}` : JSON.stringify(body));

function compareHeaders(row: OperationRow, ours: BuiltRequest, theirs: ReturnType<Endpoint>, exceptions: Set<Exception>): Comparison {
  const headers = { ...theirs.headers };
  delete headers['user-agent'];
  if (headers['content-type'] === 'application/json; charset=utf-8' && ours.headers['content-type'] === 'application/json') {
    headers['content-type'] = 'application/json';
    exceptions.add('JSON has no charset');
  }
  const [mine, meant] = [ours.headers, headers].map(some => JSON.stringify(Object.entries(some).sort()));
  return mine === meant ? { exceptions } : { exceptions, difference: `${row.id}: headers ${mine}\nare ${meant}` };
}

/** The client's URL after the exceptions that apply, each noted where it changes something. */
function meantUrl(row: OperationRow, args: Record<string, unknown>, theirs: string, ours: string, exceptions: Set<Exception>): string {
  let url = theirs;
  const change = (name: Exception, changed: string): void => {
    if (changed !== url) exceptions.add(name);
    url = changed;
  };
  if (row.method !== 'GET') {
    change('no dangling ampersand', url.replace(/(?<=[?&])&+|[?&]+$/g, ''));
    change(
      'marks in a query',
      url.replace(/\?.*/, query => query.replace(/%(?:21|27|28|29|2A)/g, decodeURIComponent)),
    );
  }
  for (const { name, style, in: place } of row.parameters) {
    const value = args[name];
    if (place === 'path' && style === 'segments')
      change('segments keep their slash', url.replace(encodeURIComponent(String(value)), String(value).split('/').map(encodeURIComponent).join('/')));
    if (style === 'form' && Array.isArray(value)) {
      const pair = `${name}=${encodeURIComponent(value.join(','))}`;
      change('lists repeat their name', url.replace(pair, value.map(entry => `${name}=${encodeURIComponent(String(entry))}`).join('&')));
    }
  }
  if (typeof args['q'] === 'string' && args['q'].includes('+'))
    change('a plus sign is text', url.replace(/(?<=[?&])q=[^&]*/, /(?<=[?&])q=[^&]*/.exec(ours)?.[0] ?? ''));
  return url;
}

/** The arguments with texts that need encoding, wherever any text is allowed. */
export const spiced = (row: OperationRow, args: Record<string, unknown>): Record<string, unknown> => {
  const changed = { ...args };
  for (const { name, in: place, type, style, enum: allowed } of row.parameters) {
    if (changed[name] === undefined || allowed !== undefined || (type !== 'string' && type !== 'any') || Array.isArray(changed[name])) continue;
    if (style === 'plain') changed[name] = place === 'path' ? "a b%2Fé?#&=+:@!'(*)" : "a/b c%20é?#&=:@!'(*)";
  }
  return changed;
};
