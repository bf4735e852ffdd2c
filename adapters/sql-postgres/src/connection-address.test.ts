import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readConnectionAddress } from './connection-address.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'weir-address-'));
const authority = path.join(folder, 'authority.pem');
writeFileSync(authority, 'an authority');
afterAll(() => rmSync(folder, { recursive: true }));

test('the parts of an address are read and decoded', () => {
  expect(readConnectionAddress('postgres://ann:p%40ss%2Fword@db.example:6543/weir%20data?application_name=test')).toEqual({
    host: 'db.example',
    port: 6543,
    user: 'ann',
    password: 'p@ss/word',
    database: 'weir data',
    applicationName: 'test',
    tls: false,
  });
});

test("what is left out has PostgreSQL's defaults", () => {
  expect(readConnectionAddress('postgresql://ann@localhost')).toMatchObject({ host: 'localhost', port: 5432, database: 'ann', password: undefined });
  expect(readConnectionAddress('postgres://ann@localhost?host=/run/postgresql')).toMatchObject({ host: '/run/postgresql' });
  expect(readConnectionAddress('postgres://ann@[::1]:5433/x')).toMatchObject({ host: '::1', port: 5433 });
});

test.each([
  ['disable', '', false],
  ['require', '', { rejectUnauthorized: false }],
  ['require', `&sslrootcert=${authority}`, { ca: 'an authority', checkServerIdentity: expect.any(Function) }],
  ['verify-ca', `&sslrootcert=${authority}`, { ca: 'an authority', checkServerIdentity: expect.any(Function) }],
  ['verify-full', '', {}],
  ['verify-full', `&sslrootcert=${authority}&sslcert=${authority}&sslkey=${authority}`, { ca: 'an authority', cert: 'an authority', key: 'an authority' }],
])('sslmode=%s%s', (mode, rest, tls) => {
  expect(readConnectionAddress(`postgres://ann@host/x?sslmode=${mode}${rest}`).tls).toEqual(tls);
});

test.each([
  ['no URL', 'hunter2', /begin with `postgres:\/\/`/],
  ['another scheme', 'mysql://ann:hunter2@host/x', /begin with `postgres:\/\/`/],
  ['no user', 'postgres://host/x', /no user/],
  ['a mode that may fall back to clear text', 'postgres://ann:hunter2@host/x?sslmode=prefer', /`sslmode=prefer` is not one of/],
  ['an unknown parameter', 'postgres://ann:hunter2@host/x?sslmod=require', /unknown parameter `sslmod`/],
  ['an authority that nobody checks', `postgres://ann:hunter2@host/x?sslrootcert=${authority}`, /without an `sslmode`/],
  ['verify-ca without an authority', 'postgres://ann:hunter2@host/x?sslmode=verify-ca', /needs `sslrootcert`/],
  ['TLS on a socket', 'postgres://ann:hunter2@x/x?host=/run/postgresql&sslmode=require', /unix socket/],
  ['a file that is not there', 'postgres://ann:hunter2@host/x?sslmode=verify-full&sslrootcert=/nowhere.pem', /\/nowhere\.pem, which cannot be read/],
  ['a bad escape', 'postgres://ann:hunter2%zz@host/x', /`%25`/],
])('%s is refused, and the message holds no password', (_, address, sentence) => {
  let message = '';
  try {
    readConnectionAddress(address);
  } catch (error) {
    expect(error).toMatchObject({ code: 'CONFIG_INVALID' });
    message = String(error);
  }
  expect(message).toMatch(sentence);
  expect(message).not.toContain('hunter2');
});
