/** Judges the calls of a migration in code, line by line; a call's arguments may go on over further lines. */
import type { Dialect } from './dialect.ts';
import type { Migration, MigrationPart } from './migration.ts';
import type { MigrationKind } from './migration-path.ts';
import { LOCK_RULES } from './rules-locks.ts';
import { DATA_RULES } from './rules-data.ts';
import { SCHEMA_CALLS, type SchemaCall } from './schema-calls.ts';
import { shownName, tableKey } from './token-reader.ts';
import type { Severity } from '@weir/contract';
import type { Rule } from '@weir/specialist-kit';

export interface CallVerdict {
  readonly rule: Rule;
  /** Lines of the part, from 0. */
  readonly from: number;
  readonly to: number;
  readonly message: string;
  readonly severity?: Severity;
}

const MAX_LINE_CHARS = 1_000;
const MAX_CALL_LINES = 30;

const openedBy = (line: string): number => line.split('(').length - line.split(')').length;

/** Index of the last line of the call that begins on `from`: parentheses closed, and in Ruby no comma at the end. */
function endOfCall(lines: readonly string[], from: number, kind: MigrationKind): number {
  const goesOn = kind === 'ruby' ? /[,(\\]\s*$/ : /\($/;
  let open = 0;
  for (let at = from; at < Math.min(lines.length, from + MAX_CALL_LINES); at += 1) {
    const line = (lines[at] ?? '').slice(0, MAX_LINE_CHARS);
    open += openedBy(line);
    if (open <= 0 && !goesOn.test(line)) return at;
  }
  return from;
}

const isLockRule = (rule: Rule): boolean => Object.values<Rule>(LOCK_RULES).includes(rule);

/** Null when the database has no such risk. */
function severityOn(dialect: Dialect, rule: Rule): Severity | null {
  if (rule === DATA_RULES.notNullWithoutDefault && dialect === 'mysql') return 'minor';
  if (!isLockRule(rule) || dialect === 'postgres') return rule.severity;
  return dialect === 'unknown' ? 'minor' : null;
}

/** Whether the call, arguments included, is the dangerous form. */
const isDangerous = ({ when, unless }: SchemaCall, text: string): boolean => (when?.test(text) ?? true) && !(unless?.test(text) ?? false);

/** Where a call stands, and what is known about its migration. */
interface CallSite {
  readonly lines: readonly string[];
  readonly from: number;
  readonly dialect: Dialect;
  readonly isNew: (table: string) => boolean;
  /** Why the migration runs in a transaction, or null. */
  readonly wrapped: string | null;
}

/** What the call does, with the table where it names one and the transaction where it matters. */
function messageOf(call: SchemaCall, table: string, wrapped: string | null): string {
  const subject = table === '' ? '' : `${shownName(table)}: `;
  return `${subject}${call.effect}${call.inTransaction ? `, and ${wrapped ?? ''}` : ''}.`;
}

/** A new table is empty, so only what the database refuses matters there. */
const isHarmless = (call: SchemaCall, table: string, { isNew, wrapped }: CallSite): boolean =>
  call.inTransaction ? wrapped === null : table !== '' && isNew(tableKey(table));

function callVerdict(call: SchemaCall, site: CallSite): CallVerdict | null {
  const { lines, from, dialect } = site;
  const found = call.pattern.exec(lines[from] ?? '');
  const severity = severityOn(dialect, call.rule);
  if (found === null || severity === null) return null;
  const to = endOfCall(lines, from, call.kind);
  const text = lines
    .slice(from, to + 1)
    .join('\n')
    .slice(found.index);
  const table = found[1] ?? '';
  if (!isDangerous(call, text) || isHarmless(call, table, site)) return null;
  return { rule: call.rule, from, to, message: messageOf(call, table, site.wrapped), severity };
}

/** Verdicts on the calls of one part; `elsewhere` are tables that earlier migrations of the change create. */
export function judgeCalls(part: MigrationPart, migration: Migration, elsewhere: ReadonlySet<string>): readonly CallVerdict[] {
  const calls = SCHEMA_CALLS.filter(call => call.kind === migration.kind);
  const isNew = (table: string): boolean => migration.creates.has(table) || elsewhere.has(table);
  return part.lines.flatMap((line, from) =>
    line === '' || line.length > MAX_LINE_CHARS
      ? []
      : calls.flatMap(call => callVerdict(call, { lines: part.lines, from, dialect: migration.dialect, isNew, wrapped: part.wrapped }) ?? []),
  );
}
