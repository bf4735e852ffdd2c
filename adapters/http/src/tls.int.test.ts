import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { verifies } from '@weir/requirements';
import { afterAll, beforeAll, expect, test } from 'vitest';

const run = promisify(execFile);
const folder = mkdtempSync(path.join(tmpdir(), 'weir-tls-'));
const key = path.join(folder, 'key.pem');
const certificate = path.join(folder, 'cert.pem');
const server = { origin: '', close: () => undefined as void };

/** Asks in a process of its own: Node reads NODE_EXTRA_CA_CERTS once, at its start. */
async function ask(origin: string, environment: Record<string, string>): Promise<string> {
  const program = `
    import { createHttp } from ${JSON.stringify(path.resolve(import.meta.dirname, 'index.ts'))};
    const lookup = (hostname, options, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }]);
    const request = { method: 'GET', url: process.argv[1], headers: {}, firstByteTimeoutMs: 9000, idleTimeoutMs: 9000, maxBytes: 1000 };
    try {
      const response = await createHttp({ allowOrigins: [process.argv[1]], lookup }).send(request, new AbortController().signal);
      for await (const chunk of response.body) process.stdout.write(chunk);
    } catch (error) { process.stdout.write(error.kind + ': ' + error.message); }`;
  const { stdout } = await run(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program, origin], {
    env: { ...process.env, ...environment },
    cwd: import.meta.dirname,
  });
  return stdout;
}

beforeAll(async () => {
  const subject = ['-subj', '/CN=models.corp', '-addext', 'subjectAltName=DNS:models.corp'];
  await run('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-keyout', key, '-out', certificate, ...subject]);
  const listening = createServer({ key: readFileSync(key), cert: readFileSync(certificate) }, (_, outgoing) => void outgoing.end('over tls'));
  await once(listening.listen(0, '127.0.0.1'), 'listening');
  server.origin = `https://models.corp:${(listening.address() as AddressInfo).port}`;
  server.close = () => void listening.close();
});

afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

test('a private authority is trusted through NODE_EXTRA_CA_CERTS', async () => {
  expect(await ask(server.origin, { NODE_EXTRA_CA_CERTS: certificate })).toBe('over tls');
});

test(`${verifies('REV-40')} an unknown certificate is not trusted, even where the origin is allowed`, async () => {
  expect(await ask(server.origin, {})).toBe(
    `unreachable: ${server.origin} has a certificate that is not trusted. For a private authority, start with NODE_EXTRA_CA_CERTS=<its certificate file>.`,
  );
});

test(`${verifies('REV-40')} a certificate for another name is not trusted`, async () => {
  const other = server.origin.replace('models.corp', 'other.corp');
  expect(await ask(other, { NODE_EXTRA_CA_CERTS: certificate })).toBe(`unreachable: ${other} has a certificate for another name. Check the host name.`);
});

test('https to a port that speaks no TLS gets a sentence', async () => {
  const { createServer: createPlain } = await import('node:http');
  const plain = createPlain((_, outgoing) => void outgoing.end());
  await once(plain.listen(0, '127.0.0.1'), 'listening');
  const origin = `https://models.corp:${(plain.address() as AddressInfo).port}`;
  expect(await ask(origin, {})).toContain('does not speak TLS on this port');
  plain.close();
});
