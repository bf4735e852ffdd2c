/** `weir token`, run as a person runs it beside a running server, and what its tokens open there. */
import path from 'node:path';
import { verifies } from '@weir/requirements';
import { createHost, freePort, type Host, installProgram, type Program, type ServerProcess } from '@weir/test-infra';
import { afterAll, beforeAll, expect, test } from 'vitest';

const OPENAPI = path.resolve(import.meta.dirname, '../../../../docs/reference/openapi.json');
let program: Program;
let host: Host;
let server: ServerProcess;
let origin: string;

beforeAll(async () => {
  program = installProgram();
  host = createHost({ program, env: {} });
  const port = await freePort();
  origin = `http://127.0.0.1:${port}`;
  server = await host.serve(['--port', '0', '--hooks-port', '0', '--dashboard-port', String(port)]);
}, 60_000);
afterAll(async () => {
  await server.stop();
  host.remove();
  program.release();
});

const ask = async (token: string, at: string): Promise<number> =>
  (await fetch(`${origin}/api/v1${at}`, { headers: { authorization: `Bearer ${token}` } })).status;
const listed = async (): Promise<readonly { readonly id: string; readonly state: string; readonly role: string }[]> =>
  (JSON.parse(await host.command(['token', 'list', '--json'])) as { tokens: readonly { id: string; state: string; role: string }[] }).tokens;

test(`${verifies('REV-39a')} a token is printed once, opens what its role may, and nothing after it is revoked`, async () => {
  expect(await host.command(['token', 'list'])).toContain('No tokens yet.');
  const viewer = (await host.command(['token', 'create', '--label', 'ci', '--quiet'])).trim();
  const made = JSON.parse(await host.command(['token', 'create', '--role', 'admin', '--expires', '1h', '--json'])) as {
    readonly id: string;
    readonly token: string;
  };
  expect([await ask(viewer, '/reviews'), await ask(viewer, '/settings'), await ask(made.token, '/settings'), await ask('weir_at_other', '/reviews')]).toEqual([
    200, 403, 200, 401,
  ]);
  const text = await host.command(['token', 'list', '--json']);
  expect(text).not.toContain(viewer);
  expect((await listed()).map(({ role, state }) => [role, state])).toEqual([
    ['admin', 'valid'],
    ['viewer', 'valid'],
  ]);
  expect(await host.command(['token', 'revoke', made.id])).toBe(`revoked ${made.id}\n`);
  expect(await ask(made.token, '/reviews')).toBe(401);
  expect((await listed()).find(({ id }) => id === made.id)?.state).toBe('revoked');
});

test.each([
  [['create', '--role', 'owner'], /--role is viewer or admin/],
  [['create', '--expires', 'soon'], /--expires is a span/],
  [['revoke', 'unknown'], /There is no token unknown/],
])(`${verifies('REV-39a')} weir token %j says what is wrong`, async (args, sentence) => {
  await expect(host.command(['token', ...args])).rejects.toThrow(sentence);
});

test(`${verifies('REV-39a')} our own engine lists the reviews of the running server with a token`, async () => {
  const token = (await host.command(['token', 'create', '--quiet'])).trim();
  await host.command(['provider', 'add', 'weir', '--spec', OPENAPI, '--base-url', origin]);
  const answer = await host.command(['provider', 'call', 'weir', 'listReviews', '--limit', '5', '--allow-origin', origin], { WEIR_WEIR_TOKEN: token });
  expect(JSON.parse(answer)).toMatchObject({ items: [], totals: { all: 0 } });
});
