/** Verified deliveries of the last days in the database, as ciphertexts alone, each bound to its row (REV-39). */
import { type DeliveryStore, MAX_DELIVERY_TEXT, type SealedColumn, type SecretBox, type SqlPort, type StoredDelivery } from '@weir/ports';

const DELIVERIES = `
create table weir_deliveries (
  id text collate "C" primary key,
  registration text not null,
  sealed text not null,
  arrived_at bigint not null,
  problem text
);
create index weir_deliveries_by_time on weir_deliveries (arrived_at);
`;

export const DELIVERY_MIGRATIONS = { set: 'deliveries', migrations: [{ name: '0001-deliveries', sql: DELIVERIES }] } as const;

const KEEP = 'insert into weir_deliveries (id, registration, sealed, arrived_at, problem) values ($1, $2, $3, $4, $5) on conflict do nothing';
const FIND = 'select * from weir_deliveries where id = $1';
const LIST = 'select id, registration, arrived_at, problem from weir_deliveries order by arrived_at desc, id limit $1';
const SWEEP = `delete from weir_deliveries where id in
  (select id from weir_deliveries where arrived_at < $1 order by arrived_at limit $2 for update skip locked)`;
const LIST_SECRETS = 'select id, sealed from weir_deliveries where id > $1 order by id limit $2';
const REPLACE = 'update weir_deliveries set sealed = $3 where id = $1 and sealed = $2';

/** Deliveries may be large: a page of a rotation holds this many of them at most. */
const ROTATION_PAGE = 16;

interface DeliveryRow extends Record<string, unknown> {
  readonly id: string;
  readonly registration: string;
  readonly sealed: string;
  readonly arrived_at: string;
  readonly problem: string | null;
}

type Sealed = Pick<StoredDelivery, 'headers' | 'body'>;

export interface SqlDeliveries extends DeliveryStore {
  /** For a rotation of the keyset. */
  readonly secrets: SealedColumn;
}

const placeOf = (id: string) => ({ store: 'deliveries', row: id, column: 'delivery' }) as const;

const cardOf = ({ id, registration, arrived_at, problem }: Pick<DeliveryRow, 'id' | 'registration' | 'arrived_at' | 'problem'>) => ({
  id,
  registration,
  arrivedAt: Number(arrived_at),
  problem,
});

export function sqlDeliveries(database: SqlPort, box: Pick<SecretBox, 'seal' | 'open'>): SqlDeliveries {
  return {
    async keep(session, { id, registration, headers, body, arrivedAt, problem }) {
      const kept: Sealed = { headers, body: body === null || Buffer.byteLength(body) > MAX_DELIVERY_TEXT ? null : body };
      await session.query(KEEP, [id, registration, box.seal(JSON.stringify(kept), placeOf(id)), arrivedAt, problem]);
    },
    async find(id) {
      const { rows } = await database.query<DeliveryRow>(FIND, [id]);
      const [row] = rows;
      if (row === undefined) return undefined;
      // Only what this process sealed opens.
      return { ...cardOf(row), ...(JSON.parse(box.open(row.sealed, placeOf(id))) as Sealed) };
    },
    list: async limit => (await database.query<DeliveryRow>(LIST, [limit])).rows.map(cardOf),
    sweep: async (before, limit) => (await database.query(SWEEP, [before, limit])).count,
    secrets: {
      name: 'deliveries',
      async list(after, limit) {
        const { rows } = await database.query<{ id: string; sealed: string }>(LIST_SECRETS, [after, Math.min(limit, ROTATION_PAGE)]);
        return rows.map(({ id, sealed }) => ({ cursor: id, place: placeOf(id), sealed }));
      },
      replace: async (cursor, before, after) => (await database.query(REPLACE, [cursor, before, after])).count > 0,
    },
  };
}
