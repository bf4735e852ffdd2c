/** A server whose broker is away says so, and takes deliveries all the same: they wait in the database. */
import { freePort } from '@weir/test-infra';
import { expect, test } from 'vitest';
import { startTestServer } from './test-server.fixture.ts';

test('a process that reads and publishes messages waits for the Kafka brokers by name', async () => {
  const server = await startTestServer({ modelUrl: null, allowOrigins: [], env: { WEIR_BUS_KAFKA: `127.0.0.1:${await freePort()}` } });
  const ready = await fetch(`${server.hooks}/readyz`);
  expect([ready.status, await ready.text()]).toEqual([503, 'waits for the Kafka brokers\n']);
  expect((await fetch(`${server.hooks}/healthz`)).status).toBe(200);
  await server.close();
});
