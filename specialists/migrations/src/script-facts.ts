/**
 * What a migration does as a whole, as far as a single statement's risk depends on it:
 * a table that the same migration creates is empty and unknown to the running program.
 */
import { type AlterTable, readAlterTable } from './alter-table.ts';
import type { SqlStatement } from './sql-statement.ts';
import { tableKey, TokenReader } from './token-reader.ts';

export interface ScriptFacts {
  /** Table to the index of the first statement that creates it; -1 when another file of the change does. */
  readonly created: ReadonlyMap<string, number>;
  /** Table to the index of the last statement that renames another table to it. */
  readonly replaced: ReadonlyMap<string, number>;
  /** `table.column` to the index of the first statement that adds the column. */
  readonly addedColumns: ReadonlyMap<string, number>;
  /** Tables of which the script validates or drops a constraint: the second half of a careful SET NOT NULL. */
  readonly checked: ReadonlySet<string>;
}

/** Name of the table that a statement creates (also by `SELECT … INTO`), or null. */
export function createdTable(statement: SqlStatement): string | null {
  const reader = new TokenReader(statement.tokens);
  if (reader.accept('CREATE')) {
    while (reader.acceptOne('OR REPLACE', 'GLOBAL', 'LOCAL', 'TEMPORARY', 'TEMP', 'UNLOGGED', 'EXTERNAL', 'FOREIGN', 'VIRTUAL', 'MATERIALIZED'));
    if (!reader.acceptOne('TABLE', 'VIEW')) return null;
    reader.accept('IF', 'NOT', 'EXISTS');
    return reader.name();
  }
  if (!reader.accept('SELECT')) return null;
  const into = statement.tokens.findIndex(token => token.word === 'INTO' && token.depth === 0);
  if (into < 0) return null;
  const target = new TokenReader(statement.tokens, into + 1);
  while (target.acceptOne('TEMPORARY', 'TEMP', 'UNLOGGED', 'TABLE'));
  return target.name();
}

/** New name of the table, when an action renames the table itself. */
function newTableName(alter: AlterTable): string | null {
  const reader = new TokenReader(alter.actions[0] ?? []);
  return reader.acceptOne('RENAME TO', 'RENAME AS') ? reader.name() : null;
}

function addedColumn(action: AlterTable['actions'][number]): string | null {
  const reader = new TokenReader(action);
  if (!reader.accept('ADD')) return null;
  reader.accept('COLUMN');
  reader.accept('IF', 'NOT', 'EXISTS');
  return reader.name();
}

/** A column for comparison: table and column, lower case. */
export const columnKey = (table: string, column: string): string => `${tableKey(table)}.${column.toLowerCase()}`;

const touchesConstraint = (action: AlterTable['actions'][number]): boolean =>
  /^(?:VALIDATE|DROP)$/.test(action[0]?.word ?? '') && action[1]?.word === 'CONSTRAINT';

/** Remembers the first statement that does something with a key. */
function setFirst(map: Map<string, number>, key: string | null, index: number): void {
  if (key !== null && !map.has(key)) map.set(key, index);
}

/** Facts of a list of statements; `elsewhere` are tables that other files of the change create. */
export function factsOf(statements: readonly SqlStatement[], elsewhere: ReadonlySet<string>): ScriptFacts {
  const created = new Map<string, number>([...elsewhere].map(table => [table, -1]));
  const replaced = new Map<string, number>();
  const addedColumns = new Map<string, number>();
  const checked = new Set<string>();
  for (const [index, statement] of statements.entries()) {
    const table = createdTable(statement);
    setFirst(created, table === null ? null : tableKey(table), index);
    const alter = readAlterTable(statement);
    if (alter === null) continue;
    const renamed = newTableName(alter);
    if (renamed !== null) replaced.set(tableKey(renamed), index);
    for (const action of alter.actions) {
      const column = addedColumn(action);
      setFirst(addedColumns, column === null ? null : columnKey(alter.table, column), index);
      if (touchesConstraint(action)) checked.add(tableKey(alter.table));
    }
  }
  return { created, replaced, addedColumns, checked };
}
