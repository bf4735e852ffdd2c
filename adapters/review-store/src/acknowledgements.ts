/** What people have said of the inbox that they know of. */
import type { Acknowledgement, Acknowledgements, SqlPort } from '@weir/ports';

const TABLE = `
create table weir_acknowledgements (
  kind text collate "C" not null,
  subject text collate "C" not null,
  known_until text not null,
  by_whom text not null,
  acknowledged_at bigint not null,
  primary key (kind, subject)
);
`;

export const ACKNOWLEDGEMENT_MIGRATIONS = { set: 'acknowledgements', migrations: [{ name: '0001-acknowledgements', sql: TABLE }] } as const;

/** A row of the whole deployment has no subject, and a key of the table needs one. */
const NOBODY = '';
const MAX_LISTED = 1_000;

const SAVE = `insert into weir_acknowledgements (kind, subject, known_until, by_whom, acknowledged_at) values ($1, $2, $3, $4, $5)
  on conflict (kind, subject) do update set known_until = excluded.known_until, by_whom = excluded.by_whom, acknowledged_at = excluded.acknowledged_at
  where weir_acknowledgements.known_until < excluded.known_until`;
const LIST = 'select * from weir_acknowledgements order by acknowledged_at desc, kind, subject limit $1';

interface Row extends Record<string, unknown> {
  readonly kind: string;
  readonly subject: string;
  readonly known_until: string;
  readonly by_whom: string;
  readonly acknowledged_at: string;
}

const acknowledgementOf = ({ kind, subject, known_until, by_whom, acknowledged_at }: Row): Acknowledgement => ({
  ...{ kind, subject: subject === NOBODY ? null : subject, until: known_until, by: by_whom, at: Number(acknowledged_at) },
});

export function sqlAcknowledgements(database: SqlPort): Acknowledgements {
  return {
    async save({ kind, subject, until, by, at }) {
      await database.query(SAVE, [kind, subject ?? NOBODY, until, by, at]);
    },
    list: async () => (await database.query<Row>(LIST, [MAX_LISTED])).rows.map(acknowledgementOf),
  };
}
