/**
 * Where a request goes and what every request of a provider carries.
 */
import type { ArgumentProblem } from './argument-problem.ts';
import type { OperationRow } from './operation-row.ts';
import { isTransportHeader } from './transport-header.ts';

export interface RequestTarget {
  /** Origin and, where the product has one, a path: `https://forge.example/api/v3`. No query, fragment or credentials. */
  readonly baseUrl: string;
  /** The table's base path. */
  readonly basePath: string;
  /** Headers of every request, for example the version of the API. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly accept?: string;
  /** One of the row's content types; the first that can be written where absent. */
  readonly contentType?: string;
  /** Boundary of a multipart body; the caller makes a random one for each request. */
  readonly boundary?: string;
  /** Base URLs that stand for the servers that rows name; on an instance of one's own they differ from the published ones. */
  readonly servers?: Readonly<Record<string, string>>;
}

const BASE_URL = /^https?:\/\/[^/?#@\\\s]+(?:\/[^?#\\\s]*)?$/i;
const BASE_PATH = /^(?:\/[^?#\\\s]*)?$/;
const HEADER_NAME = /^[a-z0-9!#$%&'*+.^_`|~-]+$/;
const HEADER_VALUE = /^[\u0020-\u007e]*$/;

/** Base of the operation's URL without a slash at its end, or why there is none. */
export const baseOf = ({ server }: OperationRow, { baseUrl, basePath, servers }: RequestTarget): string | ArgumentProblem => {
  const base = server === undefined ? baseUrl : servers !== undefined && Object.hasOwn(servers, server) ? servers[server] : server;
  if (base === undefined || !BASE_URL.test(base) || base.includes('{')) {
    return { argument: 'baseUrl', code: 'target', reason: 'must be http(s)://host with an optional path and nothing else' };
  }
  if (!BASE_PATH.test(basePath)) return { argument: 'basePath', code: 'target', reason: 'must be empty or a path' };
  return withoutSlash(base) + (server === undefined ? withoutSlash(basePath) : '');
};

const withoutSlash = (text: string): string => (text.endsWith('/') ? text.slice(0, -1) : text);

/** The static headers with lower-case names, into `written`; the first that may not be sent is the answer. */
export const writeStaticHeaders = ({ headers }: RequestTarget, written: Record<string, string>): ArgumentProblem | undefined => {
  for (const name in headers) {
    const lower = name.toLowerCase();
    const value = headers[name];
    if (value === undefined) continue;
    if (isTransportHeader(lower)) return { argument: name, code: 'credential', reason: 'this header is set by the transport and never here' };
    if (!HEADER_NAME.test(lower) || !HEADER_VALUE.test(value)) return { argument: name, code: 'target', reason: 'is not a header name with a printable value' };
    written[lower] = value;
  }
  return undefined;
};
