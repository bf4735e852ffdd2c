/** Judges the building of indexes and the commands that lock a table while they work. */
import { LOCK_RULES } from './rules-locks.ts';
import type { SqlStatement } from './sql-statement.ts';
import { hasWords, shownName, tableKey, TokenReader } from './token-reader.ts';
import { isNew, mayBePostgres, postgresSeverity, type ScriptView, type Verdict } from './verdict.ts';

/** CONCURRENTLY inside a transaction, in any statement. Empty when the statement has no such word. */
export function judgeConcurrently(statement: SqlStatement, view: ScriptView): readonly Verdict[] {
  const applies = ['CREATE', 'DROP', 'REINDEX'].includes(statement.tokens[0]?.word ?? '') && hasWords(statement.tokens.slice(0, 8), 'CONCURRENTLY');
  if (!applies || view.transaction === null) return [];
  const message = `PostgreSQL refuses CONCURRENTLY inside a transaction, and ${view.transaction}.`;
  return [{ rule: LOCK_RULES.concurrentlyInTransaction, tokens: statement.tokens, message, needsContext: false }];
}

/** `CREATE [UNIQUE] INDEX …` */
export function judgeCreateIndex(statement: SqlStatement, view: ScriptView): readonly Verdict[] {
  const reader = new TokenReader(statement.tokens, 1);
  reader.accept('UNIQUE');
  if (!reader.accept('INDEX') || reader.accept('CONCURRENTLY') || !mayBePostgres(view)) return [];
  const on = statement.tokens.findIndex(token => token.word === 'ON' && token.depth === 0);
  const target = new TokenReader(statement.tokens, on + 1);
  if (on < 0 || target.accept('ONLY')) return [];
  const table = target.name();
  if (table === null || isNew(view, tableKey(table))) return [];
  const message = `On PostgreSQL nobody may write to ${shownName(table)} until the index is complete.`;
  return [{ rule: LOCK_RULES.indexWithoutConcurrently, tokens: statement.tokens, message, needsContext: true, ...postgresSeverity(view) }];
}

const maintenance = (statement: SqlStatement, view: ScriptView, message: string): readonly Verdict[] => [
  { rule: LOCK_RULES.blockingMaintenance, tokens: statement.tokens, message, needsContext: false, ...postgresSeverity(view) },
];

/** `VACUUM FULL` and `VACUUM (FULL, …)`. */
export function judgeVacuum(statement: SqlStatement, view: ScriptView): readonly Verdict[] {
  const off = hasWords(statement.tokens, 'FULL FALSE') || hasWords(statement.tokens, 'FULL OFF');
  if (!mayBePostgres(view) || off || !hasWords(statement.tokens.slice(0, 6), 'FULL')) return [];
  return maintenance(statement, view, 'VACUUM FULL writes the table anew while nobody may read or write it.');
}

/** `CLUSTER …` */
export const judgeCluster = (statement: SqlStatement, view: ScriptView): readonly Verdict[] =>
  view.dialect === 'postgres' ? maintenance(statement, view, 'CLUSTER writes the table anew while nobody may read or write it.') : [];

/** `REINDEX …` without CONCURRENTLY, also in its form with parentheses. */
export function judgeReindex(statement: SqlStatement, view: ScriptView): readonly Verdict[] {
  if (view.dialect !== 'postgres' && !/^(?:TABLE|INDEX|SCHEMA|DATABASE|SYSTEM)$/.test(statement.tokens[1]?.word ?? '')) return [];
  if (!mayBePostgres(view) || hasWords(statement.tokens.slice(0, 10), 'CONCURRENTLY')) return [];
  return maintenance(statement, view, 'REINDEX keeps writers out, and every reader that would use the index, until it is built.');
}

/** `LOCK TABLE …` in a mode that keeps readers or writers out. MySQL's `LOCK TABLES` is another statement. */
export function judgeLock(statement: SqlStatement, view: ScriptView): readonly Verdict[] {
  const reader = new TokenReader(statement.tokens, 1);
  if (!mayBePostgres(view) || !reader.accept('TABLE')) return [];
  const mild = ['IN ACCESS SHARE', 'IN ROW SHARE', 'IN ROW EXCLUSIVE'].some(mode => hasWords(statement.tokens, mode));
  return mild ? [] : maintenance(statement, view, 'The lock keeps others out until the transaction of the migration ends.');
}
