/**
 * Judges `ALTER COLUMN … TYPE`. The old type is unknown, so a target that is often reached without a rewrite is left alone.
 * Source: PostgreSQL manual, ALTER TABLE, Notes (binary coercible types; varchar, numeric, timestamp, interval, bit and inet widen in place).
 */
import { LOCK_RULES } from './rules-locks.ts';
import type { SqlToken } from './sql-token.ts';
import { shownName } from './token-reader.ts';
import { type AlterAction, postgresSeverity, type Verdict } from './verdict.ts';

const OFTEN_IN_PLACE = new Set([
  'TEXT',
  'VARCHAR',
  'CHARACTER',
  'NUMERIC',
  'DECIMAL',
  'TIMESTAMP',
  'TIMESTAMPTZ',
  'TIME',
  'INTERVAL',
  'VARBIT',
  'BIT',
  'INET',
  'CIDR',
  'CITEXT',
  'OID',
  'XML',
]);

/** `USING c`, `USING c::t` and `USING CAST(c AS t)` compute nothing of their own. */
function isPlainCast(using: readonly SqlToken[], column: string): boolean {
  const [first, second, third] = using.filter(token => token.text !== '(' && token.text !== ')');
  const isColumn = (token: SqlToken | undefined): boolean => token?.text.toLowerCase() === column.toLowerCase();
  const casts = isColumn(first) && (second === undefined || (second.text === ':' && third?.text === ':'));
  return casts || (first?.word === 'CAST' && isColumn(second) && third?.word === 'AS');
}

/** `type` are the tokens after TYPE. */
export function judgeColumnType({ table, tokens, view }: AlterAction, column: string, type: readonly SqlToken[]): readonly Verdict[] {
  const first = type[0];
  const name = first?.word ?? '';
  const using = type.findIndex(token => token.word === 'USING' && token.depth === first?.depth);
  const computes = using >= 0 && !isPlainCast(type.slice(using + 1), column);
  if (first === undefined || (OFTEN_IN_PLACE.has(name) && !computes)) return [];
  const message = `On PostgreSQL ${shownName(table)} is written anew for the new type of ${shownName(column)}, while nobody may read or write it.`;
  return [{ rule: LOCK_RULES.changeColumnType, tokens, message, needsContext: true, ...postgresSeverity(view) }];
}
