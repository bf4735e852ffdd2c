import { createHash, generateKeyPairSync } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Forge, startForge } from '@weir/forge-simulator';
import { verifies } from '@weir/requirements';
import { createPglite } from '@weir/sql-pglite';
import { createPostgres } from '@weir/sql-postgres';
import { freshDatabase } from '@weir/test-infra';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { runProgram } from './test-program.ts';

let forge: Forge;
beforeAll(async () => {
  forge = await startForge({ kind: 'gitea' });
  const { seed } = forge;
  for (const login of ['acme', 'weir-bot']) seed.account({ login });
  await seed.repository({ owner: 'acme', name: 'shop' });
  seed.permit('acme/shop', 'weir-bot', 'admin');
});
afterAll(() => forge.close());

let home: string;
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'weir-writes-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const config = (file: string): string => path.join(home, 'config/weir', file);
const data = (): string => path.join(home, 'data/weir');

function writeConfig(file: string, text: string): void {
  mkdirSync(path.dirname(config(file)), { recursive: true });
  writeFileSync(config(file), text);
}

const ALLOWED = 'allowed_mutations: [issueCreateIssue]\n';
const weir = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runProgram(home, args, { env: { GITEA_TOKEN: forge.token('weir-bot'), ...env } });
const at = (): string[] => ['--base-url', forge.url, '--allow-origin', forge.url];
const create = (title: string, env: Readonly<Record<string, string>> = {}) =>
  weir(['provider', 'call', 'gitea', 'issueCreateIssue', '--owner', 'acme', '--repo', 'shop', '--title', title, ...at()], env);
const audit = async (...args: readonly string[]) => {
  const { stdout, code, stderr } = await weir(['provider', 'audit', '--json', ...args]);
  return { code, stderr, report: JSON.parse(stdout || 'null') as Record<string, unknown> & { anchor: string; faults: string[]; open: unknown[] } };
};
const issues = (): number => forge.requests.filter(({ method }) => method === 'POST').length;

describe('the policy', () => {
  test(`${verifies('PRV-17', 'PRV-18')} a denied write opens no socket, no database and makes no key`, async () => {
    const before = forge.requests.length;
    const denied = await create('never');
    expect(denied).toMatchObject({ code: 4, stdout: '' });
    expect(denied.stderr).toContain('error[FORGE_DENIED]: gitea issueCreateIssue: a write that the policy does not name');
    expect(denied.stderr).toContain(`allowed_mutations of ${config('policy/gitea.yaml')}`);
    writeConfig('policy/gitea.yaml', `${ALLOWED}read_only: true\n`);
    expect(await create('never')).toMatchObject({ code: 4, stderr: expect.stringContaining('the policy is read-only') });
    expect([forge.requests.length - before, existsSync(data()), existsSync(config('receipt-key.pem'))]).toEqual([0, false, false]);
  });

  test(`${verifies('PRV-9', 'PRV-17')} wrong arguments and a policy that cannot be read are refused before anything is opened`, async () => {
    writeConfig('policy/gitea.yaml', ALLOWED);
    expect(await weir(['provider', 'call', 'gitea', 'issueCreateIssue', '--owner', 'acme', ...at()])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('error[ARGUMENTS_INVALID]'),
    });
    writeConfig('policy/gitea.yaml', 'alowed_mutations: [issueCreateIssue]\nreceipts: never\n');
    const unknown = await create('never');
    expect(unknown).toMatchObject({ code: 3, stderr: expect.stringContaining('alowed_mutations: this key is not known (did you mean allowed_mutations?)') });
    expect(unknown.stderr).toContain('receipts: ');
    rmSync(config('policy/gitea.yaml'));
    writeConfig('policy/gitae.yaml', ALLOWED);
    expect(await create('never')).toMatchObject({ code: 3, stderr: expect.stringContaining('is the policy of no provider (did you mean gitea?)') });
    expect(existsSync(data())).toBe(false);
  });

  test(`${verifies('PRV-18')} a read opens no database`, async () => {
    expect(await weir(['provider', 'call', 'gitea', 'userGetCurrent', ...at()])).toMatchObject({ code: 0, stderr: '' });
    expect(existsSync(data())).toBe(false);
  });
});

describe('the receipt key', () => {
  test(`${verifies('PRV-18')} a key that others may read, that is none, or whose public half is alone or another's is refused, with what to do`, async () => {
    writeConfig('policy/gitea.yaml', ALLOWED);
    const ed25519 = () =>
      generateKeyPairSync('ed25519', { privateKeyEncoding: { format: 'pem', type: 'pkcs8' }, publicKeyEncoding: { format: 'pem', type: 'spki' } });
    const refusal = async () => {
      const { code, stderr, stdout } = await create('never');
      expect({ code, stdout, database: existsSync(data()) }).toEqual({ code: 3, stdout: '', database: false });
      return stderr;
    };
    writeConfig('receipt-key.pub.pem', ed25519().publicKey);
    expect(await refusal()).toMatch(/receipt-key\.pem is missing[^]*Restore the key/);
    writeConfig('receipt-key.pem', ed25519().privateKey);
    chmodSync(config('receipt-key.pem'), 0o640);
    expect(await refusal()).toMatch(/mode 640[^]*chmod 600/);
    chmodSync(config('receipt-key.pem'), 0o600);
    expect(await refusal()).toMatch(/does not belong to/);
    writeConfig('receipt-key.pem', 'no key');
    expect(await refusal()).toMatch(/is not the PEM of an Ed25519 private key/);
  });
});

describe('an audit', () => {
  test('of an installation that never wrote is intact, opens nothing, and sees a lost log by its anchor', async () => {
    expect(await audit()).toMatchObject({ code: 0, stderr: '', report: { intact: true, lines: 0, anchor: null } });
    expect(await audit('--anchor', `2:${'a'.repeat(64)}`)).toMatchObject({
      code: 1,
      report: { intact: false, faults: [expect.stringContaining('its end was cut off')] },
    });
    expect(await weir(['provider', 'audit', '--anchor', '2'])).toMatchObject({ code: 2, stderr: expect.stringContaining('sequence:hash') });
    expect(existsSync(data())).toBe(false);
  });
});

test(`${verifies('PRV-18')} an allowed write leaves a receipt and two lines; the next process continues the chain; a changed log is broken`, async () => {
  writeConfig('policy/gitea.yaml', ALLOWED);
  const first = await create('one');
  expect(first).toMatchObject({ code: 0, stderr: expect.stringContaining('does not call fsync') });
  expect(first.stderr).toContain('The write and its receipt are in the audit log');
  expect(JSON.parse(first.stdout)).toMatchObject({ title: 'one' });
  expect(statSync(config('receipt-key.pem')).mode & 0o777).toBe(0o600);
  const once = await audit();
  expect(once).toMatchObject({ code: 0, report: { intact: true, lines: 2, receipts: 1, unsigned: 0, openCount: 0 } });
  expect(await create('two')).toMatchObject({ code: 0 });
  expect(await audit('--anchor', once.report.anchor)).toMatchObject({ code: 0, report: { lines: 4, receipts: 2 } });
  expect(await audit('--provider', 'github')).toMatchObject({ code: 0, report: { lines: 4, receipts: 0 } });
  const people = await weir(['provider', 'audit']);
  expect(people.stdout).toMatch(/^The audit log is intact: 4 lines, 2 receipts verified\.\n.*--anchor 4:[0-9a-f]{64}\n$/);
  expect(readdirSync(path.join(data(), 'holders'))).toEqual([]);

  const other = generateKeyPairSync('ed25519', {
    privateKeyEncoding: { format: 'pem', type: 'pkcs8' },
    publicKeyEncoding: { format: 'pem', type: 'spki' },
  }).publicKey;
  writeFileSync(path.join(home, 'other.pem'), other);
  expect(await audit('--public-key', path.join(home, 'other.pem'))).toMatchObject({
    code: 1,
    report: { faults: [expect.stringContaining('Line 1: its receipt is not signed by the pinned key'), expect.stringContaining('Line 3')] },
  });
  expect(await audit('--public-key', path.join(home, 'other.pem'), '--public-key', config('receipt-key.pub.pem'))).toMatchObject({ code: 0 });

  // While another process has the database, a write is not sent.
  const sql = await createPglite({ dataFolder: data(), onNotice: () => undefined });
  const sent = issues();
  expect(await create('three')).toMatchObject({ code: 3, stdout: '', stderr: expect.stringMatching(/error\[DATABASE_LOCKED\].*process \d+/) });
  expect(issues()).toBe(sent);

  // Somebody with the database's own rights rewrites the whole chain: every hash fits, the receipt does not.
  await sql.query('alter table weir_audit_log disable trigger all');
  const { rows } = await sql.query<{ sequence: string; text: string }>('select sequence, text from weir_audit_log order by sequence');
  let previous = '0'.repeat(64);
  for (const { sequence, text } of rows) {
    const forged = sequence === '3' || sequence === '4' ? text.replaceAll('"actor":"cli"', '"actor":"ann"') : text;
    const hash = createHash('sha256').update(`${previous}\n${sequence}\n${forged}`).digest('hex');
    await sql.query('update weir_audit_log set text = $2, hash = $3 where sequence = $1', [sequence, forged, hash]);
    previous = hash;
  }
  await sql.query("delete from weir_audit_log where sequence = '4'");
  await sql.close();
  const forged = await audit();
  expect(forged).toMatchObject({ code: 1, report: { intact: false, openCount: 1, faults: ['Line 3: its receipt is for another actor.'] } });
  expect(forged.report.open).toMatchObject([{ sequence: 3, operation: 'issueCreateIssue', actor: 'ann' }]);

  const again = await createPglite({ dataFolder: data(), onNotice: () => undefined });
  await again.query("update weir_audit_log set text = replace(text, 'gitea', 'gitlab') where sequence = '2'");
  await again.close();
  expect(await weir(['provider', 'audit'])).toMatchObject({ code: 1, stdout: expect.stringMatching(/BROKEN[^]*Line 2 does not fit its hash/) });
}, 300_000);

const database = await freshDatabase();

describe.skipIf(database === undefined)('on a PostgreSQL server', () => {
  test(`${verifies('PRV-18')} two processes write into one chain at once; the address is never printed`, async () => {
    writeConfig('policy/gitea.yaml', ALLOWED);
    const env = { WEIR_STORAGE_DATABASE: database?.url ?? '' };
    const writes = await Promise.all([create('one', env), create('two', env)]);
    expect(writes.map(({ code, stderr }) => [code, stderr])).toEqual(writes.map(() => [0, expect.stringContaining('in the audit log')]));
    const { stdout, code } = await weir(['provider', 'audit', '--json'], env);
    expect({ code, report: JSON.parse(stdout) as unknown }).toMatchObject({ code: 0, report: { lines: 4, receipts: 2 } });
    const sql = createPostgres({ url: database?.url ?? '' });
    expect((await sql.query('select count(*)::int as lines from weir_audit_log')).rows).toEqual([{ lines: 4 }]);
    await sql.close();
    expect(existsSync(data())).toBe(false);
  });

  test('an address that cannot be used is never printed', async () => {
    writeConfig('policy/gitea.yaml', ALLOWED);
    for (const address of [
      'postgres://bot:hunter2-canary@127.0.0.1:1/none',
      'postgres://bot:hunter2-canary@127.0.0.1:1/none?sslmode=prefer',
      'hunter2-canary',
    ]) {
      const { code, stdout, stderr } = await create('never', { WEIR_STORAGE_DATABASE: address });
      expect([3, 5]).toContain(code);
      expect(stdout + stderr).not.toContain('canary');
      expect(stderr).toMatch(/^error\[(?:DATABASE_UNAVAILABLE|CONFIG_INVALID)\]/);
    }
    const { stdout } = await weir(['config', 'print', '--origin'], { WEIR_STORAGE_DATABASE: 'postgres://bot:hunter2-canary@host/none' });
    expect(stdout).toMatch(/storage\.database +\(set, not shown\) +\(environment: WEIR_STORAGE_DATABASE\)/);
  });
});

test(`${verifies('PRV-11')} a list whose page fails is not closed, and the exit code says so`, async () => {
  const { seed } = forge;
  for (let number = 0; number < 60; number += 1) seed.issue('acme/shop', { title: `issue ${number}`, by: 'weir-bot' });
  const list = () => weir(['provider', 'call', 'gitea', 'issueListIssues', '--owner', 'acme', '--repo', 'shop', '--all', ...at()]);
  const whole = await list();
  expect({ ...whole, stdout: (JSON.parse(whole.stdout) as unknown[]).length >= 60 }).toEqual({ code: 0, stderr: '', stdout: true });
  forge.faults.add({ fault: { kind: 'garbage' }, path: '/issues', after: 1, times: 9 });
  const cut = await list();
  expect(cut).toMatchObject({ code: 5, stderr: expect.stringContaining('error[FORGE_UNAVAILABLE]') });
  expect(cut.stdout.startsWith('[\n{')).toBe(true);
  expect(() => JSON.parse(cut.stdout) as unknown).toThrow(SyntaxError);
});
