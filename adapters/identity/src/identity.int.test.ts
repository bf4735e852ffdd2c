import { migrate } from '@weir/migrator';
import type { SqlPort } from '@weir/ports';
import { verifies } from '@weir/requirements';
import { createPglite } from '@weir/sql-pglite';
import { createPostgres } from '@weir/sql-postgres';
import { freshDatabase } from '@weir/test-infra';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createIdentity } from './create-identity.ts';
import { IDENTITY_MIGRATIONS } from './migrations.ts';
import { KEPT_MS, sqlAnswerStore } from './sql.answer-store.ts';
import { sqlApiTokens } from './sql.api-tokens.ts';
import { ABSOLUTE_MS, IDLE_MS, sqlSessionStore } from './sql.session-store.ts';
import { LINK_MS, sqlSignInLinks } from './sql.sign-in-links.ts';

const database = await freshDatabase();
const VIEWER = { subject: 'https://id.example#1', name: 'Ada', role: 'viewer' } as const;

/** @param ports two of them, as two processes have. */
function identityTests(ports: () => readonly [SqlPort, SqlPort]): void {
  function open() {
    const clock = { now: 1_000_000_000_000 };
    const now = (): number => clock.now;
    const of = (port: SqlPort) => ({ sessions: sqlSessionStore(port, now), links: sqlSignInLinks(port, now), tokens: sqlApiTokens(port, now) });
    const [one, other] = ports();
    return { clock, ...of(one), other: of(other), answers: [sqlAnswerStore(one, now), sqlAnswerStore(other, now)] as const };
  }

  test(`${verifies('REV-39a')} a session is known to every process until it is ended, and its secret stands nowhere`, async () => {
    const { sessions, other } = open();
    const secret = await sessions.open(VIEWER);
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect(await other.sessions.find(secret)).toEqual(VIEWER);
    const { rows } = await ports()[0].query('select * from weir_sessions');
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(secret);
    await other.sessions.end(secret);
    expect(await sessions.find(secret)).toBe(null);
  });

  test(`${verifies('REV-39a')} a session ends when nobody uses it, and at the latest after its time`, async () => {
    const { sessions, clock } = open();
    const idle = await sessions.open(VIEWER);
    const used = await sessions.open(VIEWER);
    const began = clock.now;
    while (clock.now + IDLE_MS - 1 < began + ABSOLUTE_MS) {
      clock.now += IDLE_MS - 1;
      expect(await sessions.find(used)).toEqual(VIEWER);
    }
    expect(await sessions.find(idle)).toBe(null);
    clock.now = began + ABSOLUTE_MS;
    expect(await sessions.find(used)).toBe(null);
  });

  test(`${verifies('REV-39a')} a link opens one session of the local admin, though two ask at a time, and only in its time`, async () => {
    const { sessions, tokens, links, other, clock } = open();
    const [here, there] = [createIdentity({ sessions, tokens, links }), createIdentity(other)];
    const link = await links.make();
    const opened = (await Promise.all([here.useLink(link), there.useLink(link)])).filter(one => one !== null);
    expect(opened).toHaveLength(1);
    expect(await there.session(opened[0] ?? '')).toEqual({ subject: 'local:admin', name: 'Local admin', role: 'admin', by: 'session' });
    await there.signOut(opened[0] ?? '');
    expect(await here.session(opened[0] ?? '')).toBe(null);
    const late = await links.make();
    clock.now += LINK_MS;
    expect(await here.useLink(late)).toBe(null);
    expect(await here.useLink('unknown')).toBe(null);
  });

  test(`${verifies('REV-39a')} a token is shown once, has its role, expires and is revoked`, async () => {
    const { sessions, tokens, links, other, clock } = open();
    const identity = createIdentity({ sessions, tokens, links });
    const lasting = await tokens.create({ label: 'ci', role: 'viewer', expiresAt: null });
    const short = await tokens.create({ label: 'short', role: 'admin', expiresAt: clock.now + 10 });
    expect(await identity.bearer(lasting.secret)).toEqual({ subject: `token:${lasting.id}`, name: 'ci', role: 'viewer', by: 'bearer' });
    expect((await identity.bearer(short.secret))?.role).toBe('admin');
    clock.now += 10;
    expect(await identity.bearer(short.secret)).toBe(null);
    expect(await other.tokens.revoke(lasting.id)).toBe(true);
    expect(await identity.bearer(lasting.secret)).toBe(null);
    const revokedAt = clock.now;
    clock.now += 10;
    await tokens.revoke(lasting.id);
    expect((await tokens.list()).find(({ id }) => id === lasting.id)).toMatchObject({ label: 'ci', revokedAt });
    expect(JSON.stringify(await tokens.list())).not.toContain('weir_at_');
    expect(await tokens.revoke('unknown')).toBe(false);
    expect(await identity.session(lasting.secret)).toBe(null);
  });

  test(`${verifies('REV-39a')} a key of a write is claimed once among processes, is its subject's alone, and keeps its answer for a day`, async () => {
    const { answers, clock } = open();
    const [here, there] = answers;
    const request = { subject: 'a', key: 'key-00000001', fingerprint: 'f' };
    const claims = await Promise.all([here.claim(request), there.claim(request)]);
    expect([...claims].sort()).toEqual(['new', 'under_way']);
    expect(await there.claim({ ...request, subject: 'b' })).toBe('new');
    await here.keep(request, { status: 200, body: '{"a":1}' });
    await here.release(request);
    expect(await there.claim(request)).toEqual({ status: 200, body: '{"a":1}' });
    expect(await there.claim({ ...request, fingerprint: 'g' })).toBe('other_request');
    const failed = { ...request, key: 'key-00000002' };
    await here.claim(failed);
    await here.release(failed);
    expect(await there.claim(failed)).toBe('new');
    clock.now += KEPT_MS;
    expect(await here.claim(request)).toBe('new');
  });
}

describe('embedded', () => {
  let port: SqlPort;
  beforeAll(async () => {
    port = await createPglite({ dataFolder: null, onNotice: () => undefined });
    await migrate(port, IDENTITY_MIGRATIONS);
  });
  afterAll(() => port.close());
  identityTests(() => [port, port]);
});

describe.skipIf(database === undefined)('on a PostgreSQL server', () => {
  let ports: readonly [SqlPort, SqlPort];
  beforeAll(async () => {
    const url = database?.url ?? '';
    ports = [createPostgres({ url }), createPostgres({ url })];
    await migrate(ports[0], IDENTITY_MIGRATIONS);
  });
  afterAll(() => Promise.all(ports.map(port => port.close())));
  identityTests(() => ports);
});
