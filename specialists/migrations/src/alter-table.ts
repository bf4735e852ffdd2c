/** Reads `ALTER TABLE` into its table and its actions, one token list an action. */
import type { SqlStatement } from './sql-statement.ts';
import type { SqlToken } from './sql-token.ts';
import { splitAtCommas, TokenReader } from './token-reader.ts';

export interface AlterTable {
  readonly table: string;
  readonly actions: readonly (readonly SqlToken[])[];
}

/** Null for any other statement, and for one whose table is a placeholder of a template. */
export function readAlterTable(statement: SqlStatement): AlterTable | null {
  const reader = new TokenReader(statement.tokens);
  if (!reader.accept('ALTER')) return null;
  reader.acceptOne('ONLINE', 'OFFLINE', 'IGNORE', 'FOREIGN');
  if (!reader.accept('TABLE')) return null;
  reader.accept('IF', 'EXISTS');
  reader.accept('ONLY');
  const table = reader.name();
  if (table === null) return null;
  if (reader.current?.text === '*') reader.at += 1;
  return { table, actions: splitAtCommas(reader.rest()) };
}
