import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findPostgres, type PostgresServer, startPostgres } from '@weir/test-infra';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPostgres } from './create-postgres.ts';

// Whether a missing server is a failure is decided once, by create-postgres.int.test.ts.
const bin = findPostgres();
const folder = mkdtempSync(path.join(tmpdir(), 'weir-postgres-tls-'));
const file = (name: string): string => path.join(folder, name);

function certify(name: string, subject: string): void {
  const names = ['-subj', `/CN=${subject}`, '-addext', `subjectAltName=DNS:${subject}`];
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-keyout', file(`${name}.key`), '-out', file(`${name}.pem`), ...names],
    {
      stdio: 'ignore',
    },
  );
}

describe.skipIf(bin === undefined)('over TLS', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    certify('server', 'localhost');
    certify('stranger', 'localhost');
    server = await startPostgres(bin ?? '', { certificate: readFileSync(file('server.pem'), 'utf8'), key: readFileSync(file('server.key'), 'utf8') });
  });
  afterAll(async () => {
    await server.stop();
    rmSync(folder, { recursive: true });
  });

  async function connect(host: string, query: string): Promise<unknown> {
    const sql = createPostgres({ url: `postgres://postgres@${host}:${server.port}/postgres?${query}` });
    try {
      return (await sql.query('select ssl from pg_stat_ssl where pid = pg_backend_pid()')).rows[0]?.['ssl'];
    } catch (error) {
      return String(error);
    } finally {
      await sql.close();
    }
  }

  test.each([
    ['localhost', 'sslmode=disable', false],
    ['localhost', 'sslmode=require', true],
    ['localhost', `sslmode=verify-full&sslrootcert=${file('server.pem')}`, true],
    ['127.0.0.1', `sslmode=verify-ca&sslrootcert=${file('server.pem')}`, true],
    ['127.0.0.1', `sslmode=verify-full&sslrootcert=${file('server.pem')}`, expect.stringContaining("does not match certificate's altnames")],
    ['localhost', 'sslmode=verify-full', expect.stringContaining('self-signed certificate')],
    ['localhost', `sslmode=verify-full&sslrootcert=${file('stranger.pem')}`, expect.stringContaining('self-signed certificate')],
    ['localhost', `sslmode=verify-ca&sslrootcert=${file('stranger.pem')}`, expect.stringContaining('self-signed certificate')],
    ['localhost', `sslmode=require&sslrootcert=${file('stranger.pem')}`, expect.stringContaining('self-signed certificate')],
  ])('%s with %s', async (host, query, outcome) => {
    expect(await connect(host, query)).toEqual(outcome);
  });
});
