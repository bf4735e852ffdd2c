/** An app against a simulated forge that checks its signatures: tokens are minted, renewed before they end, and missed by name. */
import { generateKeyPairSync, verify } from 'node:crypto';
import { type Forge, startForge } from '@weir/forge-simulator';
import { createHttp } from '@weir/http';
import { verifies } from '@weir/requirements';
import { afterEach, expect, test } from 'vitest';
import { createWorld } from './scripted-world.fixture.ts';

const REPOSITORY = { owner: 'acme', name: 'shop' };
const by = { signal: new AbortController().signal, actor: 'test' };
const MINUTE = 60_000;

let forge: Forge | undefined;
afterEach(() => forge?.close());

async function start() {
  let now = Date.now();
  const simulated = await startForge({ kind: 'github', now: () => new Date(now) });
  forge = simulated;
  simulated.seed.account({ login: 'acme' });
  await simulated.seed.repository(REPOSITORY);
  const { publicKey, privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2_048,
    publicKeyEncoding: { format: 'pem', type: 'spki' },
    privateKeyEncoding: { format: 'pem', type: 'pkcs1' },
  });
  const app = simulated.seed.app({ slug: 'weir', publicKey, by: 'acme' });
  const as = (installationId: number | null) =>
    createWorld(() => ({}), {
      ...{ baseUrl: simulated.url, http: createHttp({ allowOrigins: [simulated.url] }), now: () => now },
      credentials: { env: () => undefined, app: { appId: String(app.id), installationId, privateKey } },
    }).provider;
  const mints = () => simulated.requests.filter(({ path }) => path.endsWith('/access_tokens'));
  return { simulated, app, as, mints, publicKey, pass: (milliseconds: number) => void (now += milliseconds), now: () => now };
}

const part = (jwt: string, at: number): unknown => JSON.parse(Buffer.from(jwt.split('.')[at] ?? '', 'base64url').toString());

test(`${verifies('PRV-13')} the JWT is RS256 by the app's key, is of this app, and lives for under ten minutes`, async () => {
  const { as, app, mints, publicKey, now } = await start();
  await as(app.installation).call('GET /repos/{owner}/{repo}', { owner: 'acme', repo: 'shop' }, by);
  const jwt = (mints()[0]?.headers['authorization'] ?? '').replace('Bearer ', '');
  const [head = '', claims = '', signature = ''] = jwt.split('.');
  expect(verify('RSA-SHA256', Buffer.from(`${head}.${claims}`), publicKey, Buffer.from(signature, 'base64url'))).toBe(true);
  expect(part(jwt, 0)).toEqual({ alg: 'RS256', typ: 'JWT' });
  const { iss, iat, exp } = part(jwt, 1) as { iss: unknown; iat: number; exp: number };
  expect([iss, exp - iat <= 600, iat * 1_000 < now(), exp * 1_000 > now()]).toEqual([String(app.id), true, true, true]);
});

test(`${verifies('PRV-13')} one token serves until shortly before its end, and then another is minted`, async () => {
  const { simulated, as, app, mints, pass } = await start();
  const provider = as(app.installation);
  const ask = async (): Promise<number> => {
    expect(await provider.call('GET /repos/{owner}/{repo}', { owner: 'acme', repo: 'shop' }, by)).toMatchObject({ status: 200 });
    return mints().length;
  };
  const counts = [await ask()];
  for (const minutes of [30, 27, 2, 56]) {
    pass(minutes * MINUTE);
    counts.push(await ask());
  }
  // 0, 30 and 57 minutes, then 59: less than two are left. The next serves 56 minutes on.
  expect(counts).toEqual([1, 1, 1, 2, 2]);
  expect(simulated.requests.filter(({ status }) => status === 401)).toEqual([]);
  expect(simulated.violations).toEqual([]);
});

test(`${verifies('PRV-13', 'REV-33')} an app that is installed nowhere, or no longer, is not authorized; of itself it can still speak`, async () => {
  const { as, simulated } = await start();
  const nowhere = as(null);
  const repository = { owner: 'acme', repo: 'shop' };
  await expect(nowhere.call('GET /repos/{owner}/{repo}', repository, by)).rejects.toMatchObject({
    code: 'FORGE_UNAUTHORIZED',
    message: expect.stringContaining('installed nowhere'),
  });
  expect(await nowhere.call('GET /app', {}, by)).toMatchObject({ status: 200 });
  await expect(as(1).call('GET /repos/{owner}/{repo}', repository, by)).rejects.toMatchObject({
    code: 'FORGE_UNAUTHORIZED',
    message: expect.stringContaining('no installation 1 any more'),
  });
  expect(simulated.violations).toEqual([]);
});

test(`${verifies('PRV-13')} a call without a credential carries none`, async () => {
  const { simulated } = await start();
  const { provider } = createWorld(() => ({}), {
    ...{ baseUrl: simulated.url, http: createHttp({ allowOrigins: [simulated.url] }), now: Date.now },
    credentials: { env: () => 'a token', anonymous: true },
  });
  expect(await provider.call('GET /users/{username}', { username: 'acme' }, by)).toMatchObject({ status: 200 });
  expect(simulated.requests.map(({ headers }) => headers['authorization'])).toEqual([undefined]);
});
