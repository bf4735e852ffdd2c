/** `POST /hooks/<registration>`: raw bytes in, a 202 out once they are stored. Whoever is refused learns nothing but that (REV-10). */
import type { Readable } from 'node:stream';
import { AppError } from '@weir/kernel';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { IngressDoor } from './ingress-door.ts';
import type { IngressMetrics, IngressRefusal } from './ingress-metrics.ts';
import { type BodyReader, createBodyReader, MAX_BODY_BYTES } from './read-body.ts';

/** Seconds after which a forge, or whoever delivers again, may come back. */
const RETRY_AFTER_SECONDS = 10;

const STATUS: Readonly<Record<IngressRefusal, number>> = {
  unknown_hook: 401,
  not_signed: 401,
  wrong_signature: 401,
  too_large: 413,
  broken_off: 400,
  busy: 503,
  store_away: 503,
};

export interface HookRouteParts {
  readonly door: IngressDoor;
  readonly metrics: IngressMetrics;
}

export function addHookRoute(app: FastifyInstance, { door, metrics }: HookRouteParts): void {
  const reader = createBodyReader(metrics.holds);
  void app.register(async hooks => {
    hooks.removeAllContentTypeParsers();
    // Whatever a forge calls its body: the bytes are signed, and are read once the hook is known.
    hooks.addContentTypeParser('*', (_request, body, done) => done(null, body));
    hooks.post<{ Params: { registration: string } }>('/hooks/:registration', async (request, reply) => {
      const began = performance.now();
      const refusal = await deliver(request, door, reader);
      if (refusal !== undefined) return refuse(reply, metrics, refusal);
      metrics.delivered((performance.now() - began) / 1_000);
      return reply.code(202).send({ accepted: true });
    });
  });
}

type HookRequest = FastifyRequest<{ Params: { registration: string } }>;

async function deliver(request: HookRequest, door: IngressDoor, reader: BodyReader): Promise<IngressRefusal | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) return 'too_large';
  try {
    const opened = await door.open({ registration: request.params.registration, headers: headersOf(request) });
    if (typeof opened === 'string') return opened;
    const body = await bodyOf(request, reader, opened.update);
    if (typeof body === 'string') return body;
    return (await opened.accept(body)) ? undefined : 'wrong_signature';
  } catch (error) {
    if (error instanceof AppError && error.retry === 'later') return 'store_away';
    throw error;
  }
}

async function bodyOf(request: HookRequest, reader: BodyReader, update: (bytes: Uint8Array) => void): Promise<Uint8Array | IngressRefusal> {
  const body = request.body as Readable | undefined;
  if (body === undefined) return new Uint8Array();
  try {
    return await reader.read(body, update);
  } catch (error) {
    if (request.raw.destroyed) return 'broken_off';
    throw error;
  }
}

const headersOf = ({ headers }: HookRequest): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])));

function refuse(reply: FastifyReply, metrics: IngressMetrics, reason: IngressRefusal): FastifyReply {
  metrics.refused(reason);
  const status = STATUS[reason];
  if (status === 503) void reply.header('retry-after', RETRY_AFTER_SECONDS);
  // What was not read is not taken for the next request.
  if (status === 413 || reason === 'busy') void reply.header('connection', 'close');
  return reply.code(status).send({ error: status === 503 ? 'unavailable' : 'refused' });
}
