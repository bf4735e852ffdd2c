/** The rate governor's memory in the database, for all processes of a deployment: one row for each provider and credential. */
import { type RateKey, type RateStore, retryConflict, type SqlPort } from '@weir/ports';
import { decideRate, FRESH_RATE_STATE, quarantineUntil, type RateState, releaseLease, reportLimit } from './rate-state.ts';
import type { StoreSources } from './store-sources.ts';

const ATTEMPTS = 5;

/** The row is there afterwards and locked until the transaction ends, so one change at a time gets through. */
const LOCK_ROW = `insert into weir_rate_states (provider, credential, state) values ($1, $2, $3)
  on conflict (provider, credential) do update set provider = excluded.provider
  returning state`;
const WRITE_ROW = 'update weir_rate_states set state = $3 where provider = $1 and credential = $2';

export function sqlRateStore(database: SqlPort, { now, newId }: StoreSources): RateStore {
  function change<T>({ provider, credential }: RateKey, next: (state: RateState) => { state: RateState; result: T }): Promise<T> {
    return retryConflict(
      database,
      async session => {
        const { rows } = await session.query<{ state: RateState }>(LOCK_ROW, [provider, credential, FRESH_RATE_STATE]);
        const before = rows[0]?.state ?? FRESH_RATE_STATE;
        const { state, result } = next(before);
        if (state !== before) await session.query(WRITE_ROW, [provider, credential, state]);
        return result;
      },
      ATTEMPTS,
    );
  }

  const update = (key: RateKey, next: (state: RateState) => RateState): Promise<void> => change(key, state => ({ state: next(state), result: undefined }));

  return {
    // The clock is read when the row is held: while waiting for it, other calls were charged.
    acquire: request =>
      change(request, before => {
        const { state, grant } = decideRate(before, request, newId(), now());
        return { state, result: grant };
      }),
    release: (key, lease) => update(key, state => releaseLease(state, lease)),
    report: (key, limit) => update(key, state => reportLimit(state, limit)),
    quarantine: (key, until) => update(key, state => quarantineUntil(state, until)),
  };
}
