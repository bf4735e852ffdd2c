/** The messages of a broker whose key waits after a failure, in the lanes of the queue: from there on they are the queue's own. */
import type { BusMessage, RetryStore, SqlPort, SqlSession } from '@weir/ports';
import { DEFAULTS, type EmbeddedBusParts } from './embedded.bus.ts';
import { abandonedText, MAX_ABANDONED, startConsumer } from './consumer.ts';
import { failureText } from './failure-text.ts';
import { sqlQueue } from './sql.queue.ts';

const FOLLOW = 'select weir_bus_follow($1::bigint, $2, $3, $4, $5, $6) as waits';
const RETRY = 'select weir_bus_retry($1::bigint, $2, $3, $4, $5, $6)';
/** Once, also when the process dies before the broker learns of it and the message comes again. */
const BURY = `insert into weir_dead_letters (died_at, origin, group_name, key, message_id, topic, envelope, attempts, failure)
  select $1::bigint, 'bus', $2::text, $3, $4::text, $5, $6::text::json, $7::int, $8
  where not exists (select from weir_dead_letters where origin = 'bus' and group_name = $2 and message_id = $4)`;

const BEGIN = `insert into weir_bus_begun as begun (group_name, message_id) values ($1, $2)
  on conflict (group_name, message_id) do update set claims = begun.claims + 1 returning claims`;
const END = 'delete from weir_bus_begun where group_name = $1 and message_id = $2';

const place = (group: string, { key, topic, envelope }: BusMessage): readonly string[] => [group, key, envelope.id, topic, JSON.stringify(envelope)];

/** Times as in `embeddedBus`; it is not one itself, so that a deployment with a broker has one bus. */
export function sqlRetryStore(database: SqlPort, parts: Omit<EmbeddedBusParts, 'topology'>): RetryStore {
  const { now } = parts;
  const queue = sqlQueue(database);

  async function begin(session: SqlSession, group: string, message: BusMessage): Promise<boolean> {
    const { rows } = await session.query<{ claims: number }>(BEGIN, [group, message.envelope.id]);
    const abandoned = (rows[0]?.claims ?? 1) - 1;
    if (abandoned < MAX_ABANDONED) return true;
    await session.query(BURY, [now(), ...place(group, message), abandoned, abandonedText(abandoned)]);
    await session.query(END, [group, message.envelope.id]);
    return false;
  }

  return {
    follow: async (group, message) => (await database.query<{ waits: boolean }>(FOLLOW, [now(), ...place(group, message)])).rows[0]?.waits === true,
    keep: async (group, message, { failure, delayMs }) => {
      const where = place(group, message);
      if (delayMs === undefined) await database.query(BURY, [now(), ...where, 1, failureText(failure)]);
      else await database.query(RETRY, [now() + delayMs, ...where]);
    },
    begin: (group, message) => database.transaction(session => begin(session, group, message)),
    end: async (group, message) => {
      await database.query(END, [group, message.envelope.id]);
    },
    subscribe: subscription => Promise.resolve(startConsumer(subscription, { ...DEFAULTS, ...parts, queue })),
  };
}
