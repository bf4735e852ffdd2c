/** What a judge says of a statement; the place of a finding comes from its tokens. */
import type { Severity } from '@weir/contract';
import type { Rule } from '@weir/specialist-kit';
import type { Dialect } from './dialect.ts';
import { columnKey, type ScriptFacts } from './script-facts.ts';
import type { SqlToken } from './sql-token.ts';

export interface Verdict {
  readonly rule: Rule;
  /** The part of the statement that it is about. */
  readonly tokens: readonly SqlToken[];
  readonly message: string;
  readonly severity?: Severity;
  /** True when the verdict would fall if an earlier statement, not shown, created the table or opened a section for the way back. */
  readonly needsContext: boolean;
}

/** What a judge knows besides the statement. */
export interface ScriptView {
  readonly dialect: Dialect;
  readonly facts: ScriptFacts;
  /** Index of the statement in its script. */
  readonly index: number;
  /** Whether the statement runs inside a transaction for certain, and by what. */
  readonly transaction: string | null;
}

/** One action of ALTER TABLE: `ADD …`, `DROP …`, `ALTER …`. */
export interface AlterAction {
  readonly table: string;
  readonly tokens: readonly SqlToken[];
  readonly view: ScriptView;
}

/** Whether the script has created the table before this statement. */
export const isNew = ({ facts, index }: ScriptView, key: string): boolean => (facts.created.get(key) ?? Infinity) < index;

/**
 * Whether the script swaps the table for another one that takes its name: create a copy, fill it, rename both.
 * `key` is the name that it has at first.
 */
export const isSwapped = ({ facts, index }: ScriptView, key: string): boolean => (facts.replaced.get(key) ?? -1) >= index;

/** Whether the table is what a swap has left: an earlier statement took its name away and gave it to another table. */
export const isLeftBySwap = (view: ScriptView, key: string): boolean => {
  const rename = view.facts.renamed.get(key);
  return rename !== undefined && rename.at < view.index && isSwapped({ ...view, index: rename.at }, rename.from);
};

/** Whether an earlier statement of the script has added the column. */
export const isNewColumn = ({ facts, index }: ScriptView, table: string, column: string): boolean =>
  (facts.addedColumns.get(columnKey(table, column)) ?? Infinity) < index;

/** True where a lock or a rewrite of PostgreSQL can matter. */
export const mayBePostgres = ({ dialect }: ScriptView): boolean => dialect === 'postgres' || dialect === 'unknown';

/** On an unknown database a PostgreSQL matter is said in a lower voice. */
export const postgresSeverity = ({ dialect }: ScriptView): { readonly severity?: Severity } => (dialect === 'postgres' ? {} : { severity: 'minor' });
