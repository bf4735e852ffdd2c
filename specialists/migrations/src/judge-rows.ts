/** Judges UPDATE and DELETE that have no condition. */
import type { SqlStatement } from './sql-statement.ts';
import type { SqlToken } from './sql-token.ts';
import { DATA_RULES } from './rules-data.ts';
import { hasWords, shownName, tableKey, TokenReader } from './token-reader.ts';
import { isNew, isNewColumn, type ScriptView, type Verdict } from './verdict.ts';

/** A condition, or something that limits the rows or that this reader does not understand. */
const LIMITS = ['WHERE', 'LIMIT', 'JOIN', 'FETCH', 'TOP', 'CURRENT OF'];
const isLimited = (tokens: readonly SqlToken[]): boolean => LIMITS.some(words => hasWords(tokens, words, 0));

/** Columns that `SET a = 1, b = 2` assigns, or null when it is not read. */
function assignedColumns(tokens: readonly SqlToken[], from: number): readonly string[] | null {
  const columns: string[] = [];
  for (let at = from; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (token?.depth !== 0 || token.text !== '=' || token.kind !== 'symbol') continue;
    const column = tokens[at - 1];
    const before = tokens[at - 2];
    if (column === undefined || !(before?.word === 'SET' || before?.text === ',')) continue;
    columns.push(column.text);
  }
  return columns.length === 0 ? null : columns;
}

/** `UPDATE …` */
export function judgeUpdate(statement: SqlStatement, view: ScriptView): readonly Verdict[] {
  const reader = new TokenReader(statement.tokens, 1);
  reader.accept('ONLY');
  const table = reader.name();
  const set = statement.tokens.findIndex(token => token.word === 'SET');
  // Without SET right after the table and its alias this is another statement, such as UPDATE STATISTICS.
  if (table === null || set < reader.at || set - reader.at > 3 || isLimited(statement.tokens) || isNew(view, tableKey(table))) return [];
  const columns = assignedColumns(statement.tokens, set);
  const fills = columns?.every(column => isNewColumn(view, table, column)) ?? false;
  const message = fills
    ? `The new column is filled for every row of ${shownName(table)} in one transaction; each row is written anew and stays locked until the end.`
    : `Every row of ${shownName(table)} is changed: the statement has no WHERE.`;
  return [{ rule: DATA_RULES.updateWithoutWhere, tokens: statement.tokens, message, needsContext: true, ...(fills ? { severity: 'minor' as const } : {}) }];
}

/** `DELETE …` */
export function judgeDelete(statement: SqlStatement, view: ScriptView): readonly Verdict[] {
  const reader = new TokenReader(statement.tokens, 1);
  if (!reader.accept('FROM')) return [];
  reader.accept('ONLY');
  const table = reader.name();
  if (table === null || isLimited(statement.tokens) || isNew(view, tableKey(table))) return [];
  return [
    {
      rule: DATA_RULES.deleteWithoutWhere,
      tokens: statement.tokens,
      message: `Every row of ${shownName(table)} is removed: the statement has no WHERE.`,
      needsContext: true,
    },
  ];
}
