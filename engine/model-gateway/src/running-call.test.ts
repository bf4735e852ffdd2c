/** A call under way: who may end it, at whose pace it runs, and what keeps it open. */
import type { UpstreamProtocol } from '@weir/contract';
import { HttpFailure, type HttpPort, type HttpRequest } from '@weir/ports';
import { verifies } from '@weir/requirements';
import { describe, expect, test } from 'vitest';
import { LONGEST_CALL_MS } from './call-stop.ts';
import { createModelGateway } from './create-model-gateway.ts';
import type { GatewayReply } from './gateway-call.ts';
import { PROVIDER, testWorld, VIRTUAL_KEY } from './test-world.fixture.ts';

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
  let broken = false;
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
          if (broken) throw new HttpFailure('unreachable', 'The connection broke.');
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
    break: () => {
      broken = true;
      ended = true;
      wake();
    },
  };
}

const chunk = (content: string): string => `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta: { content } }] })}\n\n`;
const settleDown = (): Promise<void> => new Promise(resolve => setTimeout(resolve, 5));

function start(stream: boolean, protocol: UpstreamProtocol = 'chat') {
  const upstream = drivenHttp(stream ? 'text/event-stream' : 'application/json');
  const client = new AbortController();
  const usageRule = protocol === 'messages' ? 'anthropic' : 'openai';
  const world = testWorld({ http: upstream.http, providers: [{ ...PROVIDER, protocol, usageRule }] });
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

/** The beginning of a stream, with whatever counts the protocol gives so early: too little to charge for. */
const BEGINNINGS: Readonly<Record<UpstreamProtocol, string>> = {
  chat: `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta: { content: 'x' } }], usage: { prompt_tokens: 50, completion_tokens: 1, total_tokens: 51 } })}\n\n`,
  responses: [
    ['response.created', { response: { id: 'r', status: 'in_progress', output: [], usage: null } }],
    ['response.output_item.added', { output_index: 0, item: { type: 'message', id: 'i', role: 'assistant', status: 'in_progress', content: [] } }],
    ['response.content_part.added', { item_id: 'i', output_index: 0, content_index: 0, part: { type: 'output_text', text: '', annotations: [] } }],
    ['response.output_text.delta', { item_id: 'i', output_index: 0, content_index: 0, delta: 'x' }],
  ]
    .map(([type, fields]) => `event: ${String(type)}\ndata: ${JSON.stringify({ type, ...(fields as object) })}\n\n`)
    .join(''),
  messages: [
    { type: 'message_start', message: { id: 'm', role: 'assistant', content: [], usage: { input_tokens: 50, cache_read_input_tokens: 10, output_tokens: 1 } } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'x' } },
  ]
    .map(event => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    .join(''),
};

const ONE_UNKNOWN_LINE = [{ tokenType: 'total', tokens: null, rate: null, cost: null, pricingMode: 'unknown' }];

describe.each(['responses', 'chat', 'messages'] as const)('a call of the protocol %s that broke off is one line that nobody can price', protocol => {
  const lines = (world: ReturnType<typeof testWorld>) => world.charged.map(charge => charge.lines);
  const settled = [{ callRef: 'call-1', millicents: null }];

  test(`${verifies('REV-29')} its client goes before the first byte`, async () => {
    const { upstream, client, world, reply } = start(true, protocol);
    await expect.poll(() => upstream.state.sent.length).toBe(1);
    client.abort(GONE);
    await expect(reply).rejects.toBe(GONE);
    expect([lines(world), world.settled]).toEqual([[ONE_UNKNOWN_LINE], settled]);
  });

  test.each(['its client goes', 'its client stops reading', 'its upstream ends it', 'its upstream breaks it off'])(
    `${verifies('REV-29')} %s in mid-stream, after counts that are not the last ones`,
    async how => {
      const { upstream, client, world, reply } = start(true, protocol);
      upstream.begin();
      upstream.say(BEGINNINGS[protocol]);
      const events = await eventsOf(reply);
      expect((await events.next()).value).toContain('x');
      if (how === 'its client stops reading') await events.return?.();
      else {
        if (how === 'its client goes') client.abort(GONE);
        else if (how === 'its upstream ends it') upstream.end();
        else upstream.break();
        while ((await events.next()).done !== true);
      }
      expect([lines(world), world.settled]).toEqual([[ONE_UNKNOWN_LINE], settled]);
      expect(world.events.at(-1)).toMatchObject({ inputTokens: null, outputTokens: null });
    },
  );
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
