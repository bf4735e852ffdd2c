/**
 * What a SQL state means for the caller, and the sentence that names it without any value.
 * Source of the states: PostgreSQL's manual, appendix A (error codes).
 */

export type SqlFailureCode = 'DATABASE_UNAVAILABLE' | 'DATABASE_CONFLICT' | 'DATABASE_REFUSED';

/** The fields of PostgreSQL's error message that hold names, not values. Its message, detail and hint may quote values. */
export interface SqlErrorFields {
  /** Five characters. */
  readonly state: string;
  readonly table?: string | undefined;
  readonly column?: string | undefined;
  readonly constraint?: string | undefined;
  /** Character of the statement, from 1. */
  readonly position?: string | undefined;
}

export interface SqlFailure {
  readonly code: SqlFailureCode;
  readonly sentence: string;
}

/** The longest prefix wins. What has no row is a fault of the statement. */
const MEANINGS: readonly (readonly [prefix: string, code: SqlFailureCode, name: string])[] = [
  ['08', 'DATABASE_UNAVAILABLE', 'the connection failed'],
  ['08P01', 'DATABASE_REFUSED', 'the number of parameters does not fit the statement'],
  ['22', 'DATABASE_REFUSED', 'a value does not fit its type'],
  ['22021', 'DATABASE_REFUSED', 'a text holds a NUL character or is not UTF-8'],
  ['23', 'DATABASE_REFUSED', 'a constraint is violated'],
  ['23502', 'DATABASE_REFUSED', 'a column must not be null'],
  ['23503', 'DATABASE_REFUSED', 'a referenced row does not exist, or is still referenced'],
  ['23505', 'DATABASE_REFUSED', 'a unique value exists already'],
  ['23514', 'DATABASE_REFUSED', 'a check is not fulfilled'],
  ['25006', 'DATABASE_UNAVAILABLE', 'the server is read-only'],
  ['25P02', 'DATABASE_REFUSED', 'an earlier statement of the transaction has failed'],
  ['25P03', 'DATABASE_UNAVAILABLE', 'the transaction was idle for too long'],
  ['28', 'DATABASE_UNAVAILABLE', 'the server refuses the user or the password'],
  ['3D000', 'DATABASE_UNAVAILABLE', 'the server has no database of this name'],
  ['40001', 'DATABASE_CONFLICT', 'another transaction changed the same rows'],
  ['40003', 'DATABASE_UNAVAILABLE', 'whether the statement completed is unknown'],
  ['40P01', 'DATABASE_CONFLICT', 'two transactions wait for each other'],
  ['42', 'DATABASE_REFUSED', 'the statement is wrong'],
  ['42501', 'DATABASE_REFUSED', 'the user of the database lacks a privilege'],
  ['42601', 'DATABASE_REFUSED', 'the statement has a syntax error, or is more than one statement'],
  ['42703', 'DATABASE_REFUSED', 'a column does not exist'],
  ['42P01', 'DATABASE_REFUSED', 'a table does not exist'],
  ['53', 'DATABASE_UNAVAILABLE', 'the server lacks memory, disk or connections'],
  ['55P03', 'DATABASE_CONFLICT', 'a lock was not free in time'],
  ['57014', 'DATABASE_UNAVAILABLE', 'the statement took longer than its limit'],
  ['57P', 'DATABASE_UNAVAILABLE', 'the server is starting or shutting down'],
  ['58', 'DATABASE_UNAVAILABLE', 'the server has a system error'],
];

const EXCERPT_LENGTH = 80;

/** The statement up to its first literal, so that an excerpt in a log never holds a value. */
export function statementExcerpt(statement: string): string {
  const literal = /'|\$[a-z_]*\$/i.exec(statement);
  const safe = (literal === null ? statement : statement.slice(0, literal.index)).slice(0, EXCERPT_LENGTH * 4);
  const line = safe.replace(/\s+/g, ' ').trim();
  return line.length > EXCERPT_LENGTH || safe.length < statement.length ? `${line.slice(0, EXCERPT_LENGTH)} …` : line;
}

function meaningOf(state: string): readonly [SqlFailureCode, string] {
  let best: (typeof MEANINGS)[number] = ['', 'DATABASE_REFUSED', 'the statement fails'];
  for (const row of MEANINGS) {
    if (state.startsWith(row[0]) && row[0].length > best[0].length) best = row;
  }
  return [best[1], best[2]];
}

/** Names the failure by its state and the database's own names, and never quotes a value. */
export function sqlFailure(fields: SqlErrorFields, statement: string): SqlFailure {
  const [code, meaning] = meaningOf(fields.state);
  const places = [
    fields.table && `table ${fields.table}`,
    fields.column && `column ${fields.column}`,
    fields.constraint && `constraint ${fields.constraint}`,
    fields.position && `character ${fields.position}`,
  ].filter(place => place !== undefined && place !== '');
  const where = [...places, `in \`${statementExcerpt(statement)}\``].join(', ');
  return { code, sentence: `The database answers SQLSTATE ${fields.state}: ${meaning} (${where}).` };
}
