/**
 * What a migration does as a whole, as far as a single statement's risk depends on it:
 * a table that the same migration creates is empty and unknown to the running program.
 */
import { type AlterTable, readAlterTable } from './alter-table.ts';
import type { SqlStatement } from './sql-statement.ts';
import { splitAtCommas, tableKey, TokenReader } from './token-reader.ts';

export interface ScriptFacts {
  /** Table to the index of the first statement that creates it; -1 when another file of the change does. */
  readonly created: ReadonlyMap<string, number>;
  /** Table to the index of the last statement that renames another table to it. */
  readonly replaced: ReadonlyMap<string, number>;
  /** New name of a table to the index of the statement that gives it and the name that it had. */
  readonly renamed: ReadonlyMap<string, { readonly from: string; readonly at: number }>;
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

interface TableRename {
  readonly from: string;
  readonly to: string;
}

/** Renames of tables: `ALTER TABLE a RENAME TO b`, and MySQL's `RENAME TABLE a TO b, c TO d`. */
function tableRenames(statement: SqlStatement, alter: AlterTable | null): readonly TableRename[] {
  if (alter !== null) {
    const reader = new TokenReader(alter.actions[0] ?? []);
    const to = reader.acceptOne('RENAME TO', 'RENAME AS') ? reader.name() : null;
    return to === null ? [] : [{ from: alter.table, to }];
  }
  const reader = new TokenReader(statement.tokens);
  if (!reader.acceptOne('RENAME TABLE', 'RENAME TABLES')) return [];
  return splitAtCommas(reader.rest()).flatMap(part => {
    const pair = new TokenReader(part);
    const from = pair.name();
    const to = pair.accept('TO') ? pair.name() : null;
    return from === null || to === null ? [] : [{ from, to }];
  });
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
  const renamed = new Map<string, { readonly from: string; readonly at: number }>();
  const addedColumns = new Map<string, number>();
  const checked = new Set<string>();
  for (const [index, statement] of statements.entries()) {
    const table = createdTable(statement);
    setFirst(created, table === null ? null : tableKey(table), index);
    const alter = readAlterTable(statement);
    for (const { from, to } of tableRenames(statement, alter)) {
      replaced.set(tableKey(to), index);
      renamed.set(tableKey(to), { from: tableKey(from), at: index });
    }
    if (alter === null) continue;
    for (const action of alter.actions) {
      const column = addedColumn(action);
      setFirst(addedColumns, column === null ? null : columnKey(alter.table, column), index);
      if (touchesConstraint(action)) checked.add(tableKey(alter.table));
    }
  }
  return { created, replaced, renamed, addedColumns, checked };
}
