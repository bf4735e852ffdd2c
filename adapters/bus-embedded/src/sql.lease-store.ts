/** Leased work in the database: one row a work; the row's fence says who may write. */
import type { Envelope } from '@weir/contract';
import { type Lease, type LeasedWork, type LeaseStore, retryConflict, type SqlPort, type SqlSession } from '@weir/ports';
import { failureText } from './failure-text.ts';

const ATTEMPTS = 5;

const OFFER = `insert into weir_work (id, kind, key, ready_at, envelope)
  select id, kind, key, ready_at, envelope::json from unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::text[]) as new (id, kind, key, ready_at, envelope)
  on conflict (id) do nothing`;
/** Cancelled work whose holder has died, or gave it back, is taken away on the way. */
const CLAIM = `with gone as (delete from weir_work where kind = any ($1::text[]) and cancelled and ready_at <= $2),
  free as materialized (
    select id from weir_work where kind = any ($1::text[]) and ready_at <= $2 and not cancelled order by ready_at limit $4 for update skip locked
  )
  update weir_work work set ready_at = $2::bigint + $3::bigint, fence = nextval('weir_fences'), leased = true, claims = claims + 1
  from free where work.id = free.id
  returning work.id, work.kind, work.key, work.envelope, work.failures, work.claims, work.fence`;
const HEARTBEAT = 'update weir_work set ready_at = $3 where id = $1 and fence = $2 returning cancelled';
const COMPLETE = 'delete from weir_work where id = $1 and fence = $2';
const RELEASE = `update weir_work set ready_at = $3, fence = 0, leased = false, failures = failures + $4::int, claims = failures + $4::int
  where id = $1 and fence = $2`;
const BURY = `with gone as (delete from weir_work where id = $1 and fence = $2 returning *)
  insert into weir_dead_letters (origin, group_name, topic, key, message_id, envelope, attempts, failure, died_at)
  select 'work', kind, '', key, id, envelope, claims, $3, $4 from gone`;
const REMOVE = 'delete from weir_work where key = $1 and (not leased or ready_at <= $2) returning id';
const TELL = 'update weir_work set cancelled = true where key = $1 returning id';

interface WorkRow extends Record<string, unknown> {
  readonly id: string;
  readonly kind: string;
  readonly key: string;
  readonly envelope: Envelope;
  readonly failures: number;
  readonly claims: number;
  readonly fence: string;
}

const toWork = ({ failures, claims, ...row }: WorkRow): LeasedWork => ({ ...row, attempt: failures + 1, abandoned: claims - failures - 1 });

/** @param now milliseconds since 1970. */
export function sqlLeaseStore(database: SqlPort, { now }: { readonly now: () => number }): LeaseStore {
  /** The write under the fence, and then what goes with it; a lost lease writes nothing. */
  function underFence(statement: string, parameters: readonly unknown[], alongside: (session: SqlSession) => Promise<void>): Promise<boolean> {
    return retryConflict(
      database,
      async session => {
        const { count } = await session.query(statement, parameters);
        if (count > 0) await alongside(session);
        return count > 0;
      },
      ATTEMPTS,
    );
  }

  const namesOf = async (session: SqlSession, statement: string, parameters: readonly unknown[]): Promise<readonly string[]> =>
    (await session.query<{ id: string }>(statement, parameters)).rows.map(({ id }) => id);

  return {
    offer: async (session, work) => {
      if (work.length === 0) return;
      await session.query(OFFER, [
        work.map(({ id }) => id),
        work.map(({ kind }) => kind),
        work.map(({ key }) => key),
        work.map(({ readyAt }) => readyAt ?? now()),
        work.map(({ envelope }) => JSON.stringify(envelope)),
      ]);
    },
    claim: async ({ kinds, limit, leaseMs }) => (await database.query<WorkRow>(CLAIM, [kinds, now(), leaseMs, limit])).rows.map(toWork),
    heartbeat: async ({ id, fence }: Lease, leaseMs) => {
      const { rows } = await database.query<{ cancelled: boolean }>(HEARTBEAT, [id, fence, now() + leaseMs]);
      if (rows[0] === undefined) return 'lost';
      return rows[0].cancelled ? 'cancelled' : 'held';
    },
    complete: ({ id, fence }, alongside) => underFence(COMPLETE, [id, fence], alongside),
    release: async ({ id, fence }, readyAt, outcome) => (await database.query(RELEASE, [id, fence, readyAt, outcome === 'failed' ? 1 : 0])).count > 0,
    bury: ({ id, fence }, failure, alongside) => underFence(BURY, [id, fence, failureText(failure), now()], alongside),
    cancel: async (session, key) => {
      const removed = await namesOf(session, REMOVE, [key, now()]);
      return { removed, told: await namesOf(session, TELL, [key]) };
    },
  };
}
