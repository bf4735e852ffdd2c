/** Turns verdicts into findings on added lines, and names what a bare diff does not show. */
import type { Finding, Severity } from '@weir/contract';
import { findingOf, type PartialReading, type Rule, touchedLines } from '@weir/specialist-kit';
import type { Dialect } from './dialect.ts';
import { judgeCalls } from './judge-calls.ts';
import { judgeScript } from './judge-script.ts';
import type { Migration, MigrationPart } from './migration.ts';

interface Placed {
  readonly rule: Rule;
  /** 1-based lines on the new side. */
  readonly from: number;
  readonly to: number;
  readonly message: string;
  readonly severity: Severity;
  readonly needsContext: boolean;
}

const MAX_QUOTE_CHARS = 300;
const MAX_QUOTE_LINES = 10;
/** One step down: what is not shown may take the finding back. */
const MILDER: Readonly<Record<Severity, Severity>> = { blocker: 'major', major: 'minor', minor: 'note', note: 'note' };

function placedVerdicts(part: MigrationPart, migration: Migration, dialect: Dialect, elsewhere: ReadonlySet<string>) {
  const offset = part.firstLine - 1;
  const { verdicts, cut } = judgeScript(part, dialect, elsewhere);
  const ofSql = verdicts.map(({ rule, tokens, message, severity, needsContext }): Placed => {
    const from = (tokens[0]?.line ?? 1) + offset;
    return { rule, from, to: Math.max(from, (tokens.at(-1)?.endLine ?? 1) + offset), message, severity: severity ?? rule.severity, needsContext };
  });
  const calls = migration.kind === 'sql' ? [] : judgeCalls(part, { ...migration, dialect }, elsewhere);
  const ofCalls = calls.map(
    (call): Placed => ({
      rule: call.rule,
      from: call.from + part.firstLine,
      to: call.to + part.firstLine,
      message: call.message,
      severity: call.severity ?? call.rule.severity,
      needsContext: true,
    }),
  );
  const unread = [
    ...cut.map(statement => [statement.line + offset, statement.endLine + offset] as const),
    ...part.undirected.map(line => [line, line] as const),
  ];
  return { placed: [...ofSql, ...ofCalls], unread };
}

/** The first run of added lines between `from` and `to`; null when the change touches none of them. */
function touchedRange(touched: ReadonlySet<number>, from: number, to: number): { readonly line: number; readonly endLine: number } | null {
  let line = from;
  while (line <= to && !touched.has(line)) line += 1;
  if (line > to) return null;
  let endLine = line;
  while (endLine < to && touched.has(endLine + 1)) endLine += 1;
  return { line, endLine };
}

const quoteOf = (part: MigrationPart, line: number, endLine: number): string => {
  const lines = part.lines.slice(line - part.firstLine, Math.min(endLine, line + MAX_QUOTE_LINES) - part.firstLine + 1);
  return lines
    .map(text => text.slice(0, MAX_QUOTE_CHARS))
    .join('\n')
    .trim()
    .slice(0, MAX_QUOTE_CHARS);
};

function findingsOfPart(part: MigrationPart, placed: readonly Placed[], migration: Migration, touched: ReadonlySet<number>): readonly Finding[] {
  return placed.flatMap(({ rule, from, to, message, severity, needsContext }) => {
    const range = touchedRange(touched, from, to);
    if (range === null) return [];
    const unsure = needsContext && !part.whole;
    return [
      findingOf(rule, migration.file, { ...range, message, severity: unsure ? MILDER[severity] : severity, quote: quoteOf(part, range.line, range.endLine) }),
    ];
  });
}

const CONTEXT_REASON = 'only hunks are shown: whether the migration creates a table itself, or goes back here, is not seen, so findings are one step milder';
const CUT_REASON = 'the edge of a hunk cuts a statement, so it is not judged';

/** Findings of one migration. `dialect` may come from its neighbours; `elsewhere` are tables that earlier migrations of the change create. */
export function migrationFindings(
  migration: Migration,
  dialect: Dialect,
  elsewhere: ReadonlySet<string>,
): { readonly findings: readonly Finding[]; readonly partial: readonly PartialReading[] } {
  const touched = touchedLines(migration.file);
  const findings: Finding[] = [];
  const reasons = new Set<string>();
  for (const part of migration.parts) {
    const { placed, unread } = placedVerdicts(part, migration, dialect, elsewhere);
    const found = findingsOfPart(part, placed, migration, touched);
    findings.push(...found);
    if (!part.whole && found.length > 0) reasons.add(CONTEXT_REASON);
    if (unread.some(([from, to]) => touchedRange(touched, from, to) !== null)) reasons.add(CUT_REASON);
  }
  return { findings, partial: [...reasons].map(reason => ({ path: migration.path, reason })) };
}
