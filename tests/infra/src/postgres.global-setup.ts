/**
 * Vitest's global setup for the test files that need a PostgreSQL server: one server for all of them, started by the first
 * that asks. Test files ask over a unix socket, since each runs in a process of its own; each question makes one database.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { findPostgres } from './find-postgres.ts';
import { type PostgresServer, startPostgres } from './start-postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The socket that hands out databases; undefined where no server is installed. */
    postgresSocket: string | undefined;
  }
}

export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const bin = findPostgres();
  if (bin === undefined) {
    project.provide('postgresSocket', undefined);
    return undefined;
  }
  const folder = mkdtempSync(path.join(tmpdir(), 'weir-postgres-socket-'));
  const socketPath = path.join(folder, 'databases');
  let server: Promise<PostgresServer> | undefined;
  let count = 0;
  const desk = createServer(socket => {
    server ??= startPostgres(bin);
    count += 1;
    const name = `test_${count}`;
    server.then(
      started => socket.end(started.createDatabase(name)),
      (error: unknown) => socket.end(`failed: ${String(error)}`),
    );
  });
  await new Promise<void>(resolve => desk.listen(socketPath, resolve));
  project.provide('postgresSocket', socketPath);
  return async () => {
    await new Promise(resolve => desk.close(resolve));
    await (await server)?.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}
