import { HttpFailure, type HttpPort } from '@weir/ports';
import { verifies } from '@weir/requirements';
import { expect, test } from 'vitest';
import type { CompleteRules } from './complete-call.ts';
import { createModelGateway } from './create-model-gateway.ts';
import { MODEL, never, PROVIDER, scriptedHttp, type TestWorld, testWorld, type WorldChanges } from './test-world.fixture.ts';

const rules: CompleteRules = { model: 'm', jsonMode: true, temperature: null, timeoutMs: 60_000, purpose: { capability: 'review' } };
const question = { system: 's', user: 'u', maxOutputTokens: 5 };

function portOf(http: HttpPort, changes: Partial<WorldChanges> = {}, more: Partial<CompleteRules> = {}) {
  const world: TestWorld = testWorld({ http, ...changes });
  return { world, port: createModelGateway(world).modelPort({ ...rules, ...more }) };
}
const ask = (http: HttpPort, changes: Partial<WorldChanges> = {}) => portOf(http, changes).port.complete(question, never);
const bodyOf = (http: ReturnType<typeof scriptedHttp>): unknown => JSON.parse(String(http.sent[0]?.body));
const whole = {
  parts: ['{"choices":[{"message":{"content":"x"},"finish_reason":"stop"}],"usage":{"prompt_tokens":7,"completion_tokens":2,"total_tokens":9}}'],
};

test('the request carries the key in one header, and both deadlines', async () => {
  const http = scriptedHttp(whole);
  await ask(http);
  expect(http.sent[0]).toMatchObject({
    method: 'POST',
    url: 'https://models.example/v1/chat/completions',
    headers: { authorization: 'Bearer sk-1', 'content-type': 'application/json' },
    firstByteTimeoutMs: 60_000,
    idleTimeoutMs: 60_000,
  });
  expect(JSON.stringify({ ...http.sent[0], headers: {} })).not.toContain('sk-1');
});

test('an endpoint that takes no key gets none', async () => {
  const http = scriptedHttp(whole);
  await ask(http, { providers: [{ ...PROVIDER, auth: { scheme: 'none' } }], credentials: {} });
  expect(http.sent[0]?.headers).not.toHaveProperty('authorization');
});

const json = { ...question, system: 'Answer as JSON.' };

test.each([
  [{}, {}, { max_tokens: 5, response_format: { type: 'json_object' }, stream: true, stream_options: { include_usage: true } }],
  [{ profile: { ...PROVIDER.profile, outputTokens: 'max_completion_tokens' } }, {}, { max_completion_tokens: 5, max_tokens: undefined }],
  [{}, { temperature: 0 }, { temperature: 0 }],
  [{ profile: { ...PROVIDER.profile, temperature: 'refused' } }, { temperature: 0 }, { temperature: undefined }],
  [{}, { jsonMode: false }, { response_format: undefined }],
  [{ facts: { stream_usage: false } }, {}, { stream_options: undefined, stream: true }],
  [{ facts: { json_schema: 'none' } }, {}, { response_format: undefined }],
] as const)(`${verifies('REV-30')} the request is in the words of the route: %j %j`, async (provider, more, expected) => {
  const http = scriptedHttp(whole);
  const { port } = portOf(http, { providers: [{ ...PROVIDER, ...provider }] }, more);
  await port.complete(json, never);
  const body = bodyOf(http) as Record<string, unknown>;
  expect(body['model']).toBe('m-1');
  for (const [field, value] of Object.entries(expected)) expect({ [field]: body[field] }).toEqual({ [field]: value });
});

test('JSON mode is left out when no message holds the word, since the vendor refuses it then; an empty message too', async () => {
  const http = scriptedHttp(whole);
  await portOf(http).port.complete({ ...question, system: '' }, never);
  expect(bodyOf(http)).toMatchObject({ messages: [{ role: 'user', content: 'u' }] });
  expect(bodyOf(http)).not.toHaveProperty('response_format');
});

test('a break after a reason to finish leaves a complete answer, only without counts', async () => {
  const event = 'data: {"choices":[{"delta":{"content":"x"},"finish_reason":"stop"}]}\n\n';
  const http = scriptedHttp({ parts: [event, new HttpFailure('unreachable', 'cut')] });
  expect(await ask(http)).toMatchObject({ text: 'x', finish: 'stop', outputTokens: 'unknown' });
});

test('a break before any text is a failure', async () => {
  const http = scriptedHttp({ parts: ['data: {"choices":[{"delta":{"role":"assistant","content":""}}]}\n\n', new HttpFailure('unreachable', 'cut')] });
  await expect(ask(http)).rejects.toMatchObject({ code: 'MODEL_UNREACHABLE' });
});

test('a bug in mid-answer is not salvaged away', async () => {
  await expect(ask(scriptedHttp({ parts: ['data: {"choices":[{"delta":{"content":"x"}}]}\n\n', new TypeError('bug')] }))).rejects.toThrow(TypeError);
});

test.each(['', 'Hello', '{}', '[]', 'data: {}\n\n', '{"choices":'])('200 with %j is garbled', async body => {
  await expect(ask(scriptedHttp({ parts: [body] }))).rejects.toMatchObject({ code: 'MODEL_GARBLED' });
});

test('an error body without end is read only so far', async () => {
  const part = 'x'.repeat(10_000);
  const http = scriptedHttp({ status: 500, parts: [...Array.from({ length: 10 }, () => part), new TypeError('read too far')] });
  await expect(ask(http)).rejects.toMatchObject({ code: 'MODEL_UNREACHABLE' });
});

test('an abort in mid-answer rejects with its reason, whatever has arrived', async () => {
  const stop = new AbortController();
  const reason = new HttpFailure('timeout', 'the deadline of the review');
  async function* body(): AsyncGenerator<Uint8Array> {
    yield new TextEncoder().encode('data: {"choices":[{"delta":{"content":"x"}}]}\n\n');
    stop.abort(reason);
    throw reason;
  }
  const http: HttpPort = { send: async () => ({ status: 200, headers: {}, body: body() }) };
  await expect(portOf(http).port.complete(question, stop.signal)).rejects.toBe(reason);
});

test(`${verifies('REV-20')} it asks once: whoever asks repeats`, async () => {
  const http = scriptedHttp({ status: 500, parts: ['{}'] });
  await expect(ask(http)).rejects.toMatchObject({ code: 'MODEL_UNREACHABLE', retry: 'later' });
  expect(http.sent).toHaveLength(1);
});

test(`${verifies('REV-29')} a question from within is charged to its capability, with the tokens that the upstream reports`, async () => {
  const { world, port } = portOf(scriptedHttp(whole));
  await port.complete(question, never);
  expect(world.opened).toHaveLength(1);
  expect(world.charged).toMatchObject([
    {
      call: { capability: 'review', modelProvider: 'acme', model: 'm-1', credentialRef: 'acme-1', virtualKey: null },
      lines: [
        { tokenType: 'input', tokens: 7 },
        { tokenType: 'output', tokens: 2 },
      ],
    },
  ]);
  expect(world.reserved).toEqual([]);
});

test.each(['responses', 'messages'] as const)('a route that speaks %s answers the same question', async protocol => {
  const answers = {
    responses: {
      id: 'r',
      status: 'completed',
      output: [{ type: 'message', content: [{ type: 'output_text', text: 'x' }] }],
      usage: { input_tokens: 7, output_tokens: 2 },
    },
    messages: {
      id: 'm',
      type: 'message',
      role: 'assistant',
      content: [{ type: 'text', text: 'x' }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 7, output_tokens: 2 },
    },
  };
  const http = scriptedHttp({ parts: [JSON.stringify(answers[protocol])] });
  const answer = await ask(http, { providers: [{ ...PROVIDER, protocol }] });
  expect(answer).toMatchObject({ text: 'x', finish: 'stop', inputTokens: 7, outputTokens: 2 });
});

test(`${verifies('MOD-1')} an unknown model and one without a price are refused by name`, async () => {
  const http = scriptedHttp(whole);
  await expect(portOf(http, {}, { model: 'n' }).port.complete(question, never)).rejects.toMatchObject({ code: 'MODEL_UNKNOWN' });
  await expect(ask(http, { models: [{ ...MODEL, price: null }] })).rejects.toMatchObject({ code: 'MODEL_UNPRICED' });
  expect(http.sent).toEqual([]);
});
