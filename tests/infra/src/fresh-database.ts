/** A database of a real PostgreSQL server for one test file. Where no server is installed, a loud word, and in CI a failure. */
import { createConnection } from 'node:net';
import { text } from 'node:stream/consumers';
import { inject } from 'vitest';
import './postgres.global-setup.ts';

export interface TestDatabase {
  readonly url: string;
}

/**
 * @returns undefined where no server is installed; the test file then skips.
 * @throws where no server is installed and `CI` is `true`.
 */
export async function freshDatabase(): Promise<TestDatabase | undefined> {
  const socketPath = inject('postgresSocket');
  if (socketPath === undefined) {
    const sentence = 'no PostgreSQL server is installed; as root, tests/infra/install-postgres.sh installs one';
    if (process.env['CI'] === 'true') throw new Error(`In CI the PostgreSQL suites must run: ${sentence}.`);
    console.warn(`SKIPPED: the PostgreSQL suites, since ${sentence}.`);
    return undefined;
  }
  const answer = await text(createConnection(socketPath));
  if (!answer.startsWith('postgres://')) throw new Error(`The test server did not start: ${answer}`);
  return { url: answer };
}
