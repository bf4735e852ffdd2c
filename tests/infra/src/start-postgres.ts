/**
 * Starts a PostgreSQL server for tests: a temporary data directory, a free port of 127.0.0.1, no fsync.
 * As root it runs as the user postgres, since the server refuses root.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from './free-port.ts';

/** As PEM text. */
export interface TlsPair {
  readonly certificate: string;
  readonly key: string;
}

export interface PostgresServer {
  /** Of the database `postgres`, as the superuser. */
  readonly url: string;
  readonly port: number;
  readonly dataFolder: string;
  /** A new, empty database from the template. @returns its URL. */
  createDatabase(name: string): string;
  stop(): Promise<void>;
}

interface ServerUser {
  readonly uid?: number;
  readonly gid?: number;
}

const TEMPLATE = 'weir_template';
const START_ATTEMPTS = 200;
const START_PAUSE_MS = 50;

/** Speed instead of durability: the data lives as long as the tests. */
const SETTINGS = ['fsync=off', 'full_page_writes=off', 'synchronous_commit=off', 'max_connections=200', 'shared_buffers=64MB'];

/** Ends the server, and removes its folder, when its standard input ends: also when the test process was killed and could not say goodbye. */
const WATCHED = '"$0" "$@" & server=$!; trap "kill -INT $server" TERM INT; cat >/dev/null; kill -INT $server; wait $server; rm -rf "$PWD"';

/** @param bin from `findPostgres`. */
export async function startPostgres(bin: string, tls?: TlsPair): Promise<PostgresServer> {
  const folder = mkdtempSync(path.join(tmpdir(), 'weir-postgres-'));
  const user = serverUser();
  own(folder, user);
  chmodSync(folder, 0o700);
  const run = (program: string, ...args: string[]): string =>
    execFileSync(path.join(bin, program), args, { ...user, encoding: 'utf8', cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  const dataFolder = path.join(folder, 'data');
  run('initdb', '--pgdata', dataFolder, '--username=postgres', '--auth=trust', '--no-sync', '--encoding=UTF8', '--locale=C.UTF-8');
  const port = await freePort();
  const server = launch(path.join(bin, 'postgres'), { dataFolder, folder, port, user, tls });
  const psql = (statement: string): string =>
    run('psql', '--no-psqlrc', '--quiet', '--tuples-only', '--host=127.0.0.1', `--port=${port}`, '--username=postgres', `--command=${statement}`, 'postgres');
  await untilReady(() => psql('select 1'), server);
  psql(`create database ${TEMPLATE} is_template true`);

  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    port,
    dataFolder,
    createDatabase(name) {
      psql(`create database "${name}" template ${TEMPLATE}`);
      return `postgres://postgres@127.0.0.1:${port}/${name}`;
    },
    async stop() {
      await ended(server);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function serverUser(): ServerUser {
  if (process.getuid?.() !== 0) return {};
  const id = (flag: string): number => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

interface Launch {
  readonly dataFolder: string;
  readonly folder: string;
  readonly port: number;
  readonly user: ServerUser;
  readonly tls: TlsPair | undefined;
}

function launch(postgres: string, { dataFolder, folder, port, user, tls }: Launch): ChildProcess {
  const secured = tls === undefined ? [] : secure(tls, folder, user);
  const settings = [...SETTINGS, ...secured, 'listen_addresses=127.0.0.1', `port=${port}`, `unix_socket_directories=${folder}`];
  const args = ['-D', dataFolder, ...settings.flatMap(setting => ['-c', setting])];
  return spawn('sh', ['-c', WATCHED, postgres, ...args], { ...user, cwd: folder, stdio: ['pipe', 'ignore', 'ignore'] });
}

/** The server takes a key only from a file that is its own and that nobody else may read. */
function secure(tls: TlsPair, folder: string, user: ServerUser): string[] {
  const files = { certificate: path.join(folder, 'certificate.pem'), key: path.join(folder, 'key.pem') };
  for (const name of ['certificate', 'key'] as const) {
    writeFileSync(files[name], tls[name], { mode: 0o600 });
    own(files[name], user);
  }
  return ['ssl=on', `ssl_cert_file=${files.certificate}`, `ssl_key_file=${files.key}`];
}

function own(file: string, { uid, gid }: ServerUser): void {
  if (uid !== undefined && gid !== undefined) chownSync(file, uid, gid);
}

async function untilReady(ask: () => unknown, server: ChildProcess): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      ask();
      return;
    } catch (error) {
      if (attempt === START_ATTEMPTS || server.exitCode !== null) throw error;
      await new Promise(resolve => setTimeout(resolve, START_PAUSE_MS));
    }
  }
}

function ended(server: ChildProcess): Promise<void> {
  return new Promise(resolve => {
    if (server.exitCode !== null) resolve();
    else server.once('exit', () => resolve());
    server.stdin?.end();
  });
}
