/** A call under way: who may end it, at whose pace it runs, and what keeps it open. */
import { HttpFailure, type HttpPort, type HttpRequest } from '@weir/ports';
import { verifies } from '@weir/requirements';
import { expect, test } from 'vitest';
import { LONGEST_CALL_MS } from './call-stop.ts';
import { createModelGateway } from './create-model-gateway.ts';
import type { GatewayReply } from './gateway-call.ts';
import { testWorld, VIRTUAL_KEY } from './test-world.fixture.ts';

/** An upstream that the test drives: it answers when it is told to, and notes when its connection is closed. */
function drivenHttp(type: string) {
  const state = { sent: [] as HttpRequest[], pulled: 0, closed: false };
  let begin: () => void = () => undefined;
  const begun = new Promise<void>(resolve => {
    begin = resolve;
  });
  const queue: string[] = [];
  let wake: () => void = () => undefined;
  let ended = false;
  const http: HttpPort = {
    async send(request, signal) {
      state.sent.push(request);
      signal.addEventListener('abort', () => {
        state.closed = true;
        wake();
      });
      const aborted = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      await Promise.race([begun, aborted]);
      async function* body(): AsyncGenerator<Uint8Array> {
        for (;;) {
          state.pulled += 1;
          while (queue.length === 0 && !ended && !signal.aborted) await new Promise<void>(resolve => (wake = resolve));
          signal.throwIfAborted();
          const next = queue.shift();
          if (next === undefined) return;
          yield new TextEncoder().encode(next);
        }
      }
      return { status: 200, headers: { 'content-type': type }, body: body() };
    },
  };
  return {
    http,
    state,
    begin: () => begin(),
    say: (text: string) => {
      queue.push(text);
      wake();
    },
    end: () => {
      ended = true;
      wake();
    },
  };
}

const chunk = (content: string): string => `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta: { content } }] })}\n\n`;
const settleDown = (): Promise<void> => new Promise(resolve => setTimeout(resolve, 5));

function start(stream: boolean) {
  const upstream = drivenHttp(stream ? 'text/event-stream' : 'application/json');
  const client = new AbortController();
  const world = testWorld({ http: upstream.http });
  const body = new TextEncoder().encode(JSON.stringify({ model: 'm', stream, messages: [{ role: 'user', content: 'hi' }] }));
  const reply = createModelGateway(world).call({ protocol: 'chat', body, headers: {}, principal: { kind: 'key', key: VIRTUAL_KEY }, signal: client.signal });
  // Whoever awaits it later still sees its failure.
  reply.catch(() => undefined);
  return { upstream, client, world, reply };
}

const eventsOf = async (reply: Promise<GatewayReply>): Promise<AsyncIterator<string>> => {
  const { body } = await reply;
  if (typeof body === 'string') throw new Error('not a stream');
  return body[Symbol.asyncIterator]();
};

const GONE = new Error('The client has gone away.');
const charged = { lines: [{ tokenType: 'total', tokens: null, cost: null, pricingMode: 'unknown' }] };

test(`${verifies('MOD-14', 'REV-29')} a client that goes before the first byte ends the call upstream at once, and it is charged`, async () => {
  const { upstream, client, world, reply } = start(true);
  await expect.poll(() => upstream.state.sent.length).toBe(1);
  client.abort(GONE);
  await expect(reply).rejects.toBe(GONE);
  expect(upstream.state.closed).toBe(true);
  expect(world.charged).toMatchObject([charged]);
  expect(world.events.at(-1)).toMatchObject({ outcome: 'gone' });
});

test(`${verifies('MOD-14', 'REV-29')} a client that goes in mid-stream ends the call upstream at once, and it is charged`, async () => {
  const { upstream, client, world, reply } = start(true);
  upstream.begin();
  upstream.say(chunk('x'));
  const events = await eventsOf(reply);
  expect((await events.next()).value).toContain('x');
  const waiting = events.next();
  client.abort(GONE);
  expect(await waiting).toEqual({ done: true, value: undefined });
  expect(upstream.state.closed).toBe(true);
  expect(world.charged).toMatchObject([charged]);
  expect(world.events.at(-1)).toMatchObject({ outcome: 'gone' });
});

test(`${verifies('MOD-14', 'REV-29')} a client that goes while a whole answer comes ends the call upstream at once, and it is charged`, async () => {
  const { upstream, client, world, reply } = start(false);
  upstream.begin();
  upstream.say('{"id":');
  await settleDown();
  client.abort(GONE);
  await expect(reply).rejects.toBe(GONE);
  expect(upstream.state.closed).toBe(true);
  expect(world.charged).toMatchObject([charged]);
});

test(`${verifies('MOD-17')} a key that is revoked ends its stream with a failure in the client's words, and the call upstream`, async () => {
  const { upstream, world, reply } = start(true);
  upstream.begin();
  upstream.say(chunk('x'));
  const events = await eventsOf(reply);
  await events.next();
  const waiting = events.next();
  world.revoke();
  expect((await waiting).value).toContain('This virtual key was revoked.');
  expect((await events.next()).done).toBe(true);
  expect(upstream.state.closed).toBe(true);
  expect(world.events.at(-1)).toMatchObject({ outcome: 'failed', code: 'key_revoked' });
  expect(world.charged).toMatchObject([charged]);
});

test(`${verifies('MOD-17')} a key that is revoked before the first byte gets an answer, and none is made upstream`, async () => {
  const { upstream, world, reply } = start(true);
  await expect.poll(() => upstream.state.sent.length).toBe(1);
  world.revoke();
  expect(await reply).toMatchObject({ status: 401 });
  expect(upstream.state.closed).toBe(true);
});

test(`${verifies('MOD-10')} a stream that never ends is ended by the gateway, with a final failure`, async () => {
  const { upstream, world, reply } = start(true);
  upstream.begin();
  upstream.say(chunk('x'));
  const events = await eventsOf(reply);
  await events.next();
  const waiting = events.next();
  world.advance(LONGEST_CALL_MS);
  expect((await waiting).value).toContain('call_too_long');
  expect((await events.next()).done).toBe(true);
  expect(upstream.state.closed).toBe(true);
});

test(`${verifies('MOD-14')} headers are held until the status of the upstream is known`, async () => {
  const { upstream, reply } = start(true);
  let replied = false;
  void reply.then(() => (replied = true));
  await expect.poll(() => upstream.state.sent.length).toBe(1);
  await settleDown();
  expect(replied).toBe(false);
  upstream.begin();
  upstream.say(chunk('x'));
  const events = await eventsOf(reply);
  expect((await events.next()).value).toContain('x');
  await events.return?.();
});

test('nothing is read upstream that the client does not take', async () => {
  const { upstream, reply } = start(true);
  upstream.begin();
  for (let at = 0; at < 50; at += 1) upstream.say(chunk(String(at)));
  const events = await eventsOf(reply);
  await events.next();
  await settleDown();
  expect(upstream.state.pulled).toBe(1);
  await events.next();
  await settleDown();
  expect(upstream.state.pulled).toBe(2);
  await events.return?.();
  expect(upstream.state.closed).toBe(true);
});

test('a client that stops reading leaves nothing behind', async () => {
  const { upstream, world, reply } = start(true);
  upstream.begin();
  upstream.say(chunk('x'));
  const events = await eventsOf(reply);
  await events.next();
  await events.return?.();
  expect(upstream.state.closed).toBe(true);
  expect(world.charged).toMatchObject([charged]);
  expect(world.settled).toEqual([{ callRef: 'call-1', millicents: null }]);
});

test('what comes after the end of an answer is not waited for', async () => {
  const { upstream, world, reply } = start(true);
  upstream.begin();
  upstream.say(`data: {"choices":[{"index":0,"delta":{"content":"x"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n`);
  const events = await eventsOf(reply);
  expect((await events.next()).value).toContain('[DONE]');
  const last = events.next();
  await settleDown();
  world.advance(1_000);
  expect((await last).done).toBe(true);
  expect(upstream.state.closed).toBe(true);
  expect(world.events.at(-1)).toMatchObject({ outcome: 'whole' });
});

test('a failure to send is an answer, whatever kind it has', async () => {
  for (const [kind, status] of [
    ['refused', 400],
    ['unreachable', 503],
    ['timeout', 503],
    ['too_large', 503],
  ] as const) {
    const http: HttpPort = { send: () => Promise.reject(new HttpFailure(kind, 'https://secret.example does not answer')) };
    const world = testWorld({ http });
    const body = new TextEncoder().encode('{"model":"m","messages":[]}');
    const signal = new AbortController().signal;
    const reply = await createModelGateway(world).call({ protocol: 'chat', body, headers: {}, principal: { kind: 'key', key: VIRTUAL_KEY }, signal });
    expect({ kind, status: reply.status }).toEqual({ kind, status });
    expect(String(reply.body)).not.toContain('secret.example');
    expect(world.charged[0]?.lines[0]).toMatchObject(kind === 'refused' ? { tokens: 0 } : { tokens: null });
  }
});
