import { verifies } from '@weir/requirements';
import { expect, test } from 'vitest';
import { Envelope } from './envelope.ts';

const envelope = {
  specversion: '1.0',
  id: '1',
  source: '/ingress',
  type: 'change.opened',
  subject: 'review-1',
  time: '2026-01-02T03:04:05.678Z',
  datacontenttype: 'application/json',
  schemaversion: 1,
  correlationid: '1',
  data: { a: [null] },
};

test(`${verifies('REV-3')} an envelope is a CloudEvent with a schema version; what a newer version adds to it is dropped`, () => {
  expect(Envelope.parse({ ...envelope, causationid: '0', traceparent: 'x' })).toEqual({ ...envelope, causationid: '0' });
  expect(Envelope.parse(envelope)).toEqual(envelope);
});

test.each([
  ['another version of the specification', { specversion: '0.3' }],
  ['no id', { id: '' }],
  ['an id that fits no index', { id: 'x'.repeat(256) }],
  ['a time that is none', { time: 'yesterday' }],
  ['data that is no object', { data: [1] }],
  ['no schema version', { schemaversion: 0 }],
  ['no correlation', { correlationid: undefined }],
])(`${verifies('REV-3')} %s is refused`, (_, change) => {
  expect(Envelope.safeParse({ ...envelope, ...change }).success).toBe(false);
});

test(`${verifies('REV-3')} names of attributes are lower-case letters and digits, by the specification`, () => {
  expect(Object.keys(Envelope.shape).filter(name => !/^[a-z0-9]{1,20}$/.test(name))).toEqual([]);
});
