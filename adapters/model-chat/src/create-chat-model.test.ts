import { HttpFailure, type HttpPort, type HttpRequest } from '@weir/ports';
import { expect, test } from 'vitest';
import { createChatModel } from './create-chat-model.ts';

const options = {
  baseUrl: 'https://models.example/v1',
  key: 'sk-key',
  model: 'm',
  outputTokenParameter: 'max_tokens',
  jsonMode: true,
  temperature: null,
  timeoutMs: 60_000,
} as const;
const question = { system: 's', user: 'u', maxOutputTokens: 5 };
const never = new AbortController().signal;

async function* bytes(parts: readonly (string | Error)[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) {
    if (part instanceof Error) throw part;
    yield new TextEncoder().encode(part);
  }
}
const port = (status: number, ...parts: readonly (string | Error)[]) => {
  const sent: HttpRequest[] = [];
  const http: HttpPort = {
    send: async request => {
      sent.push(request);
      return { status, headers: {}, body: bytes(parts) };
    },
  };
  return { http, sent };
};

test('the request carries the key in one header, and both deadlines', async () => {
  const { http, sent } = port(200, '{"choices":[{"message":{"content":"x"},"finish_reason":"stop"}]}');
  await createChatModel({ ...options, http }).complete(question, never);
  expect(sent[0]).toMatchObject({
    method: 'POST',
    url: 'https://models.example/v1/chat/completions',
    headers: { authorization: 'Bearer sk-key', 'content-type': 'application/json' },
    firstByteTimeoutMs: 60_000,
    idleTimeoutMs: 60_000,
  });
  expect(JSON.stringify({ ...sent[0], headers: {} })).not.toContain('sk-key');
});

test('without a key there is no authorization header', async () => {
  const { http, sent } = port(200, '{"choices":[]}');
  await createChatModel({ ...options, key: null, http }).complete(question, never);
  expect(sent[0]?.headers).not.toHaveProperty('authorization');
});

test.each(['sk-key\n', 'sk key', ' sk', 'schlüssel', ''])('a key that no header can carry is a configuration error: %j', key => {
  expect(() => createChatModel({ ...options, key, http: port(200).http })).toThrow(
    expect.objectContaining({ code: 'CONFIG_INVALID', message: expect.not.stringMatching(/sk|schl/) }),
  );
});

test('a break after a reason to finish leaves a complete answer, only without counts', async () => {
  const event = 'data: {"choices":[{"delta":{"content":"x"},"finish_reason":"stop"}]}\n\n';
  const { http } = port(200, event, new HttpFailure('unreachable', 'cut'));
  expect(await createChatModel({ ...options, http }).complete(question, never)).toMatchObject({ text: 'x', finish: 'stop', outputTokens: 'unknown' });
});

test('a break before any text is a failure', async () => {
  const { http } = port(200, 'data: {"choices":[{"delta":{"role":"assistant","content":""}}]}\n\n', new HttpFailure('unreachable', 'cut'));
  await expect(createChatModel({ ...options, http }).complete(question, never)).rejects.toMatchObject({ code: 'MODEL_UNREACHABLE' });
});

test('a bug in mid-answer is not salvaged away', async () => {
  const { http } = port(200, 'data: {"choices":[{"delta":{"content":"x"}}]}\n\n', new TypeError('bug'));
  await expect(createChatModel({ ...options, http }).complete(question, never)).rejects.toThrow(TypeError);
});

test.each(['', 'Hello', '{}', '[]', 'data: {}\n\n', '{"choices":'])('200 with %j is garbled', async body => {
  await expect(createChatModel({ ...options, http: port(200, body).http }).complete(question, never)).rejects.toMatchObject({ code: 'MODEL_GARBLED' });
});

test('an error body without end is read only so far', async () => {
  const part = 'x'.repeat(10_000);
  const { http } = port(500, ...Array.from({ length: 10 }, () => part), new TypeError('read too far'));
  await expect(createChatModel({ ...options, http }).complete(question, never)).rejects.toMatchObject({ code: 'MODEL_UNREACHABLE' });
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
  await expect(createChatModel({ ...options, http }).complete(question, stop.signal)).rejects.toBe(reason);
});
