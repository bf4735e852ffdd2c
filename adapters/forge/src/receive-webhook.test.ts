import { createHmac } from 'node:crypto';
import { verifies } from '@weir/requirements';
import { expect, test } from 'vitest';
import { compileProvider } from './compile-provider.ts';
import { loadDescriptor } from './load-builtin.fixture.ts';
import { MAX_DELIVERY_BYTES, receiveWebhook } from './receive-webhook.ts';

const SECRET = 'a secret of a webhook';
const github = compileProvider(loadDescriptor('github'));
const gitlab = compileProvider(loadDescriptor('gitlab'));
const bytes = (text: string) => new TextEncoder().encode(text);
const signed = (body: Uint8Array, secret = SECRET) => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
const headersOf = (body: Uint8Array, more: Readonly<Record<string, string>> = {}) => ({
  ...{ 'x-github-event': 'ping', 'x-github-delivery': 'd-1', 'x-hub-signature-256': signed(body) },
  ...more,
});

test(`${verifies('PRV-9')} a signed delivery is taken with its name and id, by any of the secrets`, () => {
  const body = bytes('{"zen": "ä"}');
  const received = receiveWebhook(github, { headers: headersOf(body), body, secrets: ['the old one', SECRET] });
  expect(received).toMatchObject({ name: 'ping', delivery: 'd-1', kind: 'ignored' });
});

test.each([
  ['no signature', { 'x-hub-signature-256': '' }, '{}'],
  ['another secret', { 'x-hub-signature-256': signed(bytes('{}'), 'other') }, '{}'],
  ['a signature of other bytes', { 'x-hub-signature-256': signed(bytes('{ }')) }, '{}'],
  ['a signature in capitals', { 'x-hub-signature-256': signed(bytes('{}')).toUpperCase() }, '{}'],
  ['a cut signature', { 'x-hub-signature-256': signed(bytes('{}')).slice(0, -1) }, '{}'],
  ['no event', { 'x-github-event': '' }, '{}'],
  ['no JSON', {}, '{'],
])(`${verifies('PRV-9')} a delivery with %s is refused`, (_name, more, text) => {
  const body = bytes(text);
  expect(receiveWebhook(github, { headers: headersOf(body, more), body, secrets: [SECRET] })).toMatchObject({ kind: 'refused' });
});

test(`${verifies('PRV-9')} an empty secret signs nothing, bytes that are no text are refused, and so is what is too large`, () => {
  const body = bytes('{}');
  const empty = { headers: headersOf(body, { 'x-hub-signature-256': signed(body, '') }), body };
  expect(receiveWebhook(github, { ...empty, secrets: [''] })).toMatchObject({ kind: 'refused' });
  expect(receiveWebhook(github, { ...empty, secrets: [] })).toMatchObject({ kind: 'refused' });
  const broken = new Uint8Array([34, 255, 34]);
  expect(receiveWebhook(github, { headers: headersOf(broken), body: broken, secrets: [SECRET] })).toMatchObject({ kind: 'refused' });
  const large = new Uint8Array(MAX_DELIVERY_BYTES + 1);
  expect(receiveWebhook(github, { headers: headersOf(large), body: large, secrets: [SECRET] })).toMatchObject({ kind: 'refused' });
});

test(`${verifies('PRV-9')} a token in a header is compared as a whole`, () => {
  const body = bytes('{}');
  const receive = (token: string) => receiveWebhook(gitlab, { headers: { 'x-gitlab-token': token, 'x-gitlab-event': 'Some Hook' }, body, secrets: [SECRET] });
  expect(receive(SECRET)).toMatchObject({ kind: 'ignored', delivery: null });
  expect(receive(SECRET.slice(0, -1))).toMatchObject({ kind: 'refused' });
});
