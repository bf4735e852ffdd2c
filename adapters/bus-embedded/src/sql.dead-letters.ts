/** The dead letters of the bus and of the leased work, in the database. */
import type { Envelope } from '@weir/contract';
import type { BusMessage, DeadLetter, DeadLetters, SqlPort, SqlSession } from '@weir/ports';

const LIST = `select id, origin, group_name, topic, key, envelope, attempts, failure, died_at from weir_dead_letters
  where id < coalesce($1::bigint, 9223372036854775807) order by id desc limit $2`;
const TAKE = 'delete from weir_dead_letters where id = $1 returning origin, group_name, topic, key, message_id, envelope';
const BACK_TO_BUS = 'select weir_bus_add($1::bigint, array[$2], array[$3], array[$4], array[$5], array[$6])';
const BACK_TO_WORK = `insert into weir_work (ready_at, kind, key, id, envelope) values ($1, $2, $3, $4, $5::text::json) on conflict (id) do nothing`;

interface LetterRow extends Record<string, unknown> {
  readonly id: string;
  readonly origin: DeadLetter['origin'];
  readonly group_name: string;
  readonly topic: string;
  readonly key: string;
  readonly message_id: string;
  readonly envelope: Envelope;
  readonly attempts: number;
  readonly failure: string;
  readonly died_at: string;
}

/** An id is a whole number; anything else is no letter. */
const isId = (id: string): boolean => /^\d{1,18}$/.test(id);

export interface DeadLetterParts {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Where a broker carries the messages: hands one to one of its groups. Without it they go back to the queue. */
  readonly deliver?: (group: string, message: BusMessage) => Promise<void>;
}

/** A letter of the bus that is replayed to a broker is taken away after the broker has it: after a crash in between it is there still. */
export function sqlDeadLetters(database: SqlPort, { now, deliver }: DeadLetterParts): DeadLetters {
  async function revive(session: SqlSession, id: string): Promise<boolean> {
    const { rows } = await session.query<LetterRow>(TAKE, [id]);
    const [letter] = rows;
    if (letter === undefined) return false;
    const { origin, group_name, key, message_id, topic, envelope } = letter;
    const place = [now(), group_name, key, message_id];
    if (origin === 'work') await session.query(BACK_TO_WORK, [...place, JSON.stringify(envelope)]);
    else if (deliver !== undefined) await deliver(group_name, { topic, key, envelope });
    else await session.query(BACK_TO_BUS, [...place, topic, JSON.stringify(envelope)]);
    return true;
  }

  return {
    list: async ({ limit, before }) => {
      const { rows } = await database.query<LetterRow>(LIST, [before ?? null, limit]);
      return rows.map(({ group_name, died_at, ...row }) => ({ ...row, group: group_name, diedAt: Number(died_at) }));
    },
    replay: id => (isId(id) ? database.transaction(session => revive(session, id)) : Promise.resolve(false)),
    drop: async id => isId(id) && (await database.query(TAKE, [id])).rows.length > 0,
  };
}
