/** The credentials in the database, shared by all processes of a deployment. They are stored as ciphertexts alone. */
import { type CredentialPool, credentialPlace, retryConflict, type SqlPort } from '@weir/ports';
import { type CredentialRow, credentialOf, pickCredential, reported, withSecret } from './credential-state.ts';
import { credentialExists, unknownCredential, unknownProvider } from './model-refusals.ts';
import type { StoreClock } from './model-stores.ts';

const ATTEMPTS = 5;

const ADD = `insert into weir_model_credentials (ref, model_provider, label, sealed)
  select $1, name, $3, $4 from weir_model_providers where name = $2 on conflict (ref) do nothing`;
const CHANGE = `update weir_model_credentials
  set sealed = $2, version = $3, disabled = $4, rejected = $5, limited_until = $6, exhausted_at = $7 where ref = $1`;
const LIST_SECRETS = 'select * from weir_model_credentials where ref > $1 order by ref limit $2';

interface StoredCredential extends Record<string, unknown> {
  readonly ref: string;
  readonly position: string;
  readonly model_provider: string;
  readonly label: string;
  readonly sealed: string;
  readonly version: number;
  readonly disabled: boolean;
  readonly rejected: boolean;
  readonly limited_until: string | null;
  readonly exhausted_at: string | null;
}

const rowOf = (row: StoredCredential): CredentialRow => ({
  ref: row.ref,
  position: Number(row.position),
  modelProvider: row.model_provider,
  label: row.label,
  sealed: row.sealed,
  version: row.version,
  disabled: row.disabled,
  rejected: row.rejected,
  limitedUntil: row.limited_until === null ? null : Number(row.limited_until),
  exhaustedAt: row.exhausted_at === null ? null : Number(row.exhausted_at),
});

export function sqlCredentialPool(database: SqlPort, { now }: StoreClock): CredentialPool {
  /** @returns false when there is no such credential. */
  function change(ref: string, next: (row: CredentialRow) => CredentialRow): Promise<boolean> {
    return retryConflict(
      database,
      async session => {
        const { rows } = await session.query<StoredCredential>('select * from weir_model_credentials where ref = $1 for update', [ref]);
        if (rows[0] === undefined) return false;
        const { sealed, version, disabled, rejected, limitedUntil, exhaustedAt } = next(rowOf(rows[0]));
        await session.query(CHANGE, [ref, sealed, version, disabled, rejected, limitedUntil, exhaustedAt]);
        return true;
      },
      ATTEMPTS,
    );
  }

  async function mustChange(ref: string, next: (row: CredentialRow) => CredentialRow): Promise<void> {
    if (!(await change(ref, next))) throw unknownCredential(ref);
  }

  return {
    async add({ ref, modelProvider, label, sealed }) {
      const { count } = await database.query(ADD, [ref, modelProvider, label, sealed]);
      if (count > 0) return;
      const { rows } = await database.query('select from weir_model_credentials where ref = $1', [ref]);
      throw rows.length > 0 ? credentialExists(ref) : unknownProvider(modelProvider);
    },
    replaceSecret: (ref, sealed) => mustChange(ref, row => withSecret(row, sealed)),
    setDisabled: (ref, disabled) => mustChange(ref, row => ({ ...row, disabled })),
    async remove(ref) {
      if ((await database.query('delete from weir_model_credentials where ref = $1', [ref])).count === 0) throw unknownCredential(ref);
    },
    async list() {
      const { rows } = await database.query<StoredCredential>('select * from weir_model_credentials order by position');
      return rows.map(row => credentialOf(rowOf(row), now()));
    },
    async pick(modelProvider) {
      const { rows } = await database.query<StoredCredential>('select * from weir_model_credentials where model_provider = $1', [modelProvider]);
      return pickCredential(rows.map(rowOf), now());
    },
    async report(ref, version, report) {
      await change(ref, row => reported(row, version, report, now()));
    },
    secrets: {
      name: 'model-credentials',
      async list(after, limit) {
        const { rows } = await database.query<StoredCredential>(LIST_SECRETS, [after, limit]);
        return rows.map(rowOf).map(row => ({ cursor: row.ref, place: credentialPlace(row), sealed: row.sealed }));
      },
      async replace(cursor, before, after) {
        const { count } = await database.query('update weir_model_credentials set sealed = $3 where ref = $1 and sealed = $2', [cursor, before, after]);
        return count > 0;
      },
    },
  };
}
