/** The handlers behind the real door: addresses, codes, tags and keys as a client meets them. */
import path from 'node:path';
import { type ApiServer, startApiServer } from '@weir/api-http';
import { API_ROUTES, openApiDocument } from '@weir/contract';
import type { AnswerStore, Identity, KeptAnswer } from '@weir/ports';
import { runProgram, temporaryFolder } from '../test-program.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dashboardApi } from './handlers.ts';
import { seedRound } from './seed-reviews.fixture.ts';
import { idOfChange, seededWorld, type SeededWorld } from './seeded-world.fixture.ts';

let world: SeededWorld;
let server: ApiServer;

/** Its tokens are the names of the roles. */
const identity: Identity = {
  session: async () => null,
  bearer: async token => (token === 'admin' || token === 'viewer' ? { subject: token, name: token, role: token, by: 'bearer' } : null),
  signOut: async () => undefined,
  useLink: async () => null,
};

function answersInMemory(): AnswerStore {
  const rows = new Map<string, { readonly fingerprint: string; readonly answer?: KeptAnswer }>();
  return {
    claim: async ({ key, fingerprint }) => {
      const row = rows.get(key);
      if (row === undefined) rows.set(key, { fingerprint });
      if (row === undefined) return 'new';
      return row.fingerprint === fingerprint ? (row.answer ?? 'under_way') : 'other_request';
    },
    keep: async ({ key, fingerprint }, answer) => void rows.set(key, { fingerprint, answer }),
    release: async ({ key }) => void rows.delete(key),
  };
}

beforeAll(async () => {
  world = await seededWorld();
  for (const change of [1, 2, 3]) await seedRound(world, { change, round: 1, at: `2026-01-0${change}T08:00:00.000Z`, finds: ['major'] });
  const { handlers, feed } = dashboardApi(world);
  server = await startApiServer({
    ...{ host: '127.0.0.1', port: 0, publicOrigin: null, provider: null, routes: API_ROUTES, feeds: { readFeed: feed }, identity, answers: answersInMemory() },
    handlers: { ...handlers, readSession: async ({ principal }) => ({ body: { principal, signIn: null } }) },
    ...{ staticFiles: new Map(), openApi: openApiDocument('0.1.0'), now: Date.now, onBug: (error: unknown) => expect(error).toBe(undefined) },
  });
}, 120_000);
afterAll(async () => {
  await server.close(1_000);
  await world.close();
});

const call = (path: string, { as = 'admin', headers, ...init }: Omit<RequestInit, 'headers'> & { readonly as?: string; readonly headers?: object } = {}) =>
  fetch(`${server.origin}/api/v1${path}`, { ...init, headers: { authorization: `Bearer ${as}`, ...headers } });

test('a page of the list has its next one in the Link header, and is not sent twice to who has it', async () => {
  const page = await call('/reviews?limit=2');
  expect([page.status, page.headers.get('link')]).toEqual([200, expect.stringContaining('rel="next"')]);
  expect((await page.json()) as object).toMatchObject({ items: [{ id: idOfChange(3) }, { id: idOfChange(2) }], totals: { all: 3 } });
  const again = await call('/reviews?limit=2', { headers: { 'if-none-match': page.headers.get('etag') ?? '' } });
  expect([again.status, await again.text()]).toEqual([304, '']);
});

test('a rerun under one key asks for one round; the key for another review is refused', async () => {
  const rerun = (change: number) => call(`/reviews/${idOfChange(change)}/rerun`, { method: 'POST', headers: { 'idempotency-key': 'a-key-of-this-test-1' } });
  const [first, second] = [await rerun(1), await rerun(1)];
  expect([second.status, await second.text()]).toEqual([200, await first.text()]);
  expect((await world.stores.views.get(idOfChange(1)))?.page.rounds.length).toBe(2);
  expect((await rerun(2)).status).toBe(422);
});

test('a refusal, a missing object and a role that does not suffice are problems with their codes', async () => {
  const codeOf = async (response: Response): Promise<unknown> => [
    response.status,
    response.headers.get('content-type')?.split(';')[0],
    ((await response.json()) as { code: unknown }).code,
  ];
  const archive = await call(`/reviews/${idOfChange(1)}/archive`, { method: 'POST' });
  expect(await codeOf(archive)).toEqual([409, 'application/problem+json', 'COMMAND_REFUSED']);
  expect(await codeOf(await call(`/reviews/${idOfChange(99)}`))).toEqual([404, 'application/problem+json', 'NOT_FOUND']);
  expect(await codeOf(await call('/settings', { as: 'viewer' }))).toEqual([403, 'application/problem+json', 'ROLE_REQUIRED']);
  expect(await codeOf(await call('/reviews', { as: 'nobody' }))).toEqual([401, 'application/problem+json', 'SIGN_IN_REQUIRED']);
  expect(await codeOf(await call('/reviews?status=nonsense'))).toEqual([400, 'application/problem+json', 'REQUEST_INVALID']);
});

test('the description becomes a provider of our own engine, which lists the reviews of the running server', async () => {
  const home = temporaryFolder();
  try {
    const spec = path.resolve(import.meta.dirname, '../../../../docs/reference/openapi.json');
    const weir = (...args: readonly string[]) => runProgram(home.folder, ['provider', ...args], { env: { WEIR_WEIR_TOKEN: 'viewer' } });
    const added = await weir('add', 'weir', '--spec', spec, '--base-url', server.origin);
    expect([added.code, added.stdout]).toEqual([0, expect.stringContaining(`${API_ROUTES.length} of ${API_ROUTES.length} operations compiled`)]);
    const listed = await weir('call', 'weir', 'listReviews', '--limit', '1', '--allow-origin', server.origin);
    expect([listed.code, listed.stderr]).toEqual([0, '']);
    expect(listed.stdout).toContain(idOfChange(1));
  } finally {
    home.release();
  }
}, 60_000);
