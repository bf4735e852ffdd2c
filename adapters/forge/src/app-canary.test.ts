import { generateKeyPairSync } from 'node:crypto';
import { verifies } from '@weir/requirements';
import { expect, test } from 'vitest';
import { createWorld } from './scripted-world.fixture.ts';

test(`${verifies('PRV-12', 'PRV-13')} of an app, neither its JWT nor the token that it mints comes back in an answer or an error`, async () => {
  const privateKey = generateKeyPairSync('rsa', {
    modulusLength: 2_048,
    privateKeyEncoding: { format: 'pem', type: 'pkcs8' },
    publicKeyEncoding: { format: 'pem', type: 'spki' },
  });
  const minted = `${'gh'}s_${'4fQz81LmXv29dKe7RbT0sWyC5nHj3uPa6oEi'}`;
  const { provider, sent, lines } = createWorld(
    ({ url, headers }) => {
      if (url.endsWith('/access_tokens')) return { status: 201, json: { token: minted, expires_at: '2030-01-01T00:00:00Z' } };
      const echo = headers['authorization'] ?? '';
      const more = Buffer.from(echo).toString('base64');
      return { status: url.endsWith('/app') ? 200 : 422, json: { message: echo, id: 1, slug: echo, more }, headers: { 'x-echo': echo } };
    },
    { credentials: { env: () => undefined, app: { appId: '7', installationId: 9, privateKey: privateKey.privateKey } } },
  );
  const call = { signal: new AbortController().signal, actor: 'test' };
  const app = await provider.call('apps/get-authenticated', {}, call);
  const error: unknown = await provider.call('users/get-authenticated', {}, call).catch((caught: unknown) => caught);
  expect(error).toMatchObject({ code: 'FORGE_UNPROCESSABLE' });
  const said = [JSON.stringify(app), Buffer.from(app.bytes).toString(), String((error as Error).stack), JSON.stringify(error), JSON.stringify(lines)].join(
    '\n',
  );
  const secrets = sent.map(({ headers }) => (headers['authorization'] ?? '').replace('Bearer ', ''));
  expect(secrets).toContain(minted);
  expect(new Set(secrets).size).toBeGreaterThanOrEqual(2);
  for (const secret of secrets) {
    expect(said).not.toContain(secret.slice(-20));
    expect(said).not.toContain(Buffer.from(secret.slice(-30)).toString('base64').slice(4, 24));
  }
});
