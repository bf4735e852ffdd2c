import { Envelope, IntegrationEvent } from '@weir/contract';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { verifies } from './requirements.ts';
import { schemaSnapshot } from './schema-snapshot.ts';

const nested = (inner: z.ZodType) => schemaSnapshot({ 'Outer@1': z.object({ list: z.array(z.object({ inner })) }) });

test(`${verifies('REV-3')} a change deep inside a type is seen, and the order of keys is not`, () => {
  expect(nested(z.string())).not.toBe(nested(z.string().nullable()));
  expect(nested(z.string())).not.toBe(nested(z.string().optional()));
  expect(nested(z.enum(['a']))).not.toBe(nested(z.enum(['a', 'b'])));
  expect(schemaSnapshot({ 'A@1': z.object({ a: z.string(), b: z.null() }) })).toBe(schemaSnapshot({ 'A@1': z.object({ b: z.null(), a: z.string() }) }));
});

test(`${verifies('REV-3')} the envelope and the integration events have the form that is stored`, async () => {
  const events = Object.fromEntries(IntegrationEvent.options.map(option => [[...option.shape.type.values].map(type => `${type}@1`).join(' '), option]));
  // A test that fails here: is old data still read? If not, the type needs a new schema version and a step from the old one.
  await expect(schemaSnapshot({ envelope: Envelope })).toMatchFileSnapshot('./fixtures/envelope.schema.json');
  await expect(schemaSnapshot(events)).toMatchFileSnapshot('./fixtures/integration-events.schema.json');
});
