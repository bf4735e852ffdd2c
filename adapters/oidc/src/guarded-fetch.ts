/** The one way out, in the form that the client of the identity provider takes. */
import type { HttpPort, HttpRequest } from '@weir/ports';
import type { CustomFetch } from 'openid-client';

const FIRST_BYTE_MS = 10_000;
const IDLE_MS = 5_000;
/** Of one answer: metadata, keys, tokens or claims. */
const MAX_ANSWER_BYTES = 1024 * 1024;

const METHODS = ['GET', 'POST'] as const satisfies readonly HttpRequest['method'][];

/** Throws HttpFailure. */
export const guardedFetch =
  (http: HttpPort): CustomFetch =>
  async (url, { method: asked, headers, body, signal }) => {
    const method = METHODS.find(one => one === asked);
    if (method === undefined) throw new Error(`An identity provider is not asked by ${asked}.`);
    const answer = await http.send(
      {
        ...{ method, url, headers, firstByteTimeoutMs: FIRST_BYTE_MS, idleTimeoutMs: IDLE_MS, maxBytes: MAX_ANSWER_BYTES },
        ...(body === undefined || body === null ? {} : { body: textOf(body) }),
      },
      signal ?? new AbortController().signal,
    );
    const parts: Uint8Array[] = [];
    for await (const part of answer.body) parts.push(part);
    const bytes = Buffer.concat(parts);
    return new Response(bytes.length === 0 ? null : bytes, { status: answer.status, headers: answer.headers });
  };

function textOf(body: unknown): string {
  if (typeof body === 'string') return body;
  if (body instanceof URLSearchParams) return body.toString();
  throw new Error('An identity provider is sent text alone.');
}
