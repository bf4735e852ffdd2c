/** Judges the actions of ALTER TABLE, each on its own. */
import { readAlterTable } from './alter-table.ts';
import { judgeAddColumn } from './judge-add-column.ts';
import { judgeColumnType } from './judge-column-type.ts';
import { judgeConstraint } from './judge-constraint.ts';
import { DATA_RULES } from './rules-data.ts';
import { LOCK_RULES } from './rules-locks.ts';
import type { SqlStatement } from './sql-statement.ts';
import { shownName, tableKey, TokenReader } from './token-reader.ts';
import { type AlterAction, isNew, isNewColumn, isSwapped, mayBePostgres, postgresSeverity, type ScriptView, type Verdict } from './verdict.ts';

/** What follows DROP and RENAME when it is not a column. */
const NOT_A_COLUMN = [
  'CONSTRAINT',
  'INDEX',
  'KEY',
  'PRIMARY KEY',
  'FOREIGN KEY',
  'CHECK',
  'PARTITION',
  'SYSTEM',
  'PERIOD',
  'UNIQUE',
  'ATTRIBUTE',
  'VALUE',
  'DEFAULT',
];

const isAdded = ({ table, view }: AlterAction, column: string): boolean => isNewColumn(view, table, column);

function drop(action: AlterAction): Verdict[] {
  const reader = new TokenReader(action.tokens, 1);
  if (!reader.accept('COLUMN') && reader.acceptOne(...NOT_A_COLUMN)) return [];
  reader.accept('IF', 'EXISTS');
  if (reader.current?.text === '(') reader.at += 1;
  const column = reader.name();
  if (column === null || isAdded(action, column)) return [];
  return [
    {
      rule: DATA_RULES.dropColumn,
      tokens: action.tokens,
      message: `${shownName(column)} of ${shownName(action.table)} is dropped with its values, at once.`,
      needsContext: true,
    },
  ];
}

function rename(action: AlterAction): Verdict[] {
  const reader = new TokenReader(action.tokens, 1);
  const tableItself = reader.acceptOne('TO', 'AS');
  if (!tableItself && !reader.accept('COLUMN') && reader.acceptOne(...NOT_A_COLUMN)) return [];
  const from = tableItself ? action.table : reader.name();
  if (from === null || (tableItself ? isSwapped(action.view, tableKey(from)) : !reader.accept('TO') || isAdded(action, from))) return [];
  const to = reader.name() ?? '';
  const place = tableItself ? '' : ` of ${shownName(action.table)}`;
  return [
    {
      rule: DATA_RULES.rename,
      tokens: action.tokens,
      message: `${shownName(from)}${place} is called ${shownName(to)} from now on; programs that still use the old name fail.`,
      needsContext: true,
    },
  ];
}

/** MySQL: `CHANGE [COLUMN] old new type`. */
function change(action: AlterAction): Verdict[] {
  const reader = new TokenReader(action.tokens, 1);
  reader.accept('COLUMN');
  const from = reader.name();
  const to = reader.name();
  if (from === null || to === null || from.toLowerCase() === to.toLowerCase() || isAdded(action, from)) return [];
  return [
    {
      rule: DATA_RULES.rename,
      tokens: action.tokens,
      message: `${shownName(from)} of ${shownName(action.table)} is called ${shownName(to)} from now on; programs that still use the old name fail.`,
      needsContext: true,
    },
  ];
}

function alterColumn(action: AlterAction): readonly Verdict[] {
  const reader = new TokenReader(action.tokens, 1);
  reader.accept('COLUMN');
  const column = reader.name();
  if (column === null || !mayBePostgres(action.view)) return [];
  if (reader.acceptOne('TYPE', 'SET DATA TYPE')) return judgeColumnType(action, column, reader.rest());
  if (!reader.accept('SET', 'NOT', 'NULL') || action.view.facts.checked.has(tableKey(action.table))) return [];
  const message = `On PostgreSQL the whole of ${shownName(action.table)} is read while nobody may use it, and one null in ${shownName(column)} stops the migration.`;
  return [{ rule: LOCK_RULES.setNotNull, tokens: action.tokens, message, needsContext: true, ...postgresSeverity(action.view) }];
}

function add(action: AlterAction): readonly Verdict[] {
  return judgeConstraint(action) ?? judgeAddColumn(action);
}

const JUDGES: Readonly<Record<string, (action: AlterAction) => readonly Verdict[]>> = {
  ADD: add,
  DROP: drop,
  RENAME: rename,
  CHANGE: change,
  ALTER: alterColumn,
};

/** `ALTER TABLE …`, action by action. */
export function judgeAlterTable(statement: SqlStatement, view: ScriptView): readonly Verdict[] {
  const alter = readAlterTable(statement);
  if (alter === null || isNew(view, tableKey(alter.table))) return [];
  return alter.actions.flatMap(tokens => JUDGES[tokens[0]?.word ?? '']?.({ table: alter.table, tokens, view }) ?? []);
}
