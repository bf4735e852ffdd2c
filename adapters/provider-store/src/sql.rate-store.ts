/** The rate governor's memory in the database, for all processes of a deployment: one row for each provider and credential, one for each run. */
import { type RateKey, type RateStore, retryConflict, type SqlPort } from '@weir/ports';
import { decideRate, freshRateState, type RateState, settleCall } from './rate-state.ts';
import { RUN_MEMORY_MS } from './run-memory.ts';
import type { StoreSources } from './store-sources.ts';

const ATTEMPTS = 5;
/** Forgotten runs that one new run takes away at most: two for one, so that their number falls. */
const FORGET = 2;

/** The row is there afterwards and locked until the transaction ends, so one change at a time gets through. */
const LOCK_ROW = `insert into weir_rate_states (provider, credential, state) values ($1, $2, $3)
  on conflict (provider, credential) do update set provider = excluded.provider
  returning state`;
const WRITE_ROW = 'update weir_rate_states set state = $3 where provider = $1 and credential = $2';

/** No row comes back where the run has made its calls. $4 is now, $5 the time before which a run is forgotten. */
const SPEND = `insert into weir_run_calls as run (provider, run, made, called_at) values ($1, $2, 1, $4)
  on conflict (provider, run) do update
  set made = case when run.called_at <= $5 then 1 else run.made + 1 end, called_at = greatest(run.called_at, $4)
  where run.made < $3 or run.called_at <= $5
  returning made`;
/** What another process holds is left to it. */
const FORGET_RUNS = `delete from weir_run_calls where ctid = any (array (
    select ctid from weir_run_calls where called_at <= $1 order by called_at limit $2 for update skip locked
  ))`;

interface Changed<T> {
  readonly changed: boolean;
  readonly result: T;
}

export function sqlRateStore(database: SqlPort, { now, newId }: StoreSources): RateStore {
  function change<T>({ provider, credential }: RateKey, apply: (state: RateState) => Changed<T>): Promise<T> {
    return retryConflict(
      database,
      async session => {
        const { rows } = await session.query<{ state: RateState }>(LOCK_ROW, [provider, credential, freshRateState()]);
        const state = rows[0]?.state ?? freshRateState();
        const { changed, result } = apply(state);
        if (changed) await session.query(WRITE_ROW, [provider, credential, state]);
        return result;
      },
      ATTEMPTS,
    );
  }

  return {
    // The clock is read when the row is held: while waiting for it, other calls were charged.
    acquire: request =>
      change(request, state => {
        const grant = decideRate(state, request, newId(), now());
        return { changed: grant.granted, result: grant };
      }),
    release: (key, lease, outcome = {}) => change(key, state => ({ changed: settleCall(state, lease, outcome, now()), result: undefined })),
    spend: async ({ provider, run, calls }) => {
      if (calls < 1) return false;
      const at = now();
      const { rows } = await database.query<{ made: number }>(SPEND, [provider, run, calls, at, at - RUN_MEMORY_MS]);
      if (rows[0]?.made === 1) await database.query(FORGET_RUNS, [at - RUN_MEMORY_MS, FORGET]);
      return rows.length > 0;
    },
  };
}
