import { Envelope } from '@weir/contract';
import { verifies } from '@weir/requirements';
import { expect, test } from 'vitest';
import { createEnvelopes, openEnvelope } from './envelopes.ts';

const envelopes = createEnvelopes({ source: '/t', now: () => 0, upcasts: new Map([['B', [data => ({ ...data, added: true })]]]) });
const first = envelopes.first({ type: 'A', n: 1 } as { type: string }, { id: 'delivery', subject: 'review' });

test(`${verifies('REV-3')} the first of a chain names the correlation; what follows keeps it, and names its cause`, () => {
  const [b, c] = envelopes.following(first, 'saga', [{ type: 'B' }, { type: 'C' }]);
  expect(Envelope.parse(first)).toEqual(first);
  expect(Envelope.parse(b)).toEqual(b);
  expect([first.correlationid, first.causationid, b?.correlationid, b?.causationid, b?.subject]).toEqual([
    'delivery',
    undefined,
    'delivery',
    'delivery',
    'review',
  ]);
  expect([first.schemaversion, b?.schemaversion, c?.schemaversion]).toEqual([1, 2, 1]);
});

test(`${verifies('REV-3a')} ids follow from the cause, from who asks and from the place, so a repeat makes no second one`, () => {
  const ids = (cause: Envelope, by: string) => envelopes.following(cause, by, [{ type: 'B' }, { type: 'B' }], 'other').map(({ id }) => id);
  expect(ids(first, 'saga')).toEqual(ids({ ...first, time: 'later' }, 'saga'));
  const all = [...ids(first, 'saga'), ...ids(first, 'other'), ...ids({ ...first, id: 'another' }, 'saga')];
  expect(new Set(all).size).toBe(6);
});

test('a fact comes out as it was put in', () => {
  const fact = { type: 'A', n: 1, deep: { a: [null] } };
  expect(openEnvelope(envelopes.first(fact, { id: 'i', subject: 's' }))).toEqual(fact);
});

test(`${verifies('REV-3')} a fact that waited on the bus since an older version is brought to the present one`, () => {
  const old = { ...envelopes.first({ type: 'B' }, { id: 'i', subject: 's' }), schemaversion: 1 };
  expect(envelopes.open(old)).toEqual({ type: 'B', added: true });
  expect(() => envelopes.open({ ...old, schemaversion: 3 })).toThrow('a newer version of Weir wrote it');
});
