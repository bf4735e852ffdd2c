/**
 * The calls of Rails, Alembic, Django, Knex, Sequelize, TypeORM and Laravel that stand for a dangerous statement.
 * Only what one call says for certain; everything else of these languages is left alone.
 */
import type { Rule } from '@weir/specialist-kit';
import type { MigrationKind } from './migration-path.ts';
import { DATA_RULES } from './rules-data.ts';
import { LOCK_RULES } from './rules-locks.ts';

export interface SchemaCall {
  readonly kind: MigrationKind;
  /** Group 1 is the table, when the call names it; met with single lines. */
  readonly pattern: RegExp;
  readonly rule: Rule;
  readonly effect: string;
  /** A further look at the whole call, arguments included. */
  readonly when?: RegExp;
  readonly unless?: RegExp;
  /** Dangerous only where the migration runs in a transaction. */
  readonly inTransaction?: true;
}

const NAME = String.raw`\s?[:"'\`]?["']?([\w.]{1,63})`;
const pattern = (call: string): RegExp => new RegExp(`${call}${NAME}`);

const GONE = 'its rows are gone when the migration commits';
const COLUMN_GONE = 'its values are gone, and programs that still name the column fail';
const RENAMED = 'programs that still use the old name fail';
const NO_WRITES = 'on PostgreSQL nobody may write to the table until the index is complete';
const FAILS = 'the column is required and has no default, so the migration fails as soon as the table has a row';
const SCANS = 'on PostgreSQL the whole table is read while nobody may use it';
const REFUSED = 'PostgreSQL refuses a concurrent index inside a transaction';
const CHECKS = 'on PostgreSQL every row is checked while writes wait';

const { dropTable, dropColumn, rename, notNullWithoutDefault } = DATA_RULES;
const { concurrentlyInTransaction, indexWithoutConcurrently, setNotNull, changeColumnType, constraintWithoutNotValid } = LOCK_RULES;

const RUBY: readonly Omit<SchemaCall, 'kind'>[] = [
  { pattern: pattern(String.raw`^\s*drop_table[ (]`), rule: dropTable, effect: GONE },
  { pattern: pattern(String.raw`^\s*remove_(?:columns?|reference|belongs_to|timestamps)[ (]`), rule: dropColumn, effect: COLUMN_GONE },
  { pattern: pattern(String.raw`^\s*rename_(?:column|table)[ (]`), rule: rename, effect: RENAMED },
  {
    pattern: pattern(String.raw`^\s*add_index[ (]`),
    rule: indexWithoutConcurrently,
    effect: NO_WRITES,
    unless: /algorithm:\s?:concurrently|:algorithm\s?=>\s?:concurrently/,
  },
  {
    pattern: pattern(String.raw`^\s*(?:add|remove)_index[ (]`),
    rule: concurrentlyInTransaction,
    effect: REFUSED,
    when: /algorithm:\s?:concurrently|:algorithm\s?=>\s?:concurrently/,
    inTransaction: true,
  },
  { pattern: pattern(String.raw`^\s*add_column[ (]`), rule: notNullWithoutDefault, effect: FAILS, when: /null:\s?false/, unless: /\bdefault:/ },
  { pattern: pattern(String.raw`^\s*change_column_null[ (]`), rule: setNotNull, effect: SCANS, when: /,\s*false\b/ },
  { pattern: pattern(String.raw`^\s*add_(?:foreign_key|check_constraint)[ (]`), rule: constraintWithoutNotValid, effect: CHECKS, unless: /validate:\s?false/ },
  {
    pattern: pattern(String.raw`^\s*change_column[ (]`),
    rule: changeColumnType,
    effect: 'on PostgreSQL the table is written anew while nobody may use it',
    unless: /,\s*[:"'](?:text|string|decimal|numeric|datetime|timestamp|timestamptz|time|citext|inet)\b/,
  },
];

const PYTHON: readonly Omit<SchemaCall, 'kind'>[] = [
  { pattern: pattern(String.raw`\bop\.drop_table\(`), rule: dropTable, effect: GONE },
  { pattern: pattern(String.raw`\bop\.drop_column\(`), rule: dropColumn, effect: COLUMN_GONE },
  { pattern: pattern(String.raw`\bop\.rename_table\(`), rule: rename, effect: RENAMED },
  { pattern: pattern(String.raw`\bop\.alter_column\(`), rule: rename, effect: RENAMED, when: /new_column_name\s?=/ },
  { pattern: pattern(String.raw`\bop\.alter_column\(`), rule: setNotNull, effect: SCANS, when: /(?<!existing_)nullable\s?=\s?False/ },
  {
    pattern: /\bop\.create_index\(\s?(?:op\.f\()?["'][^"']{1,63}["']\)?,\s?["']([\w.]{1,63})["']/,
    rule: indexWithoutConcurrently,
    effect: NO_WRITES,
    unless: /postgresql_concurrently\s?=\s?True/,
  },
  {
    pattern: pattern(String.raw`\bop\.add_column\(`),
    rule: notNullWithoutDefault,
    effect: FAILS,
    when: /nullable\s?=\s?False/,
    unless: /server_default|Computed|Identity/,
  },
  { pattern: /\b(?:Add|Remove)IndexConcurrently\(()/, rule: concurrentlyInTransaction, effect: REFUSED, inTransaction: true },
  { pattern: /\bmigrations\.DeleteModel\(()/, rule: dropTable, effect: GONE },
  { pattern: /\bmigrations\.RemoveField\(()/, rule: dropColumn, effect: COLUMN_GONE },
  { pattern: /\bmigrations\.Rename(?:Field|Model)\(()/, rule: rename, effect: RENAMED },
];

const SCRIPT: readonly Omit<SchemaCall, 'kind'>[] = [
  { pattern: pattern(String.raw`\.dropTable(?:IfExists)?\(`), rule: dropTable, effect: GONE },
  { pattern: pattern(String.raw`\b(?:queryRunner|queryInterface|pgm|migration)\.(?:dropColumns?|removeColumn)\(`), rule: dropColumn, effect: COLUMN_GONE },
  { pattern: /\b(?:table|t)\.dropColumns?\(()/, rule: dropColumn, effect: COLUMN_GONE },
  { pattern: pattern(String.raw`\b(?:queryRunner|queryInterface|pgm|schema|migration)\.rename(?:Column|Table)\(`), rule: rename, effect: RENAMED },
  { pattern: /\b(?:table|t)\.renameColumn\(()/, rule: rename, effect: RENAMED },
];

const PHP: readonly Omit<SchemaCall, 'kind'>[] = [
  { pattern: pattern(String.raw`\bSchema::(?:drop|dropIfExists)\(`), rule: dropTable, effect: GONE },
  { pattern: /->dropColumn\(()/, rule: dropColumn, effect: COLUMN_GONE },
  { pattern: /->renameColumn\(()/, rule: rename, effect: RENAMED },
  { pattern: pattern(String.raw`\bSchema::rename\(`), rule: rename, effect: RENAMED },
];

const of = (kind: MigrationKind, rows: readonly Omit<SchemaCall, 'kind'>[]): readonly SchemaCall[] => rows.map(row => ({ kind, ...row }));

export const SCHEMA_CALLS: readonly SchemaCall[] = [...of('ruby', RUBY), ...of('python', PYTHON), ...of('script', SCRIPT), ...of('php', PHP)];

/** Calls that create a table; group 1 is its name. */
export const CREATE_CALL = new RegExp(
  String.raw`(?:\bcreate_table[ (]|\bop\.create_table\(\s{0,40}|\.createTable(?:IfNotExists)?\(\s{0,40}|\bSchema::create\()${NAME}`,
  'g',
);
