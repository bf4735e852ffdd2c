/**
 * The statements of the queue. A lane (one key of one group) is leased, its oldest message handled, and the lane given back; every
 * write names the fence of the lease, so a holder whose lease has passed on writes nothing.
 */
import type { Envelope } from '@weir/contract';
import { type BusMessage, retryConflict, type SqlPort } from '@weir/ports';

/** Publishers that touch the same lanes in another order than a heartbeat may meet it. */
const ATTEMPTS = 5;
/** Empty lanes that one sweep takes away at most. */
const SWEEP = 1_000;

const ADD = 'select weir_bus_add($1::bigint, $2::text[], $3::text[], $4::text[], $5::text[], $6::text[])';

const LEASE_LANES = `with free as materialized (
    select key from weir_bus_lanes where group_name = $1 and waiting > 0 and ready_at <= $2 order by ready_at limit $4 for update skip locked
  )
  update weir_bus_lanes lane set ready_at = $2::bigint + $3::bigint, fence = nextval('weir_fences')
  from free where lane.group_name = $1 and lane.key = free.key returning lane.key, lane.fence`;

/** A statement of its own: it sees what the holder before has taken away, which the statement that waited for the lane may not. */
const TAKE_HEADS = `update weir_bus_messages message set claims = claims + 1
  from unnest($2::text[], $3::bigint[]) as lane (key, fence)
  cross join lateral (select position from weir_bus_messages where group_name = $1 and key = lane.key order by position limit 1) as head
  where message.position = head.position
  returning message.position, message.key, lane.fence, message.topic, message.envelope, message.claims, message.failures`;

const HOLD = `update weir_bus_lanes lane set ready_at = $2
  from unnest($3::text[], $4::bigint[]) as held (key, fence)
  where lane.group_name = $1 and lane.key = held.key and lane.fence = held.fence returning lane.key, lane.fence`;

const FREE_LANE = `update weir_bus_lanes set waiting = waiting - 1, ready_at = $4, fence = 0
  where group_name = $1 and key = $2 and fence = $3 returning key`;
const ACKNOWLEDGE = `with lane as (${FREE_LANE}) delete from weir_bus_messages where position = $5 and exists (select from lane)`;
const BURY = `with lane as (${FREE_LANE}),
  gone as (delete from weir_bus_messages where position = $5 and exists (select from lane) returning *)
  insert into weir_dead_letters (origin, group_name, topic, key, message_id, envelope, attempts, failure, died_at)
  select 'bus', group_name, topic, key, message_id, envelope, claims, $6, $4 from gone`;
const POSTPONE = `with lane as (
    update weir_bus_lanes set ready_at = $4, fence = 0 where group_name = $1 and key = $2 and fence = $3 returning key
  )
  update weir_bus_messages set failures = failures + 1, claims = failures + 1 where position = $5 and exists (select from lane)`;

const SWEEP_LANES = `delete from weir_bus_lanes lane
  using (select key from weir_bus_lanes where group_name = $1 and waiting = 0 limit $2 for update skip locked) as empty
  where lane.group_name = $1 and lane.key = empty.key and lane.waiting = 0`;

/** A message under a lease of its lane. */
export interface ClaimedMessage {
  readonly group: string;
  readonly key: string;
  readonly fence: string;
  readonly position: string;
  readonly topic: string;
  readonly envelope: Envelope;
  /** Failed attempts. */
  readonly failures: number;
  /** Claims that ended neither with success nor with a failure: their process died, or lost its lease. */
  readonly abandoned: number;
}

interface HeadRow extends Record<string, unknown> {
  readonly position: string;
  readonly key: string;
  readonly fence: string;
  readonly topic: string;
  readonly envelope: Envelope;
  readonly claims: number;
  readonly failures: number;
}

/** Each method is atomic. False: the lease has passed on, and nothing is written. Moments are milliseconds since 1970. */
export interface SqlQueue {
  add(copies: readonly (BusMessage & { readonly group: string })[], now: number): Promise<void>;
  claim(group: string, limit: number, lease: { readonly now: number; readonly ms: number }): Promise<readonly ClaimedMessage[]>;
  /** @returns the fences that still hold. */
  hold(group: string, messages: readonly ClaimedMessage[], until: number): Promise<ReadonlySet<string>>;
  acknowledge(message: ClaimedMessage, now: number): Promise<boolean>;
  postpone(message: ClaimedMessage, until: number): Promise<boolean>;
  bury(message: ClaimedMessage, now: number, failure: string): Promise<boolean>;
  /** Takes empty lanes away. */
  sweep(group: string): Promise<void>;
}

export function sqlQueue(database: SqlPort): SqlQueue {
  async function claim(group: string, limit: number, { now, ms }: { readonly now: number; readonly ms: number }): Promise<readonly ClaimedMessage[]> {
    const lanes = await database.query<{ key: string; fence: string }>(LEASE_LANES, [group, now, ms, limit]);
    if (lanes.rows.length === 0) return [];
    const { rows } = await database.query<HeadRow>(TAKE_HEADS, [group, lanes.rows.map(({ key }) => key), lanes.rows.map(({ fence }) => fence)]);
    return rows.map(({ claims, ...row }) => ({ group, ...row, abandoned: claims - row.failures - 1 }));
  }

  const write = async (statement: string, { group, key, fence, position }: ClaimedMessage, at: number, more: readonly unknown[] = []): Promise<boolean> =>
    (await database.query(statement, [group, key, fence, at, position, ...more])).count > 0;

  return {
    add: async (copies, now) => {
      const columns = [
        copies.map(({ group }) => group),
        copies.map(({ key }) => key),
        copies.map(({ envelope }) => envelope.id),
        copies.map(({ topic }) => topic),
        copies.map(({ envelope }) => JSON.stringify(envelope)),
      ];
      await retryConflict(database, session => session.query(ADD, [now, ...columns]), ATTEMPTS);
    },
    claim,
    hold: async (group, messages, until) => {
      const { rows } = await database.query<{ fence: string }>(HOLD, [group, until, messages.map(({ key }) => key), messages.map(({ fence }) => fence)]);
      return new Set(rows.map(({ fence }) => fence));
    },
    acknowledge: (message, now) => write(ACKNOWLEDGE, message, now),
    postpone: (message, until) => write(POSTPONE, message, until),
    bury: (message, now, failure) => write(BURY, message, now, [failure]),
    sweep: async group => {
      await database.query(SWEEP_LANES, [group, SWEEP]);
    },
  };
}
