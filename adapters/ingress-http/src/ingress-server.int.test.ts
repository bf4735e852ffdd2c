import { request } from 'node:http';
import { AppError } from '@weir/kernel';
import { verifies } from '@weir/requirements';
import { afterEach, expect, test, vi } from 'vitest';
import { type IngressServer, type IngressServerSettings, startIngressServer } from './create-ingress-server.ts';
import type { IngressDoor } from './ingress-door.ts';
import { createIngressMetrics } from './ingress-metrics.ts';
import { MAX_BODY_BYTES } from './read-body.ts';

let server: IngressServer | undefined;
afterEach(async () => {
  await server?.close(1_000);
  server = undefined;
});

/** Knows the hook `known`; what is signed says so. */
const door = (changes: Partial<{ accept: (body: Uint8Array) => Promise<boolean>; update: (bytes: Uint8Array) => void }> = {}): IngressDoor => ({
  open: async ({ registration, headers }) => {
    if (registration !== 'known') return 'unknown_hook';
    if (headers['x-signature'] === undefined) return 'not_signed';
    return { update: () => undefined, accept: async () => headers['x-signature'] === 'right', ...changes };
  },
});

async function start(open: IngressDoor, more: Partial<IngressServerSettings> = {}) {
  const bugs: unknown[] = [];
  const hooks = { door: open, metrics: createIngressMetrics() };
  server = await startIngressServer({
    ...{ host: '127.0.0.1', port: 0, hooks, metrics: [], waitsFor: async () => [], onBug: (error: unknown) => void bugs.push(error) },
    ...more,
  });
  const { origin } = server;
  const post = (hook: string, body: string | Uint8Array = '{}', headers: Record<string, string> = { 'x-signature': 'right' }) =>
    fetch(`${origin}/hooks/${hook}`, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body });
  return { origin, post, bugs, metrics: async () => (await fetch(`${origin}/metrics`)).text() };
}

test(`${verifies('REV-10')} every refusal reads the same, and is counted by its reason`, async () => {
  const { post, metrics } = await start(door());
  const refused = [await post('other'), await post('known', '{}', {}), await post('known', '{}', { 'x-signature': 'wrong' })];
  const seen = await Promise.all(refused.map(async reply => [reply.status, await reply.text()]));
  expect(new Set(seen.map(String))).toEqual(new Set(['401,{"error":"refused"}']));
  const text = await metrics();
  for (const reason of ['unknown_hook', 'not_signed', 'wrong_signature']) expect(text).toContain(`weir_ingress_refusals_total{reason="${reason}"} 1`);
});

test(`${verifies('REV-10')} the bytes reach the signature as they came, and 202 waits for the store`, async () => {
  const chunks: Uint8Array[] = [];
  let stored: (value: boolean) => void = () => undefined;
  const accept = vi.fn(() => new Promise<boolean>(resolve => (stored = resolve)));
  const { post, metrics } = await start(door({ update: bytes => void chunks.push(bytes), accept }));
  const body = Buffer.from('{"t":"\\u001B[0m 😊"}');
  let answered = false;
  const reply = post('known', body).finally(() => (answered = true));
  await vi.waitFor(() => expect(accept).toHaveBeenCalledTimes(1));
  expect(answered).toBe(false);
  stored(true);
  expect((await reply).status).toBe(202);
  expect(Buffer.concat(chunks)).toEqual(body);
  expect(accept).toHaveBeenCalledWith(body);
  expect(await metrics()).toContain('weir_ingress_delivery_seconds_count 1');
});

test(`${verifies('REV-10')} a store that is away is a 503 with a time to come back; a fault is a 500 and is logged`, async () => {
  const failing = (error: Error) => door({ accept: () => Promise.reject(error) });
  const away = await start(failing(new AppError('DATABASE_UNAVAILABLE', 'gone')));
  const reply = await away.post('known');
  expect([reply.status, reply.headers.get('retry-after'), await reply.text()]).toEqual([503, '10', '{"error":"unavailable"}']);
  await server?.close(1_000);
  const broken = await start(failing(new TypeError('a fault with a secret')));
  const fault = await broken.post('known');
  expect([fault.status, await fault.text()]).toEqual([500, '{"error":"failed"}']);
  expect(broken.bugs).toHaveLength(1);
});

test(`${verifies('REV-10')} a body above the bound is refused whether its length is said or not, and memory is given back`, async () => {
  const accept = vi.fn(async () => true);
  const { origin, metrics } = await start(door({ accept }));
  const send = (headers: Record<string, string>, bytes: number) =>
    new Promise<number>((resolve, reject) => {
      const call = request(`${origin}/hooks/known`, { method: 'POST', headers: { 'x-signature': 'right', 'content-type': 'application/json', ...headers } });
      call.on('response', reply => resolve(reply.resume().statusCode ?? 0)).on('error', reject);
      if (bytes > 0) call.write(Buffer.alloc(bytes));
      else call.flushHeaders();
      if (headers['content-length'] === undefined) call.end();
    });
  expect(await send({ 'content-length': String(MAX_BODY_BYTES + 1) }, 0)).toBe(413);
  expect(await send({ 'transfer-encoding': 'chunked' }, MAX_BODY_BYTES + 1)).toBe(413);
  expect(await send({ 'transfer-encoding': 'chunked' }, MAX_BODY_BYTES)).toBe(202);
  expect(accept).toHaveBeenCalledTimes(1);
  expect(await metrics()).toContain('weir_ingress_body_bytes 0');
});

test(`${verifies('REV-10')} an unknown hook is answered before its body has come`, async () => {
  const { origin } = await start(door());
  const status = await new Promise<number>((resolve, reject) => {
    const call = request(`${origin}/hooks/other`, { method: 'POST', headers: { 'content-length': '1000', 'content-type': 'application/json' } });
    call.on('response', reply => {
      resolve(reply.resume().statusCode ?? 0);
      call.destroy();
    });
    call.on('error', reject);
    call.flushHeaders();
  });
  expect(status).toBe(401);
});

test('readiness names what it waits for; a process without hooks has its status alone', async () => {
  const { origin } = await start(door(), { waitsFor: async () => ['the database', 'the keyset'] });
  const ready = await fetch(`${origin}/readyz`);
  expect([ready.status, await ready.text()]).toEqual([503, 'waits for the database, the keyset\n']);
  expect((await fetch(`${origin}/healthz`)).status).toBe(200);
  await server?.close(1_000);
  server = await startIngressServer({ host: '127.0.0.1', port: 0, metrics: [], waitsFor: async () => [], onBug: () => undefined });
  expect((await fetch(`${server.origin}/readyz`)).status).toBe(200);
  expect((await fetch(`${server.origin}/hooks/known`, { method: 'POST' })).status).toBe(404);
});
