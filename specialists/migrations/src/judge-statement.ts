/** The table of judges: which statement is judged by what. */
import { judgeAlterTable } from './judge-alter.ts';
import { judgeDrop, judgeTruncate } from './judge-drops.ts';
import { judgeCluster, judgeConcurrently, judgeCreateIndex, judgeLock, judgeReindex, judgeVacuum } from './judge-indexes.ts';
import { judgeDelete, judgeUpdate } from './judge-rows.ts';
import { DATA_RULES } from './rules-data.ts';
import type { SqlStatement } from './sql-statement.ts';
import type { SqlToken } from './sql-token.ts';
import { shownName, splitAtCommas, tableKey, TokenReader } from './token-reader.ts';
import { isNew, isSwapped, type ScriptView, type Verdict } from './verdict.ts';

type Judge = (statement: SqlStatement, view: ScriptView) => readonly Verdict[];

/** MySQL: `RENAME TABLE a TO b, c TO d`. */
function judgeRename(statement: SqlStatement, view: ScriptView): readonly Verdict[] {
  const reader = new TokenReader(statement.tokens, 1);
  if (!reader.acceptOne('TABLE', 'TABLES')) return [];
  return splitAtCommas(reader.rest()).flatMap(part => {
    const pair = new TokenReader(part);
    const from = pair.name();
    if (from === null || !pair.accept('TO') || isNew(view, tableKey(from)) || isSwapped(view, tableKey(from))) return [];
    const message = `${shownName(from)} is called ${shownName(pair.name() ?? '')} from now on; programs that still use the old name fail.`;
    return [{ rule: DATA_RULES.rename, tokens: part, message, needsContext: true }];
  });
}

/** `WITH … UPDATE` and `WITH … DELETE`: judges what stands after the common tables. */
function judgeWith(statement: SqlStatement, view: ScriptView): readonly Verdict[] {
  const at = statement.tokens.findIndex(token => token.depth === 0 && /^(?:SELECT|INSERT|UPDATE|DELETE|MERGE)$/.test(token.word));
  const judge = JUDGES[statement.tokens[at]?.word ?? ''];
  return judge === judgeUpdate || judge === judgeDelete ? judge({ ...statement, tokens: statement.tokens.slice(at) }, view) : [];
}

const JUDGES: Readonly<Record<string, Judge>> = {
  ALTER: judgeAlterTable,
  CLUSTER: judgeCluster,
  CREATE: judgeCreateIndex,
  DELETE: judgeDelete,
  DROP: judgeDrop,
  LOCK: judgeLock,
  REINDEX: judgeReindex,
  RENAME: judgeRename,
  TRUNCATE: judgeTruncate,
  UPDATE: judgeUpdate,
  VACUUM: judgeVacuum,
  WITH: judgeWith,
};

/** What follows a verb that also stands inside of statements: `ON DELETE CASCADE`, `DO UPDATE SET`, `DROP COLUMN`. */
const AFTER_VERB: Readonly<Record<string, RegExp>> = {
  ALTER: /^(?:TABLE|INDEX|VIEW|TYPE|SEQUENCE|DATABASE|SCHEMA|FUNCTION|ROLE|USER|MATERIALIZED|POLICY|DOMAIN|EXTENSION|PUBLICATION)$/,
  CREATE: /./,
  DELETE: /^FROM$/,
  DROP: /^(?!COLUMN$|CONSTRAINT$|NOT$|DEFAULT$|PRIMARY$|FOREIGN$|KEY$|PARTITION$|CHECK$|IDENTITY$|EXPRESSION$)./,
  RENAME: /^TABLES?$/,
  TRUNCATE: /./,
  UPDATE: /^(?!SET$|CASCADE$|RESTRICT$|NO$|CURRENT_TIMESTAMP$)/,
  WITH: /^(?!CHECK$|TIME$|ORDINALITY$|NO$|DATA$)/,
};
const OTHER_VERBS = /^(?:SELECT|INSERT|BEGIN|START|COMMIT|ROLLBACK|GRANT|REVOKE|COMMENT|DO|CALL|PRAGMA|USE|COPY|VACUUM|CLUSTER|REINDEX|LOCK)$/;

/** Whether the tokens begin like a statement, so that the first statement of a hunk is known to be whole. */
export function beginsStatement([first, second]: readonly SqlToken[]): boolean {
  const word = first?.word ?? '';
  if (OTHER_VERBS.test(word)) return true;
  return Object.hasOwn(AFTER_VERB, word) && (AFTER_VERB[word]?.test(second?.word ?? '') ?? false);
}

export function judgeStatement(statement: SqlStatement, view: ScriptView): readonly Verdict[] {
  const word = statement.tokens[0]?.word ?? '';
  const judge = Object.hasOwn(JUDGES, word) ? JUDGES[word] : undefined;
  return [...judgeConcurrently(statement, view), ...(judge?.(statement, view) ?? [])];
}
