import { HttpFailure } from '@weir/ports';
import { expect, test } from 'vitest';
import { classifyPayload, classifyReply, classifyThrown } from './classify-failure.ts';

const origin = 'https://models.example';
const reply = (status: number, message: string, headers = {}) =>
  classifyReply({ origin, status, headers, body: JSON.stringify({ error: { message } }), now: 0 });

test.each([
  [307, 'MODEL_GARBLED'],
  [400, 'MODEL_REJECTED'],
  [401, 'MODEL_REJECTED'],
  [403, 'MODEL_REJECTED'],
  [404, 'MODEL_REJECTED'],
  [408, 'MODEL_TIMEOUT'],
  [413, 'MODEL_REJECTED'],
  [422, 'MODEL_REJECTED'],
  [429, 'MODEL_RATE_LIMITED'],
  [500, 'MODEL_UNREACHABLE'],
  [503, 'MODEL_UNREACHABLE'],
  [529, 'MODEL_UNREACHABLE'],
])('status %i is %s', (status, code) => {
  expect(reply(status, 'x').code).toBe(code);
});

test.each([
  [400, "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.", 'model.outputTokenParameter'],
  [400, "Unsupported value: 'temperature' does not support 0 with this model.", 'model.temperature'],
  [400, "This model's maximum context length is 8192 tokens; max_tokens is too large.", 'model.contextTokens'],
  [400, 'response_format is not supported', 'model.jsonMode'],
  [422, 'body.stream_options.include_usage: Extra inputs are not permitted', 'model.streamUsage'],
  [429, 'You exceeded your current quota, please check your plan', 'waiting does not help'],
  [401, 'Incorrect API key', 'model.key'],
  [404, 'page not found', 'model.baseUrl'],
])('%i "%s" names the setting that cures it', (status, message, next) => {
  expect(reply(status, message).next).toContain(next);
});

test('the wait of the endpoint is kept', () => {
  const error = reply(429, 'slow down', { 'retry-after': '12' });
  expect(error.retryAfterSeconds).toBe(12);
  expect(error.message).toBe(`${origin} answers 429 (wait 12 s): slow down`);
});

test.each([
  [{ error: { message: 'x', code: 429 } }, 'MODEL_RATE_LIMITED'],
  [{ error: { message: 'x', code: '503' } }, 'MODEL_UNREACHABLE'],
  [{ error: { message: 'x', type: 'invalid_request_error' } }, 'MODEL_REJECTED'],
  [{ error: { message: 'x', code: 'rate_limit_exceeded' } }, 'MODEL_RATE_LIMITED'],
  [{ error: { message: 'x', code: 'constructor' } }, 'MODEL_UNREACHABLE'],
  [{ error: 'x' }, 'MODEL_UNREACHABLE'],
  [{ object: 'error', message: 'x', code: 400 }, 'MODEL_REJECTED'],
])('%j inside a 200 is %s', (payload, code) => {
  expect(classifyPayload(payload, origin)?.code).toBe(code);
});

test.each([{ choices: [] }, { error: null, choices: [] }, null, 'x'])('%j is no error', payload => {
  expect(classifyPayload(payload, origin)).toBeUndefined();
});

test.each([
  ['refused', 'URL_REFUSED'],
  ['unreachable', 'MODEL_UNREACHABLE'],
  ['timeout', 'MODEL_TIMEOUT'],
  ['too_large', 'MODEL_GARBLED'],
] as const)('a transport that is %s is %s', (kind, code) => {
  expect(classifyThrown(new HttpFailure(kind, 'why'))).toMatchObject({ code, message: 'why' });
});

test('a bug stays a bug', () => {
  const bug = new TypeError('x');
  expect(classifyThrown(bug)).toBe(bug);
});
