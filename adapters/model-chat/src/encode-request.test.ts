import type { ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions';
import { expect, expectTypeOf, test } from 'vitest';
import { ChatRequest } from './chat.wire.ts';
import { type ChatDialect, encodeRequest } from './encode-request.ts';

const dialect: ChatDialect = { model: 'm', outputTokenParameter: 'max_tokens', jsonMode: true, temperature: null };
const question = { system: 'Answer as JSON.', user: 'diff', maxOutputTokens: 9 };

test("the frozen form fits the vendor's own type", () => {
  type Mutable<T> = T extends object ? { -readonly [Key in keyof T]: Mutable<T[Key]> } : T;
  expectTypeOf<Mutable<ChatRequest>>().toExtend<ChatCompletionCreateParamsStreaming>();
});

test('the plain request', () => {
  expect(encodeRequest(dialect, question)).toEqual({
    model: 'm',
    messages: [
      { role: 'system', content: 'Answer as JSON.' },
      { role: 'user', content: 'diff' },
    ],
    stream: true,
    stream_options: { include_usage: true },
    max_tokens: 9,
    response_format: { type: 'json_object' },
  });
});

test.each<[Partial<ChatDialect>, object]>([
  [{ outputTokenParameter: 'max_completion_tokens' }, { max_completion_tokens: 9, max_tokens: undefined }],
  [{ temperature: 0 }, { temperature: 0 }],
  [{ jsonMode: false }, { response_format: undefined }],
  [{ streamUsage: false }, { stream_options: undefined, stream: true }],
])('with %j', (change, expected) => {
  const body = encodeRequest({ ...dialect, ...change }, question);
  expect(body).toMatchObject(Object.fromEntries(Object.entries(expected).filter(([, value]) => value !== undefined)));
  for (const [name, value] of Object.entries(expected)) if (value === undefined) expect(body).not.toHaveProperty(name);
  expect(ChatRequest.parse(JSON.parse(JSON.stringify(body)))).toEqual(body);
});

test('JSON mode is left out when no message holds the word, since the vendor refuses it then', () => {
  expect(encodeRequest(dialect, { ...question, system: 'Answer.' })).not.toHaveProperty('response_format');
});

test('an empty message is left out', () => {
  expect(encodeRequest(dialect, { ...question, system: '' }).messages).toEqual([{ role: 'user', content: 'diff' }]);
});
