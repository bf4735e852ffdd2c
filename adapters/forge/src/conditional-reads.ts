/**
 * Reads that ask only for what has changed (PRV-14). Kept by credential, since answers differ by what it may see.
 */
import type { EtagEntry, EtagKey, EtagStore } from '@weir/ports';
import type { PlannedCall } from './plan-call.ts';
import type { RawAnswer } from './send-request.ts';

/** Headers that a reader of a kept answer needs. */
const KEPT = ['content-type', 'link', 'etag', 'x-total', 'x-total-count', 'x-next-page', 'x-next-cursor', 'deprecation', 'sunset'];
const MAX_ETAG_CHARACTERS = 512;

export interface ConditionalReads {
  /** What is kept of this read, if it is one and something is kept. */
  find(call: PlannedCall, credential: string): Promise<EtagEntry | undefined>;
  keep(call: PlannedCall, credential: string, answer: RawAnswer): Promise<void>;
}

export const createConditionalReads = (provider: string, store: EtagStore): ConditionalReads => {
  const keyOf = ({ request }: PlannedCall, credential: string): EtagKey => ({
    ...{ provider, credential, url: request.url, accept: request.headers['accept'] ?? '' },
  });
  return {
    find: (call, credential) => (call.request.method === 'GET' ? store.get(keyOf(call, credential)) : Promise.resolve(undefined)),
    keep: async (call, credential, { status, headers, bytes, truncated }) => {
      const etag = headers['etag'] ?? '';
      const fits = etag !== '' && etag.length <= MAX_ETAG_CHARACTERS && status === 200 && !truncated;
      if (call.request.method !== 'GET' || !fits || headers['cache-control']?.includes('no-store') === true) return;
      const kept = Object.fromEntries(KEPT.flatMap(name => (headers[name] === undefined ? [] : [[name, headers[name]]])));
      await store.put(keyOf(call, credential), { etag, status, headers: kept, body: bytes });
    },
  };
};

/** The kept answer, with what the new one says of limits and of itself. */
export const restoreAnswer = ({ status, headers, body }: EtagEntry, fresh: RawAnswer): RawAnswer => ({
  ...{ status, headers: { ...headers, ...withoutContent(fresh.headers) }, bytes: body, text: new TextDecoder().decode(body), truncated: false },
});

/** A 304 may describe its own empty body. */
const withoutContent = (headers: RawAnswer['headers']): RawAnswer['headers'] =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'content-type' && name !== 'content-length'));
