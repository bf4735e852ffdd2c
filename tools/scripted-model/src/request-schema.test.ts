import { expect, test } from 'vitest';
import { readRequest } from './request-schema.ts';

const good = { model: 'scripted', messages: [{ role: 'user', content: 'hi' }] };

test.each([
  good,
  { ...good, stream: true, stream_options: { include_usage: true }, max_tokens: 5, temperature: 0 },
  { ...good, max_completion_tokens: 5, seed: -1, stop: ['a'], tools: [{}], tool_choice: 'auto' },
  { ...good, messages: [{ role: 'system', content: [{ type: 'text', text: 'answer as JSON' }] }, ...good.messages], response_format: { type: 'json_object' } },
  { ...good, response_format: { type: 'json_schema', json_schema: { name: 'n', schema: {}, strict: true } } },
])('%j fits', body => {
  expect(readRequest(body)).toEqual({ request: body });
});

test.each([
  [null, "'' must be an object"],
  [[], "'' must be an object"],
  [{ messages: good.messages }, "Missing required parameter: 'model'"],
  [{ model: 'scripted' }, "Missing required parameter: 'messages'"],
  [{ ...good, messages: [] }, 'too short'],
  [{ ...good, model: 3 }, "'model' must be a string"],
  [{ ...good, messages: [{ role: 'human', content: 'x' }] }, "'messages[0].role'"],
  [{ ...good, messages: [{ role: 'user' }] }, "'messages[0].content'"],
  [{ ...good, messages: [{ role: 'user', content: 3 }] }, "'messages[0].content'"],
  [{ ...good, messages: [{ role: 'user', content: 'x', mood: 'good' }] }, 'messages[0].mood'],
  [{ ...good, max_token: 5 }, 'Unrecognized request argument supplied: max_token'],
  [{ ...good, max_tokens: 0 }, "'max_tokens'"],
  [{ ...good, max_tokens: 1.5 }, "'max_tokens' must be an integer"],
  [{ ...good, max_tokens: '5' }, "'max_tokens'"],
  [{ ...good, max_tokens: 5, max_completion_tokens: 5 }, 'at the same time'],
  [{ ...good, temperature: 3 }, "'temperature'"],
  [{ ...good, stream: 'yes' }, "'stream'"],
  [{ ...good, stream_options: { include_usage: true } }, 'only allowed when'],
  [{ ...good, stream: true, stream_options: { usage: true } }, 'stream_options.usage'],
  [{ ...good, response_format: 'json_object' }, "'response_format'"],
  [{ ...good, response_format: { type: 'json_object' } }, "the word 'json'"],
  [{ ...good, response_format: { type: 'json_schema' } }, "'response_format.type'"],
  [JSON.parse('{"model":"scripted","messages":[{"role":"user","content":"x"}],"__proto__":{}}'), '__proto__'],
])('%j does not fit', (body, problem) => {
  expect(readRequest(body)).toHaveProperty('problem', expect.stringContaining(problem));
});
