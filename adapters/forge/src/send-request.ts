/**
 * One request through the way out, under a deadline and within its bounds (PRV-8), with every credential taken out of what
 * comes back.
 */
import type { BuiltRequest } from '@weir/operation-table';
import { HttpFailure, type HttpPort, type HttpRequest } from '@weir/ports';
import type { Redact } from '@weir/redaction';
import type { Credential } from './credentials/credential.ts';
import { failed, type Outcome } from './provider-failure.ts';

export const MAX_ANSWER_BYTES = 16 * 1024 * 1024;
export const MAX_ERROR_BYTES = 8 * 1024;

export interface RawAnswer {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Uint8Array;
  readonly text: string;
  /** The body went on beyond its bound. */
  readonly truncated: boolean;
}

export type SendRequest = (
  request: BuiltRequest,
  credential: Credential,
  signal: AbortSignal,
  extra?: Readonly<Record<string, string>>,
) => Promise<Outcome<RawAnswer>>;

const METHODS: ReadonlySet<string> = new Set<HttpRequest['method']>(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']);
const isSendable = (method: string): method is HttpRequest['method'] => METHODS.has(method);

/**
 * @param deadlineMs of the headers, of each silence, and of the whole: silence is the way out's to end, a body that drips is ended here.
 * @param now milliseconds since 1970.
 */
export const createSendRequest =
  (http: HttpPort, deadlineMs: number, now: () => number): SendRequest =>
  async (request, credential, signal, extra) => {
    const { method, url, body } = request;
    if (!isSendable(method)) return failed('Unavailable', `${method} requests are not sent`);
    const until = now() + deadlineMs;
    const payload = bodyBytes(body);
    const headers = { ...request.headers, ...extra, ...credential.headers };
    const bounds = { firstByteTimeoutMs: deadlineMs, idleTimeoutMs: deadlineMs, maxBytes: MAX_ANSWER_BYTES };
    try {
      const response = await http.send(
        payload === undefined ? { method, url, headers, ...bounds } : { method, url, headers, body: payload, ...bounds },
        signal,
      );
      const read = await readBytes(response.body, response.status >= 400 ? MAX_ERROR_BYTES : MAX_ANSWER_BYTES, () => now() > until);
      if (read.late) return failed('Unavailable', `no complete answer within ${deadlineMs / 1_000} s`, { retry: 'later' });
      const { bytes, truncated } = read;
      return { ok: true, value: withoutSecrets({ status: response.status, headers: response.headers, bytes, truncated }, credential.redact) };
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof HttpFailure)) throw error;
      return TRANSPORT[error.kind](credential.redact(error.message));
    }
  };

const TRANSPORT: Readonly<Record<HttpFailure['kind'], (message: string) => Outcome<never>>> = {
  refused: message => failed('UrlRefused', message),
  unreachable: message => failed('Unavailable', message, { retry: 'later' }),
  timeout: message => failed('Unavailable', message, { retry: 'later' }),
  too_large: message => failed('BoundExceeded', message),
};

/** The body as it is sent; also what its digest is taken of. */
export function bodyBytes(body: BuiltRequest['body']): string | Uint8Array | undefined {
  switch (body.kind) {
    case 'none':
      return undefined;
    case 'json':
      return JSON.stringify(body.value);
    case 'multipart':
      return Buffer.concat(body.value.map(chunk => (typeof chunk === 'string' ? Buffer.from(chunk) : chunk)));
    case 'form':
    case 'text':
    case 'binary':
      return body.value;
  }
}

interface ReadBody {
  readonly bytes: Uint8Array;
  readonly truncated: boolean;
  readonly late: boolean;
}

/** Leaving the loop closes the connection. */
async function readBytes(body: AsyncIterable<Uint8Array>, bound: number, isLate: () => boolean): Promise<ReadBody> {
  const chunks: Uint8Array[] = [];
  let total = 0;
  let late = false;
  for await (const chunk of body) {
    chunks.push(chunk);
    total += chunk.byteLength;
    late = isLate();
    if (total > bound || late) break;
  }
  const [first] = chunks;
  const whole = chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks);
  return { bytes: total > bound ? whole.subarray(0, bound) : whole, truncated: total > bound, late };
}

const DECODER = new TextDecoder();

function withoutSecrets(answer: Omit<RawAnswer, 'text'>, redact: Redact): RawAnswer {
  const text = DECODER.decode(answer.bytes);
  const clean = redact(text);
  const { status, truncated } = answer;
  return {
    status,
    truncated,
    headers: cleanHeaders(answer.headers, redact),
    text: clean,
    bytes: clean === text ? answer.bytes : new TextEncoder().encode(clean),
  };
}

/** One look at all of them together tells whether anything has to be taken out, which is rare. No header holds a line end. */
function cleanHeaders(headers: RawAnswer['headers'], redact: Redact): RawAnswer['headers'] {
  const entries = Object.entries(headers);
  const together = entries.map(([name, value]) => `${name}\n${value}`).join('\n');
  if (redact(together) === together) return headers;
  return Object.fromEntries(entries.map(([name, value]) => [redact(name), redact(value)]));
}
