/** A certificate for one host name that signs itself, so that it is its own authority. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TlsPair } from './start-postgres.ts';

export function selfSigned(host: string): TlsPair {
  const folder = mkdtempSync(path.join(tmpdir(), 'weir-certificate-'));
  const [key, certificate] = [path.join(folder, 'key.pem'), path.join(folder, 'certificate.pem')];
  const names = ['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-keyout', key, '-out', certificate, ...names], { stdio: 'ignore' });
  const pair = { key: readFileSync(key, 'utf8'), certificate: readFileSync(certificate, 'utf8') };
  rmSync(folder, { recursive: true });
  return pair;
}
