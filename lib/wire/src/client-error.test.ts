import { verifies } from '@weir/requirements';
import { expect, test } from 'vitest';
import { clientError } from './client-error.ts';
import { permanent, transient } from './gateway-failure.ts';
import { errorFailure, statusFailure } from './upstream-failure.ts';

const failed = (status: number, error: object | string = {}): ReturnType<typeof statusFailure> =>
  statusFailure({ status, body: typeof error === 'string' ? error : JSON.stringify({ error }) });

test(`${verifies('MOD-15')} a Responses client gets 400 for what is permanent, and stops`, () => {
  expect(clientError('responses', permanent('tool_choice_unknown', 'No such tool.'))).toEqual({
    status: 400,
    headers: { 'x-should-retry': 'false' },
    body: { error: { message: 'No such tool.', type: 'invalid_request_error', param: null, code: 'tool_choice_unknown' } },
  });
  expect(clientError('responses', failed(401, { message: 'Incorrect API key provided: sk-1234' }))).toMatchObject({
    status: 400,
    body: { error: { code: 'provider_auth', message: expect.not.stringContaining('sk-1234') as unknown } },
  });
});

test(`${verifies('MOD-15')} a spent budget is final for every client`, () => {
  const spent = { code: 'budget_spent', class: 'quota', message: 'Spent.' } as const;
  expect(clientError('responses', spent)).toMatchObject({ status: 429, body: { error: { code: 'insufficient_quota', type: 'insufficient_quota' } } });
  expect(clientError('chat', spent)).toMatchObject({ status: 402, body: { error: { code: 'insufficient_quota', type: 'insufficient_quota' } } });
  expect(clientError('messages', spent)).toMatchObject({ status: 402, body: { type: 'error', error: { type: 'billing_error' } } });
});

test(`${verifies('MOD-23')} an invalid key is 400 to Responses clients and 401 to the others`, () => {
  const key = { code: 'invalid_api_key', class: 'invalid_key', message: 'The key is not valid.' } as const;
  expect(clientError('responses', key)).toMatchObject({ status: 400, body: { error: { code: 'invalid_api_key' } } });
  expect(clientError('chat', key)).toMatchObject({ status: 401, body: { error: { code: 'invalid_api_key' } } });
  expect(clientError('messages', key)).toMatchObject({ status: 401, body: { error: { type: 'authentication_error' } } });
});

test(`${verifies('MOD-15')} an upstream's error keeps its meaning and loses its secrets`, () => {
  expect(failed(400, { code: 'context_length_exceeded', message: 'too long' })).toMatchObject({ class: 'context' });
  expect(failed(404, { code: 'model_not_found' })).toMatchObject({ class: 'not_found' });
  expect(failed(429, { type: 'insufficient_quota' })).toMatchObject({ class: 'quota' });
  expect(failed(429)).toMatchObject({ class: 'rate_limited' });
  expect(failed(503, '<html>busy</html>')).toMatchObject({ class: 'transient', code: 'upstream_error' });
  expect(failed(400, 'null')).toMatchObject({ class: 'permanent' });
  expect(failed(400, { message: 'x'.repeat(5000) }).message.length).toBeLessThan(400);
  expect(errorFailure({ error: { status: 'UNAUTHENTICATED', message: 'key AIza' } }, 'transient').message).not.toContain('AIza');
});

test(`${verifies('MOD-15')} a wait that the upstream asks for reaches the client`, () => {
  expect(clientError('chat', statusFailure({ status: 429, body: '{}', retryAfterSeconds: 1.2 }))).toMatchObject({
    status: 429,
    headers: { 'retry-after': '2' },
  });
  expect(clientError('messages', transient('upstream_cut', 'x'))).toMatchObject({ status: 529, headers: {} });
});

test.each(['permanent', 'not_found', 'invalid_key', 'quota', 'context', 'too_large'] as const)(
  `${verifies('MOD-15')} what is %s tells every client not to ask again, and names no time`,
  kind => {
    for (const client of ['responses', 'chat', 'messages'] as const)
      expect(clientError(client, { code: 'x', message: 'No.', class: kind, retryAfterSeconds: 3_600 }).headers).toEqual({ 'x-should-retry': 'false' });
  },
);

test.each(['transient', 'rate_limited'] as const)(`${verifies('MOD-15')} what is %s may be asked again`, kind => {
  expect(clientError('chat', { code: 'x', message: 'Later.', class: kind }).headers).toEqual({});
});

test(`${verifies('MOD-15')} a context that is too long is known by its sentence where the vendor has no code for it`, () => {
  expect(failed(400, { type: 'invalid_request_error', message: 'prompt is too long: 208310 tokens > 200000 maximum' })).toMatchObject({ class: 'context' });
  expect(failed(400, { type: 'invalid_request_error', message: 'the title of the prompt is too long' })).toMatchObject({ class: 'permanent' });
});
