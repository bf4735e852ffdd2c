/** Judges statements that drop or empty whole objects: tables, schemas, databases. */
import type { SqlStatement } from './sql-statement.ts';
import type { SqlToken } from './sql-token.ts';
import { DATA_RULES } from './rules-data.ts';
import { hasWords, shownName, splitAtCommas, tableKey, TokenReader } from './token-reader.ts';
import { isLeftBySwap, isNew, isSwapped, type ScriptView, type Verdict } from './verdict.ts';

/** A message names only so many tables. */
const MAX_SHOWN_NAMES = 5;

/** Names in a comma-separated list that the reader stands before, each with its tokens. */
const namesAt = (reader: TokenReader): readonly { readonly name: string; readonly tokens: readonly SqlToken[] }[] =>
  splitAtCommas(reader.rest()).flatMap(tokens => {
    const name = new TokenReader(tokens).name();
    return name === null ? [] : [{ name, tokens }];
  });

function dropTable(reader: TokenReader, view: ScriptView): Verdict[] {
  reader.accept('IF', 'EXISTS');
  return namesAt(reader).flatMap(({ name, tokens }) => {
    const key = tableKey(name);
    // Rebuilt from a copy: create, copy, drop, rename (as SQLite has to), or create, copy, rename both, drop.
    if (isNew(view, key) || isSwapped(view, key) || isLeftBySwap(view, key)) return [];
    const recreated = view.facts.created.has(key);
    const message = recreated
      ? `If ${shownName(name)} exists, it is dropped with all its rows before it is created again.`
      : `${shownName(name)} is dropped with all its rows. Nothing but a backup brings them back.`;
    return [{ rule: DATA_RULES.dropTable, tokens, message, needsContext: true, ...(recreated ? { severity: 'major' as const } : {}) }];
  });
}

function dropDatabase(statement: SqlStatement, reader: TokenReader, kind: string): Verdict[] {
  reader.accept('IF', 'EXISTS');
  const name = reader.name() ?? '';
  return [
    {
      rule: DATA_RULES.dropDatabase,
      tokens: statement.tokens,
      message: `The ${kind} ${shownName(name)} is dropped with everything in it.`,
      needsContext: true,
    },
  ];
}

/** `DROP …` */
export function judgeDrop(statement: SqlStatement, view: ScriptView): readonly Verdict[] {
  const reader = new TokenReader(statement.tokens, 1);
  if (reader.accept('TEMPORARY')) return [];
  if (reader.accept('TABLE')) return dropTable(reader, view);
  if (reader.accept('DATABASE')) return dropDatabase(statement, reader, 'database');
  if (reader.accept('SCHEMA') && (view.dialect === 'mysql' || hasWords(statement.tokens, 'CASCADE'))) return dropDatabase(statement, reader, 'schema');
  return [];
}

/** `TRUNCATE …` */
export function judgeTruncate(statement: SqlStatement, view: ScriptView): readonly Verdict[] {
  const reader = new TokenReader(statement.tokens, 1);
  reader.accept('TABLE');
  reader.accept('ONLY');
  const kept = namesAt(reader).filter(({ name }) => !isNew(view, tableKey(name)));
  if (kept.length === 0) return [];
  const names = kept
    .slice(0, MAX_SHOWN_NAMES)
    .map(({ name }) => shownName(name))
    .join(', ');
  const cascade = hasWords(statement.tokens, 'CASCADE') ? ', and so are all tables that refer to it' : '';
  return [{ rule: DATA_RULES.truncate, tokens: statement.tokens, message: `${names} is emptied${cascade}.`, needsContext: true }];
}
