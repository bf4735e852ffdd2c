import { resolveSettings } from '@weir/settings';
import { expect, test } from 'vitest';
import { readKafkaAccess } from './kafka-access.ts';

function accessOf(env: Readonly<Record<string, string>>): unknown {
  const { values } = resolveSettings({ flags: {}, env, secretFiles: {}, file: null, repository: null });
  // The table gives each setting its type.
  return readKafkaAccess({ get: <T>(name: keyof typeof values) => values[name].value as T });
}

const BROKERS = { WEIR_BUS_KAFKA: 'one:9092, two:9092' };
const USER = { WEIR_BUS_KAFKA_USER: 'weir', WEIR_BUS_KAFKA_PASSWORD: 'secret' };

test('no broker is no access, whatever else is set', () => {
  expect(accessOf({ ...USER, WEIR_BUS_KAFKA_TLS: 'true' })).toBeUndefined();
});

test('brokers alone are spoken to in clear text, by nobody', () => {
  expect(accessOf(BROKERS)).toEqual({ brokers: ['one:9092', 'two:9092'], tls: null, sasl: null });
});

test('over TLS a password may be told as it is', () => {
  expect(accessOf({ ...BROKERS, ...USER, WEIR_BUS_KAFKA_TLS: 'true', WEIR_BUS_KAFKA_SASL: 'plain' })).toEqual({
    ...{ brokers: ['one:9092', 'two:9092'], tls: { ca: null } },
    sasl: { mechanism: 'plain', username: 'weir', password: 'secret' },
  });
});

test.each([
  ['a password in clear text', { ...USER, WEIR_BUS_KAFKA_SASL: 'plain' }, 'clear text'],
  ['a way without a name', { WEIR_BUS_KAFKA_SASL: 'scram-sha-512' }, 'needs a name and a password'],
  ['a name without a way', USER, 'no way to tell it'],
  ['an authority that is not there', { WEIR_BUS_KAFKA_TLS: 'true', WEIR_BUS_KAFKA_CA: '/nowhere/ca.pem' }, 'cannot be read'],
])('%s is refused', (_, more, sentence) => {
  expect(() => accessOf({ ...BROKERS, ...more })).toThrow(sentence);
});
