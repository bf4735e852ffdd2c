/**
 * Meets the added lines of a source file with the tables of focused tests, skipped tests and debug statements.
 * A line that the change only moves or indents is no new leftover.
 */
import type { Finding } from '@weir/contract';
import { type DiffFile, pathOf } from '@weir/diff';
import { findingOf, type Rule } from '@weir/specialist-kit';
import type { TextRun } from './changed-text.ts';
import type { CodePattern } from './code-pattern.ts';
import { addedPlaces, type CodePlace, codeLines, hasStatedReason, isAllowed } from './code-place.ts';
import { DEBUG } from './debug-patterns.ts';
import { FOCUSED } from './focused-patterns.ts';
import { RULES } from './rules.ts';
import { SKIPPED } from './skipped-patterns.ts';
import { isFixturePath, isTestFile, type Language, languageOf } from './source-language.ts';

interface Table {
  readonly rule: Rule;
  readonly patterns: readonly CodePattern[];
  readonly exempt?: (place: CodePlace) => boolean;
  /** Names of files that test the very thing, as a runner's own `only.test.js` does. */
  readonly subject?: RegExp;
  readonly message: (what: string) => string;
}

const TABLES: readonly Table[] = [
  {
    rule: RULES.focusedTest,
    patterns: FOCUSED,
    subject: /(?:^|[._-])(?:only\d*|focus\w*|exclusive)(?:[._-]|$)/i,
    message: what => `${what} makes the runner leave out every test that is not focused, and the run still passes.`,
  },
  {
    rule: RULES.skippedTest,
    patterns: SKIPPED,
    exempt: hasStatedReason,
    subject: /(?:^|[._-])(?:skip\w*|pending|disabled|ignored?|todo)(?:[._-]|$)/i,
    message: what => `${what} switches a test off, and neither an argument nor a comment says why or until when.`,
  },
  {
    rule: RULES.debugStatement,
    patterns: DEBUG,
    exempt: isAllowed,
    message: what => `${what} helps to look for a fault and does not belong into the code that is merged.`,
  },
];

/** Cheap first look at a raw line: without one of these words no pattern can match. */
const TRIGGERS =
  /only|focus|skip|ignore|disabled|fixme|pending|incomplete|debug|byebug|pause|screen|console|break|set_trace|embed|print|puts|binding|save_and|dump|dbg|IEx|\bdd|\bp[ (]|[fpxXPF](?:it|test|desc|cont|spec|exam|feat|scen|when|entry)|iit/i;

const MAX_QUOTE_CHARS = 200;

/** How often each line, without its indent, is removed by the change. */
function removedLines(file: DiffFile): Map<string, number> {
  const removed = new Map<string, number>();
  for (const hunk of file.hunks)
    for (const line of hunk.lines) if (line.kind === 'removed') removed.set(line.text.trim(), (removed.get(line.text.trim()) ?? 0) + 1);
  return removed;
}

/** True once for each removed line of the same text. */
function takeMoved(removed: Map<string, number>, text: string): boolean {
  const left = removed.get(text.trim()) ?? 0;
  if (left > 0) removed.set(text.trim(), left - 1);
  return left > 0;
}

function match(row: CodePattern, place: CodePlace): RegExpExecArray | null {
  const found = row.pattern.exec(place.line.code);
  return found !== null && (row.accept?.(place, found) ?? true) ? found : null;
}

function remarkOn(table: Table, rows: readonly CodePattern[], place: CodePlace, file: DiffFile): Finding | null {
  for (const row of rows) {
    const found = match(row, place);
    if (found === null || table.exempt?.(place)) continue;
    const { number, text } = place.line;
    return findingOf(table.rule, file, {
      line: number,
      message: table.message(row.what),
      severity: row.severity ?? table.rule.severity,
      quote: text.trim().slice(0, MAX_QUOTE_CHARS),
      suggestion: row.mend?.(text, found) ?? null,
    });
  }
  return null;
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

function rowsFor(table: Table, language: Language, path: string): readonly CodePattern[] {
  if (table.subject?.test(nameOf(path))) return [];
  const place = isTestFile(path, language) ? 'tests' : 'sources';
  return table.patterns.filter(row => row.language === language && (row.where === undefined || row.where === place));
}

/** Findings on added lines of a file in a known language. */
export function codeFindings(file: DiffFile, runs: readonly TextRun[]): readonly Finding[] {
  const language = languageOf(pathOf(file));
  if (language === null || isFixturePath(pathOf(file)) || !mayHoldLeftover(file)) return [];
  const removed = removedLines(file);
  const tables = TABLES.map(table => ({ table, rows: rowsFor(table, language, pathOf(file)) }));
  return runs.flatMap(run =>
    addedPlaces(codeLines(run, language)).flatMap(place => {
      if (!TRIGGERS.test(place.line.text)) return [];
      const found = tables.flatMap(({ table, rows }) => remarkOn(table, rows, place, file) ?? []);
      return found.length > 0 && !takeMoved(removed, place.line.text) ? found : [];
    }),
  );
}

/** Whether any added line of the file is worth a look; saves reading the whole file for most changes. */
export const mayHoldLeftover = (file: DiffFile): boolean => file.hunks.some(hunk => hunk.lines.some(line => line.kind === 'added' && TRIGGERS.test(line.text)));
