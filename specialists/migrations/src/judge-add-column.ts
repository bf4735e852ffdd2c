/**
 * Judges `ADD COLUMN`: what the rows that are already there need.
 * Source: PostgreSQL manual, ALTER TABLE, Notes: a non-volatile default needs no rewrite from version 11 on.
 */
import { constraintRemark } from './judge-constraint.ts';
import { DATA_RULES } from './rules-data.ts';
import { LOCK_RULES } from './rules-locks.ts';
import type { SqlToken } from './sql-token.ts';
import { hasWords, shownName, splitAtCommas, TokenReader } from './token-reader.ts';
import { type AlterAction, mayBePostgres, postgresSeverity, type Verdict } from './verdict.ts';

/** Volatile by PostgreSQL's catalog (provolatile = 'v'), uuid-ossp included. */
const VOLATILE = new Set(
  'GEN_RANDOM_UUID UUIDV4 UUIDV7 UUID_GENERATE_V1 UUID_GENERATE_V1MC UUID_GENERATE_V4 CLOCK_TIMESTAMP TIMEOFDAY RANDOM RANDOM_NORMAL NEXTVAL CURRVAL GEN_RANDOM_BYTES SETVAL'.split(
    ' ',
  ),
);
const SERIAL = /^(?:BIG|SMALL)?SERIAL[248]?$/;

interface NewColumn {
  readonly name: string;
  readonly tokens: readonly SqlToken[];
}

/** Columns of `ADD [COLUMN] a int, …` or MySQL's `ADD (a int, b int)`. */
function newColumns({ tokens }: AlterAction): readonly NewColumn[] {
  const reader = new TokenReader(tokens, 1);
  reader.accept('COLUMN');
  reader.accept('IF', 'NOT', 'EXISTS');
  const group = reader.current?.text === '(' ? tokens.slice(reader.at + 1, -1) : null;
  const parts = group === null ? [reader.rest()] : splitAtCommas(group);
  return parts.flatMap(part => {
    const name = new TokenReader(part).name();
    return name === null || part.length < 2 ? [] : [{ name, tokens: part }];
  });
}

const isSerial = ({ tokens }: NewColumn): boolean => SERIAL.test(tokens[1]?.word ?? '');
const isGenerated = ({ tokens }: NewColumn): boolean => hasWords(tokens, 'GENERATED') || hasWords(tokens, 'IDENTITY') || hasWords(tokens, 'AUTO_INCREMENT');

/** A function of the default that gives another value for each row. */
function volatileCall({ tokens }: NewColumn): string | null {
  const from = tokens.findIndex(token => token.word === 'DEFAULT');
  if (from < 0) return null;
  const call = tokens.find((token, at) => at > from && VOLATILE.has(token.word) && tokens[at + 1]?.text === '(');
  return call === undefined ? null : `${call.text.toLowerCase()}()`;
}

/** What makes PostgreSQL compute a value row by row. */
function rewriteCause(column: NewColumn): string | null {
  if (isSerial(column)) return 'a serial type';
  if (hasWords(column.tokens, 'AS IDENTITY')) return 'an identity';
  if (hasWords(column.tokens, 'STORED')) return 'a stored generated column';
  return volatileCall(column);
}

function required(action: AlterAction, column: NewColumn): Verdict[] {
  if (!hasWords(column.tokens, 'NOT NULL') || hasWords(column.tokens, 'DEFAULT') || isSerial(column) || isGenerated(column)) return [];
  const mysql = action.view.dialect === 'mysql';
  const effect = mysql
    ? 'old rows get an implicit value (0, an empty text), and programs that still insert without it fail in strict mode'
    : 'the migration fails as soon as the table has a row';
  const message = `${shownName(column.name)} of ${shownName(action.table)} is required and has no default: ${effect}.`;
  return [{ rule: DATA_RULES.notNullWithoutDefault, tokens: column.tokens, message, needsContext: true, ...(mysql ? { severity: 'minor' as const } : {}) }];
}

function rewrites(action: AlterAction, column: NewColumn): Verdict[] {
  const cause = mayBePostgres(action.view) ? rewriteCause(column) : null;
  if (cause === null) return [];
  const message = `On PostgreSQL ${shownName(action.table)} is written anew, row by row, for ${cause}, while nobody may read or write it.`;
  return [{ rule: LOCK_RULES.volatileDefault, tokens: column.tokens, message, needsContext: true, ...postgresSeverity(action.view) }];
}

function builtIndex(action: AlterAction, column: NewColumn): Verdict[] {
  const unique = hasWords(column.tokens, 'UNIQUE', column.tokens[0]?.depth) || hasWords(column.tokens, 'PRIMARY KEY', column.tokens[0]?.depth);
  return unique && mayBePostgres(action.view) ? [constraintRemark(action, 'an index is built while nobody may read or write it', column.tokens)] : [];
}

export const judgeAddColumn = (action: AlterAction): readonly Verdict[] =>
  newColumns(action).flatMap(column => [...required(action, column), ...rewrites(action, column), ...builtIndex(action, column)]);
