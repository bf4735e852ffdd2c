/** One-time links of the local admin. The program prints them where it listens on loopback. */
import type { SqlPort } from '@weir/ports';
import { hashOf, newSecret } from './secret.ts';

export interface SignInLinks {
  /** @returns the secret of a new link, which is kept as its hash. */
  make(): Promise<string>;
  /** True once for each link, however many ask at a time; false for one that is unknown, used or too old. */
  use(secret: string): Promise<boolean>;
}

export const LINK_MS = 15 * 60_000;

export function sqlSignInLinks(database: SqlPort, now: () => number): SignInLinks {
  return {
    async make() {
      const secret = newSecret();
      await database.query('delete from weir_sign_in_links where expires_at <= $1', [now()]);
      await database.query('insert into weir_sign_in_links (hash, expires_at) values ($1, $2)', [hashOf(secret), now() + LINK_MS]);
      return secret;
    },
    async use(secret) {
      const { count } = await database.query('delete from weir_sign_in_links where hash = $1 and expires_at > $2', [hashOf(secret), now()]);
      return count > 0;
    },
  };
}
