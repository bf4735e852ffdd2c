/** The ledger in the database, one for all processes of a deployment. */
import type { Charge, ModelCall, SpendSum } from '@weir/contract';
import type { CallPlace, LedgerStore, OpenCall, SpendFilter, SpendGroup, SpendRow, SqlPort } from '@weir/ports';
import { goodLines, inOrder } from './ledger-lines.ts';

type CallColumn = Exclude<keyof ModelCall, 'callRef' | 'at'>;

/** The text columns of a call, in the order in which they are written. */
const COLUMN: Readonly<Record<CallColumn, string>> = {
  capability: 'capability',
  modelProvider: 'model_provider',
  model: 'model',
  credentialRef: 'credential_ref',
  forge: 'forge',
  virtualKey: 'virtual_key',
  person: 'person',
  run: 'run',
  review: 'review',
  repository: 'repository',
};
const CALL_COLUMNS = Object.keys(COLUMN) as readonly CallColumn[];

const APPEND = `with closed as (delete from weir_open_calls where call_ref = $1)
  insert into weir_charges (call_ref, at, token_type, tokens, rate, cost, pricing_mode, ${Object.values(COLUMN).join(', ')})
  select $1, $2, line.*, ${CALL_COLUMNS.map((_, index) => `$${index + 8}`).join(', ')}
  from unnest($3::text[], $4::bigint[], $5::bigint[], $6::bigint[], $7::text[]) line
  on conflict (call_ref, token_type) do nothing`;

const OPEN = 'insert into weir_open_calls (call_ref, at, call) values ($1, $2, $3) on conflict (call_ref) do nothing';
/** A call whose charge was quicker than its opening, or came at the same moment, is not open. */
const OPEN_BEFORE = `select call from weir_open_calls opened
  where at < $1 and not exists (select from weir_charges charge where charge.call_ref = opened.call_ref) order by at, call_ref limit $2`;

const SUMS = `count(distinct call_ref) as calls, count(distinct call_ref) filter (where cost is null) as unpriced, coalesce(sum(cost), 0) as millicents`;

interface SumRow extends Record<string, unknown> {
  readonly calls: string;
  readonly unpriced: string;
  readonly millicents: string;
}

const sumOf = ({ calls, unpriced, millicents }: SumRow): SpendSum => ({
  calls: Number(calls),
  unpricedCalls: Number(unpriced),
  millicents: Number(millicents),
});

/** What fills a limit: money at the moment of its line, a call at the moment of its last line. */
const FILLING: Readonly<Record<'millicents' | 'calls', (where: string) => string>> = {
  millicents: where => `select at, sum(cost) as filling from weir_charges ${where} group by at`,
  calls: where => `select at, count(*) as filling from (select call_ref, max(at) as at from weir_charges ${where} group by call_ref) call group by at`,
};

interface Condition {
  readonly where: string;
  readonly values: readonly unknown[];
}

function conditionOf({ since, until, reviews, unpriced, ...same }: SpendFilter): Condition {
  const values: unknown[] = [];
  const parts: string[] = [];
  const add = (comparison: string, value: string | number | undefined): void => {
    if (value === undefined) return;
    values.push(value);
    parts.push(`${comparison} $${values.length}`);
  };
  add('at >=', since);
  add('at <', until);
  for (const [column, value] of Object.entries(same) as [CallColumn, string | null | undefined][]) {
    if (value === null) parts.push(`${COLUMN[column]} is null`);
    else add(`${COLUMN[column]} =`, value);
  }
  if (reviews !== undefined) parts.push(`review = any ($${values.push(reviews)}::text[])`);
  if (unpriced === true) parts.push('cost is null');
  return { where: parts.length === 0 ? '' : `where ${parts.join(' and ')}`, values };
}

/** The page is chosen by the last line of each call; then come all lines of its calls. */
const callsStatement = (where: string, place: number): string => `select charge.*, page.moment from weir_charges charge join (
    select call_ref, max(at) as moment from weir_charges ${where} group by call_ref
    having (max(at), call_ref collate "C") < ($${place}::bigint, $${place + 1}::text)
    order by moment desc, call_ref collate "C" desc limit $${place + 2}
  ) page on page.call_ref = charge.call_ref order by page.moment desc, charge.call_ref collate "C" desc`;
/** Above every call. */
const NEWEST: CallPlace = { at: Number.MAX_SAFE_INTEGER, callRef: '' };

const groupOf = (group: SpendGroup): string => (group === 'model' ? "model_provider || '/' || model" : COLUMN[group]);

export function sqlLedgerStore(database: SqlPort): LedgerStore {
  return {
    async open(call) {
      await database.query(OPEN, [call.callRef, call.at, call]);
    },
    async append(call, lines) {
      const good = goodLines(lines);
      const columns = [good.map(line => line.tokenType), good.map(line => line.tokens), good.map(line => line.rate), good.map(line => line.cost)];
      const { count } = await database.query(APPEND, [
        call.callRef,
        call.at,
        ...columns,
        good.map(line => line.pricingMode),
        ...CALL_COLUMNS.map(column => call[column]),
      ]);
      return count;
    },
    async openBefore(moment, limit) {
      const { rows } = await database.query<{ call: OpenCall }>(OPEN_BEFORE, [moment, limit]);
      return rows.map(({ call }) => call);
    },
    async charges(callRef) {
      const { rows } = await database.query<StoredCharge>('select * from weir_charges where call_ref = $1', [callRef]);
      return inOrder(rows.map(chargeOf));
    },
    async calls(filter, { limit, before }) {
      const { where, values } = conditionOf(filter);
      const { at, callRef } = before ?? NEWEST;
      const { rows } = await database.query<StoredCharge>(callsStatement(where, values.length + 1), [...values, at, callRef, limit]);
      const byCall = new Map<string, Charge[]>();
      for (const charge of rows.map(chargeOf)) byCall.set(charge.callRef, [...(byCall.get(charge.callRef) ?? []), charge]);
      return [...byCall.values()].map(inOrder);
    },
    async sum(filter) {
      const { where, values } = conditionOf(filter);
      const { rows } = await database.query<SumRow>(`select ${SUMS} from weir_charges ${where}`, values);
      return sumOf(rows[0] ?? { calls: '0', unpriced: '0', millicents: '0' });
    },
    async sumBy(group, filter, limit) {
      const { where, values } = conditionOf(filter);
      const statement = `select * from (select ${groupOf(group)} as name, ${SUMS} from weir_charges ${where} group by 1) grouped
        order by unpriced desc, millicents desc, calls desc, name collate "C" nulls first limit $${values.length + 1}`;
      const { rows } = await database.query<SumRow & { name: string | null }>(statement, [...values, limit]);
      return rows.map((row): SpendRow => ({ name: row.name, ...sumOf(row) }));
    },
    async filledAt(filter, axis, limit) {
      if (limit <= 0) return null;
      const { where, values } = conditionOf(filter);
      const statement = `select at from (select at, sum(filling) over (order by at desc) as filled from (${FILLING[axis](where)}) moment) moment
        where filled >= $${values.length + 1} order by at desc limit 1`;
      const { rows } = await database.query<{ at: string }>(statement, [...values, limit]);
      return rows[0] === undefined ? null : Number(rows[0].at);
    },
  };
}

interface StoredCharge extends Record<string, unknown> {
  readonly call_ref: string;
  readonly at: string;
  readonly token_type: Charge['tokenType'];
  readonly tokens: string | null;
  readonly rate: string | null;
  readonly cost: string | null;
  readonly pricing_mode: Charge['pricingMode'];
}

const numberOf = (value: string | null): number | null => (value === null ? null : Number(value));

function chargeOf(row: StoredCharge): Charge {
  const call = Object.fromEntries(CALL_COLUMNS.map(column => [column, row[COLUMN[column]]])) as unknown as Pick<Charge, CallColumn>;
  return {
    callRef: row.call_ref,
    at: Number(row.at),
    ...call,
    tokenType: row.token_type,
    tokens: numberOf(row.tokens),
    rate: numberOf(row.rate),
    cost: numberOf(row.cost),
    pricingMode: row.pricing_mode,
  };
}
