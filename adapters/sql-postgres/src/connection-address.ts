/**
 * Reads the address of a PostgreSQL server: `postgres://user:password@host:port/database?sslmode=verify-full`.
 * Only the parameters below exist; an unknown one is refused, so that no connection is less safe than its address says.
 */
import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import { AppError } from '@weir/kernel';

export interface ConnectionAddress {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string | undefined;
  readonly database: string;
  readonly applicationName: string | undefined;
  /** `false` is a connection in clear text. */
  readonly tls: false | ConnectionOptions;
}

const DEFAULT_PORT = 5432;
const PARAMETERS: readonly string[] = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'host', 'application_name'];

/**
 * The modes of libpq that cannot fall back to clear text in silence. Source: PostgreSQL's manual, 34.19 (SSL support).
 * `prefer` and `allow` are left out for that reason.
 */
const TLS_MODES = {
  disable: () => false,
  // As libpq: encrypted, and verified against the authority only where one is named.
  require: (files: TlsFiles) => (files.ca === undefined ? { ...files, rejectUnauthorized: false } : { ...files, checkServerIdentity: () => undefined }),
  'verify-ca': (files: TlsFiles) => ({ ...files, checkServerIdentity: () => undefined }),
  'verify-full': (files: TlsFiles) => ({ ...files }),
} satisfies Record<string, (files: TlsFiles) => false | ConnectionOptions>;

interface TlsFiles {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

const invalid = (sentence: string): AppError => new AppError('CONFIG_INVALID', `The database address is not usable: ${sentence}`);

/** @throws AppError CONFIG_INVALID, which never repeats the address, since it holds a password. */
export function readConnectionAddress(text: string): ConnectionAddress {
  const url = readUrl(text);
  const user = decoded(url.username);
  if (user === '') throw invalid('it names no user.');
  const host = url.searchParams.get('host') || decoded(url.hostname).replace(/^\[(.*)\]$/, '$1');
  return {
    host,
    port: Number(url.port || DEFAULT_PORT),
    user,
    password: decoded(url.password) || undefined,
    database: decoded(url.pathname.slice(1)) || user,
    applicationName: url.searchParams.get('application_name') ?? undefined,
    tls: readTls(url.searchParams, host),
  };
}

function readUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['postgres:', 'postgresql:'].includes(url.protocol)) throw invalid('it has to begin with `postgres://` and be a URL.');
  for (const name of url.searchParams.keys()) {
    if (!PARAMETERS.includes(name)) throw invalid(`it has the unknown parameter \`${name}\`; known are ${PARAMETERS.join(', ')}.`);
  }
  return url;
}

function readTls(parameters: URLSearchParams, host: string): false | ConnectionOptions {
  const mode = parameters.get('sslmode') ?? 'disable';
  const files = {
    ...readFile('ca', parameters.get('sslrootcert')),
    ...readFile('cert', parameters.get('sslcert')),
    ...readFile('key', parameters.get('sslkey')),
  };
  if (!isTlsMode(mode)) throw invalid(`\`sslmode=${mode}\` is not one of ${Object.keys(TLS_MODES).join(', ')}.`);
  if (mode === 'disable' && Object.keys(files).length > 0) throw invalid('it names TLS files without an `sslmode` that uses them.');
  // Any public authority signs for a stranger's host, so without a name check the authority has to be one's own.
  if (mode === 'verify-ca' && files.ca === undefined) throw invalid('`sslmode=verify-ca` needs `sslrootcert`; or use `verify-full`.');
  if (mode !== 'disable' && host.startsWith('/')) throw invalid('a unix socket has no TLS.');
  return TLS_MODES[mode](files);
}

const isTlsMode = (mode: string): mode is keyof typeof TLS_MODES => Object.hasOwn(TLS_MODES, mode);

function readFile(name: keyof TlsFiles, path: string | null): TlsFiles {
  if (path === null) return {};
  try {
    return { [name]: readFileSync(path, 'utf8') };
  } catch (cause) {
    throw new AppError('CONFIG_INVALID', `The database address names the TLS file ${path}, which cannot be read.`, { cause });
  }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw invalid('it holds a `%` that is no escape; write it as `%25`.');
  }
}
