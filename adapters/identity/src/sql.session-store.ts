/** Sessions of the dashboard in the database: they outlive a restart, and end in every process at once. */
import type { Role } from '@weir/contract';
import type { SqlPort } from '@weir/ports';
import { hashOf, newSecret } from './secret.ts';

export interface Person {
  readonly subject: string;
  readonly name: string;
  readonly role: Role;
}

export interface SessionStore {
  /** @returns the secret of the new session, which is kept as its hash. */
  open(person: Person): Promise<string>;
  find(secret: string): Promise<Person | null>;
  end(secret: string): Promise<void>;
}

const HOUR_MS = 3_600_000;
/** Without a request for so long, and after its start, a session ends. */
export const IDLE_MS = 12 * HOUR_MS;
export const ABSOLUTE_MS = 7 * 24 * HOUR_MS;
/** A request writes that it was there at most so often. */
const SEEN_EVERY_MS = 60_000;

interface SessionRow extends Record<string, unknown> {
  readonly subject: string;
  readonly name: string;
  readonly role: Role;
  readonly seen_at: string;
}

export function sqlSessionStore(database: SqlPort, now: () => number): SessionStore {
  return {
    async open({ subject, name, role }) {
      const secret = newSecret();
      const at = now();
      await database.query('delete from weir_sessions where created_at <= $1 or seen_at <= $2', [at - ABSOLUTE_MS, at - IDLE_MS]);
      await database.query('insert into weir_sessions (hash, subject, name, role, created_at, seen_at) values ($1, $2, $3, $4, $5, $5)', [
        ...[hashOf(secret), subject, name, role, at],
      ]);
      return secret;
    },
    async find(secret) {
      const at = now();
      const hash = hashOf(secret);
      const { rows } = await database.query<SessionRow>(
        'select subject, name, role, seen_at from weir_sessions where hash = $1 and created_at > $2 and seen_at > $3',
        [hash, at - ABSOLUTE_MS, at - IDLE_MS],
      );
      const [row] = rows;
      if (row === undefined) return null;
      if (at - Number(row.seen_at) >= SEEN_EVERY_MS) await database.query('update weir_sessions set seen_at = $2 where hash = $1', [hash, at]);
      return { subject: row.subject, name: row.name, role: row.role };
    },
    async end(secret) {
      await database.query('delete from weir_sessions where hash = $1', [hashOf(secret)]);
    },
  };
}
