/** One call of a client, over a scripted way out: what goes upstream, what comes back, and what is charged. */
import { HttpFailure, type HttpPort } from '@weir/ports';
import { verifies } from '@weir/requirements';
import { describe, expect, test } from 'vitest';
import { createModelGateway } from './create-model-gateway.ts';
import type { GatewayReply } from './gateway-call.ts';
import { MODEL, never, PROVIDER, type ScriptedAnswer, scriptedHttp, testWorld, VIRTUAL_KEY, type WorldChanges } from './test-world.fixture.ts';

type Protocol = 'responses' | 'chat' | 'messages';

const BODIES: Readonly<Record<Protocol, Readonly<Record<string, unknown>>>> = {
  chat: { model: 'm', messages: [{ role: 'user', content: 'hi' }] },
  responses: { model: 'm', input: 'hi' },
  messages: { model: 'm', max_tokens: 50, messages: [{ role: 'user', content: 'hi' }] },
};
const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
const WHOLE: ScriptedAnswer = {
  parts: [JSON.stringify({ id: 'c', choices: [{ message: { role: 'assistant', content: 'x' }, finish_reason: 'stop' }], usage })],
};
const chunk = (delta: object, more: object = {}): string =>
  `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta, finish_reason: null, ...more }] })}\n\n`;
const STREAM: ScriptedAnswer = {
  headers: { 'content-type': 'text/event-stream' },
  parts: [
    chunk({ content: 'Hé' }),
    chunk({ content: 'llo' }),
    chunk({}, { finish_reason: 'stop' }),
    `data: ${JSON.stringify({ choices: [], usage })}\n\n`,
    'data: [DONE]\n\n',
  ],
};

interface Asked {
  readonly protocol?: Protocol;
  readonly body?: object | string;
  readonly stream?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  readonly binding?: string;
  readonly signal?: AbortSignal;
  readonly key?: Partial<typeof VIRTUAL_KEY>;
}

function gatewayOver(http: HttpPort, changes: Partial<WorldChanges> = {}) {
  const world = testWorld({ http, ...changes });
  const gateway = createModelGateway(world);
  const ask = ({ protocol = 'chat', body, stream = false, headers = {}, binding, signal = never, key = {} }: Asked = {}): Promise<GatewayReply> => {
    const text = typeof body === 'string' ? body : JSON.stringify(body ?? { ...BODIES[protocol], ...(stream ? { stream } : {}) });
    const bytes = new TextEncoder().encode(text);
    const principal = { kind: 'key', key: { ...VIRTUAL_KEY, ...key } } as const;
    return gateway.call({ protocol, body: bytes, headers, principal, signal, ...(binding === undefined ? {} : { binding }) });
  };
  return { world, gateway, ask };
}

async function textOf({ body }: GatewayReply): Promise<string> {
  if (typeof body === 'string') return body;
  const parts: string[] = [];
  for await (const part of body) parts.push(part);
  return parts.join('');
}
const jsonOf = async (reply: GatewayReply): Promise<Record<string, unknown>> => JSON.parse(await textOf(reply)) as Record<string, unknown>;
const errorOf = async (reply: GatewayReply): Promise<{ code: string; message: string }> => (await jsonOf(reply))['error'] as { code: string; message: string };
const sentBody = (http: ReturnType<typeof scriptedHttp>): Record<string, unknown> => {
  const body = http.sent[0]?.body ?? '';
  return JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body)) as Record<string, unknown>;
};

describe('what passes', () => {
  test(`${verifies('MOD-4')} the same protocol and the same model: the bytes of the client go as they came`, async () => {
    const http = scriptedHttp(WHOLE);
    const text = '{ "model":"m-1",\n "messages":[{"role":"user","content":"h\\u00e9 1.0"}], "seed": 12345678901234567890, "unknown_field": [1.0] }';
    const { ask } = gatewayOver(http, { models: [{ ...MODEL, name: 'm-1' }] });
    const reply = await ask({ body: text });
    expect(new TextDecoder().decode(http.sent[0]?.body as Uint8Array)).toBe(text);
    expect(await textOf(reply)).toBe(WHOLE.parts?.[0]);
  });

  test(`${verifies('MOD-4')} only the model is replaced, and include_usage is added where the stream would end without usage`, async () => {
    const http = scriptedHttp(STREAM);
    const { ask } = gatewayOver(http);
    const text = await textOf(await ask({ body: { ...BODIES.chat, stream: true, user: 'u' } }));
    expect(sentBody(http)).toEqual({ ...BODIES.chat, model: 'm-1', stream: true, user: 'u', stream_options: { include_usage: true } });
    expect(text).not.toContain('prompt_tokens');
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
  });

  test('extra parameters of the model are added and replace nothing; a dialect is spoken to another protocol', async () => {
    const http = scriptedHttp(WHOLE);
    const profile = { outputTokens: 'max_completion_tokens', temperature: 'refused', reasoningEffort: ['low'], extra: { user: 'never', seed: 1 } } as const;
    const { ask } = gatewayOver(http, { providers: [{ ...PROVIDER, profile }] });
    await ask({ protocol: 'responses', body: { ...BODIES.responses, max_output_tokens: 9, temperature: 1, reasoning: { effort: 'high' }, user: 'mine' } });
    expect(sentBody(http)).toMatchObject({ max_completion_tokens: 9, seed: 1 });
    for (const field of ['max_tokens', 'temperature', 'reasoning_effort']) expect(sentBody(http)).not.toHaveProperty(field);
  });

  test('headers: the credential of the pool, those of the route, and of the client only what belongs to the protocol', async () => {
    const provider = {
      ...PROVIDER,
      protocol: 'messages',
      auth: { scheme: 'header', header: 'x-api-key' },
      headers: { 'anthropic-version': '2023-06-01' },
    } as const;
    const http = scriptedHttp({ parts: ['{}'] });
    const { ask } = gatewayOver(http, { providers: [provider] });
    const headers = {
      authorization: 'Bearer weir_vk_x',
      'x-api-key': 'weir_vk_x',
      cookie: 'c',
      'anthropic-beta': 'b1,b2',
      'x-forwarded-for': '1.2.3.4',
      'openai-beta': 'o',
    };
    await ask({ protocol: 'messages', headers });
    await ask({ protocol: 'chat', headers });
    expect(http.sent.map(request => request.headers)).toEqual([
      expect.objectContaining({ 'x-api-key': 'sk-1', 'anthropic-version': '2023-06-01', 'anthropic-beta': 'b1,b2' }),
      expect.not.objectContaining({ 'anthropic-beta': 'b1,b2' }),
    ]);
    for (const { headers: sent } of http.sent) {
      expect(
        Object.keys(sent)
          .sort()
          .filter(name => !name.startsWith('anthropic')),
      ).toEqual(['accept', 'content-type', 'user-agent', 'x-api-key']);
      expect(JSON.stringify(sent)).not.toContain('weir_vk_x');
    }
  });

  test.each(['responses', 'chat', 'messages'] as const)('a %s client reads an upstream of another protocol, whole and streamed', async protocol => {
    const whole = gatewayOver(scriptedHttp(WHOLE));
    expect(JSON.stringify(await jsonOf(await whole.ask({ protocol })))).toContain('"x"');
    const streamed = gatewayOver(scriptedHttp(STREAM));
    const reply = await streamed.ask({ protocol, stream: true });
    expect(reply.headers['content-type']).toContain('text/event-stream');
    expect(await textOf(reply)).toMatch(/Hé/);
    for (const { world } of [whole, streamed]) {
      expect(world.charged[0]?.lines).toMatchObject([
        { tokenType: 'input', tokens: 10, cost: 1 },
        { tokenType: 'output', tokens: 5, cost: 2 },
      ]);
    }
  });

  test('a stream that was asked for and comes whole is a stream for the client', async () => {
    const { ask, world } = gatewayOver(scriptedHttp(WHOLE));
    const text = await textOf(await ask({ stream: true }));
    expect(text).toMatch(/"content":"x"/);
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
    expect(world.charged[0]?.lines).toHaveLength(2);
  });

  test('a stream whose content type is wrong is still a stream', async () => {
    const { ask } = gatewayOver(scriptedHttp({ ...STREAM, headers: { 'content-type': 'application/json' } }));
    expect(await textOf(await ask({ stream: true }))).toContain('Hé');
  });
});

describe('what is refused before a byte goes upstream', () => {
  test.each<[string, Asked, number, string]>([
    ['no JSON', { body: '{"model":' }, 400, 'invalid_json'],
    ['no object', { body: '[1]' }, 400, 'invalid_request'],
    ['no model', { body: { messages: [] } }, 400, 'invalid_request'],
    ['an unknown model', { body: { ...BODIES.chat, model: 'n' } }, 404, 'model_not_found'],
    ['an unknown binding', { binding: 'nobody' }, 404, 'model_not_found'],
    ['a route that the key may not use', { key: { allowedRoutes: [{ modelProvider: 'acme', model: 'other' }] } }, 400, 'route_denied'],
    [
      'a tool that is declared twice with two meanings',
      { body: { ...BODIES.chat, tools: ['a', 'b'].map(description => ({ type: 'function', function: { name: 't', description } })) } },
      400,
      'contradictory_tools',
    ],
    [
      'a required tool that is not there',
      { body: { ...BODIES.chat, tool_choice: { type: 'function', function: { name: 'gone' } } } },
      400,
      'tool_choice_unknown',
    ],
  ])(`${verifies('MOD-1', 'MOD-15')} %s`, async (_what, asked, status, code) => {
    const http = scriptedHttp(WHOLE);
    const { ask, world } = gatewayOver(http);
    const reply = await ask(asked);
    expect({ status: reply.status, code: (await errorOf(reply)).code }).toEqual({ status, code });
    expect(http.sent).toEqual([]);
    expect([world.opened, world.charged, world.settled]).toEqual([[], [], []]);
    expect(world.events).toMatchObject([{ event: 'call', outcome: 'failed', code }]);
  });

  test(`${verifies('REV-30')} a model that has lost its price is not called`, async () => {
    const http = scriptedHttp(WHOLE);
    const reply = await gatewayOver(http, { models: [{ ...MODEL, price: null }] }).ask();
    expect([reply.status, (await errorOf(reply)).code, http.sent.length]).toEqual([400, 'model_unpriced', 0]);
  });

  test.each([
    ['spent', 429, 402, 402, 'insufficient_quota'],
    ['in_flight', 429, 429, 429, 'rate_limit_exceeded'],
    ['revoked', 400, 401, 401, 'invalid_api_key'],
    ['expired', 400, 401, 401, 'invalid_api_key'],
  ] as const)(`${verifies('MOD-15', 'MOD-17', 'MOD-23')} a budget that is %s`, async (reason, responses, chat, messages, code) => {
    const http = scriptedHttp(WHOLE);
    const { ask } = gatewayOver(http, { reserve: async () => ({ granted: false, reason }) });
    for (const [protocol, status] of [
      ['responses', responses],
      ['chat', chat],
      ['messages', messages],
    ] as const) {
      const reply = await ask({ protocol });
      expect({ protocol, status: reply.status, code: (await errorOf(reply)).code }).toEqual({ protocol, status, code });
      expect(reply.headers['retry-after']).toBe(reason === 'in_flight' ? '5' : undefined);
    }
    expect(http.sent).toEqual([]);
  });

  test(`${verifies('MOD-17')} what a call may cost is reserved, and settled with what it did cost`, async () => {
    const { ask, world } = gatewayOver(scriptedHttp(WHOLE));
    await ask({ body: { ...BODIES.chat, max_tokens: 1_000 } });
    const bytes = JSON.stringify({ ...BODIES.chat, max_tokens: 1_000 }).length;
    expect(world.reserved).toEqual([{ callRef: 'call-1', millicents: Math.round(bytes / 4 / 10 + 0.2) + 400 }]);
    expect(world.settled).toEqual([{ callRef: 'call-1', millicents: 3 }]);
  });
});

describe('what an upstream does wrong', () => {
  test.each<[string, ScriptedAnswer, number, string, 'nothing' | 'unknown']>([
    ['400 that quotes the key', { status: 400, parts: ['{"error":{"message":"no for sk-1","code":"bad"}}'] }, 400, 'upstream_refused', 'nothing'],
    ['403', { status: 403, parts: ['{"error":{"message":"sk-1 may not"}}'] }, 400, 'provider_auth', 'nothing'],
    ['404', { status: 404, parts: ['{"error":{"message":"no model"}}'] }, 404, 'model_not_found', 'nothing'],
    ['500', { status: 500, parts: ['{"error":{"message":"oops"}}'] }, 503, 'upstream_error', 'nothing'],
    ['a page of a proxy', { status: 502, parts: ['<html>Bad gateway</html>'] }, 503, 'upstream_error', 'unknown'],
    ['a page with 200', { headers: { 'content-type': 'text/html' }, parts: ['<html>'] }, 503, 'upstream_garbled', 'unknown'],
    ['200 with an error', { parts: ['{"error":{"message":"overloaded"}}'] }, 503, 'upstream_error', 'nothing'],
    ['a redirect', { status: 302, headers: { location: 'https://other.example' } }, 400, 'upstream_redirects', 'unknown'],
    ['half a body', { parts: ['{"id":"c","choices":['] }, 503, 'upstream_garbled', 'unknown'],
    [
      'context length',
      { status: 400, parts: ['{"error":{"message":"too long","code":"context_length_exceeded"}}'] },
      400,
      'context_length_exceeded',
      'nothing',
    ],
  ])(`${verifies('MOD-15', 'REV-29')} %s`, async (_what, answer, status, code, spent) => {
    const { ask, world } = gatewayOver(scriptedHttp(answer));
    for (const protocol of ['chat', 'responses'] as const) {
      const reply = await ask({ protocol });
      const error = await errorOf(reply);
      expect({ protocol, status: reply.status, code: error.code }).toEqual({ protocol, status, code });
      expect(JSON.stringify(error)).not.toContain('sk-1');
    }
    const line = spent === 'nothing' ? { tokenType: 'input', tokens: 0, cost: 0 } : { tokenType: 'total', tokens: null, cost: null };
    expect(world.charged.map(({ lines }) => lines[0])).toEqual([expect.objectContaining(line), expect.objectContaining(line)]);
    expect(world.settled.map(({ millicents }) => millicents)).toEqual(spent === 'nothing' ? [0, 0] : [null, null]);
  });

  test.each<[string, readonly (string | Error)[], RegExp]>([
    ['cut by the network', [chunk({ content: 'x' }), new HttpFailure('unreachable', 'cut')], /upstream_cut/],
    ['ended without an end', [chunk({ content: 'x' })], /upstream_cut/],
    ['silent', [chunk({ content: 'x' }), new HttpFailure('timeout', 'silent')], /upstream_timeout/],
    ['an event that is no JSON', [chunk({ content: 'x' }), 'data: {"usage":{\n\n'], /upstream_garbled/],
    ['an error in mid-stream', [chunk({ content: 'x' }), 'data: {"error":{"message":"engine"}}\n\n'], /engine/],
  ])(`${verifies('MOD-10', 'REV-29')} a stream that is %s ends in the words of each protocol, and is charged as unknown`, async (_what, parts, said) => {
    for (const protocol of ['responses', 'chat', 'messages'] as const) {
      const { ask, world } = gatewayOver(scriptedHttp({ headers: { 'content-type': 'text/event-stream' }, parts }));
      const text = await textOf(await ask({ protocol, stream: true }));
      expect(text).toMatch(said);
      expect(text).not.toContain('[DONE]');
      const last = text.trim().split('\n\n').at(-1);
      expect(last).toMatch({ responses: /^event: response\.failed/, chat: /^data: \{"error"/, messages: /^event: error/ }[protocol]);
      expect(world.charged).toMatchObject([{ lines: [{ tokenType: 'total', tokens: null, cost: null }] }]);
      expect(world.events.at(-1)).toMatchObject({ outcome: 'failed' });
    }
  });

  test(`${verifies('REV-29')} usage that is missing or contradicts itself is one unknown line, never zero`, async () => {
    for (const wrong of [undefined, { prompt_tokens: 1 }, { prompt_tokens: 10, completion_tokens: 5, total_tokens: 99 }]) {
      const { ask, world } = gatewayOver(
        scriptedHttp({ parts: [JSON.stringify({ id: 'c', choices: [{ message: { content: 'x' }, finish_reason: 'stop' }], usage: wrong })] }),
      );
      expect((await ask()).status).toBe(200);
      expect(world.charged).toMatchObject([{ lines: [{ tokenType: 'total', cost: null, pricingMode: 'unknown' }] }]);
      expect(world.settled).toEqual([{ callRef: 'call-1', millicents: null }]);
    }
  });

  test('a fault of the engine ends the stream with a failure of its own, and is reported', async () => {
    const { ask, world } = gatewayOver(
      scriptedHttp({ headers: { 'content-type': 'text/event-stream' }, parts: [chunk({ content: 'x' }), new TypeError('a bug')] }),
    );
    expect(await textOf(await ask({ stream: true }))).toContain('gateway_error');
    expect(world.events).toContainEqual(expect.objectContaining({ event: 'attention', code: 'BUG', sentence: expect.stringContaining('a bug') }));
  });
});

describe('repeats and credentials', () => {
  const failing = (status: number, headers: Readonly<Record<string, string>> = {}, code = 'x'): ScriptedAnswer => ({
    status,
    headers,
    parts: [`{"error":{"message":"no","code":"${code}"}}`],
  });

  test.each([
    ['a fault of the upstream', failing(500), [600]],
    ['an upstream that asks for a moment', failing(503, { 'retry-after': '2' }), [2_000]],
    ['a lost connection', new HttpFailure('unreachable', 'reset'), [600]],
    ['a limit of a route without a key', failing(429, { 'retry-after': '1' }), [1_000]],
  ] as const)(`${verifies('MOD-16', 'REV-20')} %s is repeated once before the first byte, and charged once`, async (_what, first, slept) => {
    const http = scriptedHttp(first, WHOLE);
    const { ask, world } = gatewayOver(http, { providers: [{ ...PROVIDER, auth: { scheme: 'none' } }] });
    expect((await ask()).status).toBe(200);
    expect(http.sent).toHaveLength(2);
    expect(http.sent[1]).toEqual(http.sent[0]);
    expect(world.slept).toEqual(slept);
    expect([world.opened.length, world.charged.length, world.settled.length]).toEqual([1, 1, 1]);
  });

  test.each([
    ['twice', [failing(500), failing(500)], 2],
    ['for longer than a client waits', [failing(503, { 'retry-after': '60' })], 1],
    ['for good', [failing(400)], 1],
  ] as const)(`${verifies('MOD-16')} an upstream that fails %s is not asked on and on`, async (_what, answers, requests) => {
    const http = scriptedHttp(...answers);
    const reply = await gatewayOver(http).ask();
    expect(reply.status).toBeGreaterThanOrEqual(400);
    expect(http.sent).toHaveLength(requests);
  });

  test(`${verifies('MOD-16', 'REV-32')} a limited or rejected credential gives way to the next of its pool; the call keeps its reference`, async () => {
    const http = scriptedHttp(failing(429, { 'retry-after': '30' }), failing(401), WHOLE);
    const { ask, world } = gatewayOver(http, { credentials: { a: 'sk-a', b: 'sk-b', c: 'sk-c' } });
    expect((await ask()).status).toBe(200);
    expect(http.sent.map(({ headers }) => headers['authorization'])).toEqual(['Bearer sk-a', 'Bearer sk-b', 'Bearer sk-c']);
    expect(new Set(http.sent.map(({ url, body }) => `${url} ${String(body)}`)).size).toBe(1);
    expect(world.reports).toEqual([
      { ref: 'a', report: { kind: 'rate_limited', until: 1_030_000 } },
      { ref: 'b', report: { kind: 'rejected' } },
    ]);
    expect(world.charged).toMatchObject([{ call: { callRef: 'call-1', credentialRef: 'c' } }]);
  });

  test(`${verifies('REV-32')} an exhausted pool refuses and names when capacity returns`, async () => {
    const http = scriptedHttp(failing(429, { 'retry-after': '30' }));
    const reply = await gatewayOver(http, { credentials: { a: 'sk-a', b: 'sk-b' } }).ask({ protocol: 'messages' });
    expect([reply.status, reply.headers['retry-after']]).toEqual([429, '30']);
    expect((await errorOf(reply)).message).toContain('limited until 1970-01-01T00:17:10.000Z');
    expect(http.sent).toHaveLength(2);
  });

  test(`${verifies('MOD-15', 'REV-32')} a pool that rests for long is final for a client, which would hang`, async () => {
    const reply = await gatewayOver(scriptedHttp(failing(429, { 'retry-after': '3600' }))).ask({ protocol: 'chat' });
    expect([reply.status, reply.headers['retry-after'], reply.headers['x-should-retry']]).toEqual([402, undefined, 'false']);
    expect(await errorOf(reply)).toMatchObject({ code: 'insufficient_quota', message: expect.stringContaining('limited until 1970-01-01T01:16:40.000Z') });
  });

  test(`${verifies('MOD-16')} the only credential is waited for where its limit ends soon`, async () => {
    const http = scriptedHttp(failing(429, { 'retry-after': '3' }), WHOLE);
    const { ask, world } = gatewayOver(http);
    expect((await ask()).status).toBe(200);
    expect(world.slept).toEqual([3_000]);
  });

  test(`${verifies('MOD-15')} rejected credentials are a final answer, and the operator is told`, async () => {
    const { ask, world } = gatewayOver(scriptedHttp(failing(401, {}, 'invalid_api_key')));
    for (const protocol of ['responses', 'chat'] as const) {
      const reply = await ask({ protocol });
      expect([reply.status, (await errorOf(reply)).code]).toEqual([400, 'provider_auth']);
    }
    expect(world.events).toContainEqual(expect.objectContaining({ code: 'CREDENTIAL_REJECTED' }));
  });

  test(`${verifies('MOD-16')} a host that fails several times in a row is spared for a while, then tried by one call`, async () => {
    const http = scriptedHttp(...Array.from({ length: 6 }, () => failing(500)), WHOLE);
    const { ask, world } = gatewayOver(http);
    for (let call = 0; call < 3; call += 1) await ask();
    const sent = http.sent.length;
    const spared = await ask();
    expect([spared.status, (await errorOf(spared)).message]).toEqual([503, expect.stringContaining('not asked for a while')]);
    expect(http.sent).toHaveLength(sent);
    world.advance(10_000);
    await ask();
    expect(http.sent.length).toBeGreaterThan(sent);
  });
});

describe('stores that do not answer', () => {
  test(`${verifies('REV-31')} calls go on, and the operator is told`, async () => {
    let down = false;
    const http = scriptedHttp(WHOLE);
    const { ask, world, gateway } = gatewayOver(http, { databaseDown: () => down });
    expect(await gateway.authenticate('secret')).toHaveProperty('key');
    await ask();
    down = true;
    world.advance(5_000);
    expect(await gateway.authenticate('secret')).toHaveProperty('key');
    expect((await ask()).status).toBe(200);
    const codes = world.events.flatMap(event => (event.event === 'attention' ? [event.code] : []));
    expect(codes).toEqual(['CAP_UNENFORCEABLE', 'CAP_UNENFORCEABLE', 'CHARGE_LATE']);
    world.advance(700_000);
    expect(await gateway.authenticate('secret')).toMatchObject({ failure: { class: 'transient' } });
  });

  test(`${verifies('MOD-23')} a key that nobody knows stays outside, also when it is long`, async () => {
    const { gateway } = gatewayOver(scriptedHttp(WHOLE));
    for (const presented of [undefined, '', 'other', 'x'.repeat(100_000)]) {
      expect(await gateway.authenticate(presented)).toMatchObject({ failure: { code: 'invalid_api_key', class: 'invalid_key' } });
    }
  });
});
