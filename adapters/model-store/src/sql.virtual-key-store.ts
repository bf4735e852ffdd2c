/** Virtual keys and their budgets in the database, shared by all processes of a deployment. */
import type { AllowedRoute, KeyHolderKind, VirtualKey } from '@weir/contract';
import { budgetRefusal, virtualKeyState } from '@weir/model-routes';
import { type Reservation, type ReserveOutcome, retryConflict, type SqlPort, type SqlSession, type VirtualKeyStore } from '@weir/ports';
import { goodKey, keyExists } from './model-refusals.ts';
import type { StoreClock } from './model-stores.ts';

const ATTEMPTS = 5;

const CREATE = `insert into weir_virtual_keys
  (id, hash, label, holder_kind, holder_id, budget_millicents, budget_calls, allowed_routes, created_at, expires_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) on conflict do nothing`;
const LIST = `select * from weir_virtual_keys
  where $2::text is null or (created_at, id) < (select created_at, id from weir_virtual_keys where id = $2) order by created_at desc, id desc limit $1`;
const REVOKE = 'update weir_virtual_keys set revoked_at = coalesce(revoked_at, $2) where id = $1';
const REVOKED_AMONG = `select asked.id from unnest($1::text[]) with ordinality asked (id, place)
  left join weir_virtual_keys key on key.id = asked.id where key.id is null or key.revoked_at is not null order by place`;
const RESERVE = 'insert into weir_key_reservations (call_ref, key_id, millicents, at) values ($1, $2, $3, $4)';
const RESERVED_BEFORE = 'select call_ref from weir_key_reservations where at < $1 order by at, call_ref limit $2';
const CHARGE_RESERVED = 'update weir_virtual_keys set calls = calls + 1, reserved_millicents = reserved_millicents + $2 where id = $1';
/** One statement, so that a call is settled once however many ask. */
const SETTLE = `with settled as (delete from weir_key_reservations where call_ref = $1 returning key_id, millicents)
  update weir_virtual_keys key set
    reserved_millicents = reserved_millicents - settled.millicents,
    spent_millicents = spent_millicents + coalesce($2::bigint, settled.millicents),
    unpriced_calls = unpriced_calls + case when $2::bigint is null then 1 else 0 end
  from settled where key.id = settled.key_id`;

interface StoredKey extends Record<string, unknown> {
  readonly id: string;
  readonly hash: string;
  readonly label: string;
  readonly holder_kind: KeyHolderKind;
  readonly holder_id: string;
  readonly budget_millicents: string | null;
  readonly budget_calls: string | null;
  readonly allowed_routes: readonly AllowedRoute[] | null;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
  readonly spent_millicents: string;
  readonly reserved_millicents: string;
  readonly calls: string;
  readonly unpriced_calls: string;
}

const numberOf = (value: string | null): number | null => (value === null ? null : Number(value));

const keyOf = (row: StoredKey): VirtualKey => ({
  id: row.id,
  hash: row.hash,
  label: row.label,
  holder: { kind: row.holder_kind, id: row.holder_id },
  budgetMillicents: numberOf(row.budget_millicents),
  budgetCalls: numberOf(row.budget_calls),
  allowedRoutes: row.allowed_routes,
  createdAt: Number(row.created_at),
  expiresAt: numberOf(row.expires_at),
  revokedAt: numberOf(row.revoked_at),
  spentMillicents: Number(row.spent_millicents),
  reservedMillicents: Number(row.reserved_millicents),
  calls: Number(row.calls),
  unpricedCalls: Number(row.unpriced_calls),
});

async function reserveIn(session: SqlSession, { keyId, callRef, millicents }: Reservation, now: () => number): Promise<ReserveOutcome> {
  const { rows } = await session.query<StoredKey>('select * from weir_virtual_keys where id = $1 for update', [keyId]);
  if (rows[0] === undefined) return { granted: false, reason: 'unknown' };
  const key = keyOf(rows[0]);
  // The clock is read when the row is held: while waiting for it, time went by.
  const at = now();
  const state = virtualKeyState(key, at);
  if (state !== 'active') return { granted: false, reason: state };
  if ((await session.query('select from weir_key_reservations where call_ref = $1', [callRef])).rows.length > 0) return { granted: true };
  const reason = budgetRefusal(key);
  if (reason !== undefined) return { granted: false, reason };
  await session.query(RESERVE, [callRef, keyId, millicents, at]);
  await session.query(CHARGE_RESERVED, [keyId, millicents]);
  return { granted: true };
}

export function sqlVirtualKeyStore(database: SqlPort, { now }: StoreClock): VirtualKeyStore {
  async function one(statement: string, value: string): Promise<VirtualKey | undefined> {
    const { rows } = await database.query<StoredKey>(statement, [value]);
    return rows[0] === undefined ? undefined : keyOf(rows[0]);
  }

  return {
    async create(key) {
      const { id, hash, label, holder, budgetMillicents, budgetCalls, allowedRoutes, createdAt, expiresAt } = goodKey(key);
      const routes = allowedRoutes === null ? null : JSON.stringify(allowedRoutes);
      const values = [id, hash, label, holder.kind, holder.id, budgetMillicents, budgetCalls, routes, createdAt, expiresAt];
      if ((await database.query(CREATE, values)).count === 0) throw keyExists(id);
    },
    find: hash => one('select * from weir_virtual_keys where hash = $1', hash),
    get: id => one('select * from weir_virtual_keys where id = $1', id),
    async list(limit, after) {
      const { rows } = await database.query<StoredKey>(LIST, [limit, after ?? null]);
      return rows.map(keyOf);
    },
    revoke: async id => (await database.query(REVOKE, [id, now()])).count > 0,
    async revokedAmong(ids) {
      if (ids.length === 0) return [];
      const { rows } = await database.query<{ id: string }>(REVOKED_AMONG, [ids]);
      return rows.map(({ id }) => id);
    },
    reserve: reservation => retryConflict(database, session => reserveIn(session, reservation, now), ATTEMPTS),
    settle: async (callRef, millicents) => (await database.query(SETTLE, [callRef, millicents])).count > 0,
    async reservedBefore(moment, limit) {
      const { rows } = await database.query<{ call_ref: string }>(RESERVED_BEFORE, [moment, limit]);
      return rows.map(row => row.call_ref);
    },
  };
}
