/** The one way from the pages to the API: same origin, the session's cookie, JSON both ways, problems as `ApiProblem`. */
import { ApiProblem, problemOf } from './api-problem.ts';

const BASE = '/api/v1';

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** Path below the API with its query; what is undefined or empty is left out. */
export function apiPath(path: string, query: Query = {}): string {
  const pairs = Object.entries(query).flatMap(([name, value]) => (value === undefined || value === '' ? [] : [[name, String(value)]]));
  return pairs.length === 0 ? `${BASE}${path}` : `${BASE}${path}?${new URLSearchParams(pairs)}`;
}

async function send(address: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(address, { credentials: 'same-origin', ...init });
  } catch (cause) {
    if (init.signal?.aborted) throw cause;
    throw new ApiProblem('The server could not be reached.', { status: 0, cause, next: 'Check that it runs; this page tries again.' });
  }
}

export async function readApi<Answer>(path: string, { query, signal }: { readonly query?: Query; readonly signal?: AbortSignal } = {}): Promise<Answer> {
  const response = await send(apiPath(path, query), { headers: { accept: 'application/json' }, ...(signal && { signal }) });
  if (!response.ok) throw await problemOf(response);
  return (await response.json()) as Answer;
}

export interface ApiWrite {
  readonly method: 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
  /** The same for every repeat of one intent: the server answers the second as the first. */
  readonly key: string;
}

export async function writeApi<Answer>({ method, path, body, key }: ApiWrite): Promise<Answer> {
  const headers: Record<string, string> = { accept: 'application/json', 'idempotency-key': key };
  if (body !== undefined) headers['content-type'] = 'application/json';
  const response = await send(apiPath(path), { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
  if (!response.ok) throw await problemOf(response);
  return (response.status === 204 ? null : await response.json()) as Answer;
}

/** A key of 128 bits; `crypto.randomUUID` is missing where the page has no secure origin. */
export const newKey = (): string => Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('');
