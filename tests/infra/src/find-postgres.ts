/** Finds the programs of a PostgreSQL server, 15 or newer, as Debian installs them. */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

const DEBIAN = '/usr/lib/postgresql';
const OLDEST = 15;

/** @returns the folder with `initdb` and `postgres`; undefined when no server is installed. `WEIR_POSTGRES_BIN` names another; empty means none. */
export function findPostgres(): string | undefined {
  const named = process.env['WEIR_POSTGRES_BIN'];
  if (named !== undefined) return named === '' ? undefined : named;
  if (!existsSync(DEBIAN)) return undefined;
  const versions = readdirSync(DEBIAN)
    .map(Number)
    .filter(version => version >= OLDEST)
    .sort((left, right) => right - left);
  return versions.map(version => path.join(DEBIAN, String(version), 'bin')).find(folder => existsSync(path.join(folder, 'postgres')));
}
