/** Bearer tokens of programs. Each has a role, may expire, and can be revoked. */
import { randomUUID } from 'node:crypto';
import type { Role } from '@weir/contract';
import type { SqlPort } from '@weir/ports';
import { hashOf, newSecret } from './secret.ts';

export interface ApiToken {
  readonly id: string;
  readonly label: string;
  readonly role: Role;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
}

export interface ApiTokens {
  /** @returns the token, which is shown once and kept as its hash. */
  create(token: Pick<ApiToken, 'label' | 'role' | 'expiresAt'>): Promise<{ readonly id: string; readonly secret: string }>;
  /** One that is valid now. */
  find(secret: string): Promise<ApiToken | null>;
  /** The newest first, 1,000 at most. */
  list(): Promise<readonly ApiToken[]>;
  /** False for an unknown id; a second time changes nothing. */
  revoke(id: string): Promise<boolean>;
}

/** So that a scanner of secrets, and a person, knows it when it turns up somewhere. */
const PREFIX = 'weir_at_';
const MAX_LISTED = 1_000;

interface TokenRow extends Record<string, unknown> {
  readonly id: string;
  readonly label: string;
  readonly role: Role;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
}

const momentOf = (text: string | null): number | null => (text === null ? null : Number(text));
const tokenOf = ({ id, label, role, created_at, expires_at, revoked_at }: TokenRow): ApiToken => ({
  ...{ id, label, role, createdAt: Number(created_at), expiresAt: momentOf(expires_at), revokedAt: momentOf(revoked_at) },
});

export function sqlApiTokens(database: SqlPort, now: () => number): ApiTokens {
  return {
    async create({ label, role, expiresAt }) {
      const secret = `${PREFIX}${newSecret()}`;
      const id = randomUUID();
      await database.query('insert into weir_api_tokens (id, hash, label, role, created_at, expires_at) values ($1, $2, $3, $4, $5, $6)', [
        ...[id, hashOf(secret), label, role, now(), expiresAt],
      ]);
      return { id, secret };
    },
    async find(secret) {
      const { rows } = await database.query<TokenRow>(
        'select * from weir_api_tokens where hash = $1 and revoked_at is null and (expires_at is null or expires_at > $2)',
        [hashOf(secret), now()],
      );
      return rows[0] === undefined ? null : tokenOf(rows[0]);
    },
    async list() {
      const { rows } = await database.query<TokenRow>('select * from weir_api_tokens order by created_at desc, id limit $1', [MAX_LISTED]);
      return rows.map(tokenOf);
    },
    async revoke(id) {
      const { count } = await database.query('update weir_api_tokens set revoked_at = coalesce(revoked_at, $2) where id = $1', [id, now()]);
      return count > 0;
    },
  };
}
