/**
 * reviewdog's diagnostic format: rdjson (one object) and rdjsonl (one diagnostic a line).
 */
import type { Severity } from '@weir/contract';
import type { ImportBatch } from './import-batch.ts';
import { ownRule } from './imported-finding.ts';
import { asObject, at, field, listOf, parseJson, textOf, wholeOf } from './json-reader.ts';
import { locatePath } from './repository-path.ts';

/** Names and numbers of the enum in proto/rdf/reviewdog.proto. */
const SEVERITY: ReadonlyMap<unknown, Severity> = new Map<unknown, Severity>([
  ['ERROR', 'major'],
  ['WARNING', 'minor'],
  ['INFO', 'note'],
  [1, 'major'],
  [2, 'minor'],
  [3, 'note'],
]);
/** The source that Weir's own reports name. */
const OWN_NAME = 'weir';
const DEFAULT_SEVERITY: Severity = 'minor';

interface LineRange {
  /** 1-based; 0 when the range names no line. */
  readonly line: number;
  readonly endLine: number;
  /** True when the range is whole lines, so that its text can stand for them. */
  readonly wholeLines: boolean;
}

/** An end with a column is exclusive: column 1 is the end of the line before. Without columns both lines are meant whole. */
function rangeOf(range: unknown): LineRange {
  const line = wholeOf(at(range, 'start', 'line'), 1) ?? 0;
  const end = wholeOf(at(range, 'end', 'line'), line) ?? line;
  const startColumn = wholeOf(at(range, 'start', 'column'), 1);
  const endColumn = wholeOf(at(range, 'end', 'column'), 1);
  const linewise = startColumn === undefined && endColumn === undefined;
  const untilLineStart = (startColumn ?? 1) === 1 && endColumn === 1 && end > line;
  return { line, endLine: endColumn === 1 && end > line ? end - 1 : end, wholeLines: linewise || untilLineStart };
}

/** The text of the only suggestion, where it replaces exactly the lines of the finding. */
function suggestionOf(diagnostic: unknown, { line, endLine }: LineRange): string | null {
  const suggestions = listOf(field(diagnostic, 'suggestions'));
  const text = field(suggestions[0], 'text');
  const range = rangeOf(field(suggestions[0], 'range'));
  const fits = suggestions.length === 1 && range.wholeLines && range.line === line && range.endLine === endLine && line > 0;
  return fits && typeof text === 'string' ? text.replace(/\r?\n$/, '') : null;
}

/** Source and severity of the whole result; a diagnostic's own come first. */
interface Defaults {
  readonly source: unknown;
  readonly severity: unknown;
}

function toolAndRule(diagnostic: unknown, defaults: Defaults) {
  const rule = textOf(at(diagnostic, 'code', 'value'));
  const whole = textOf(field(defaults.source, 'name'));
  return whole === OWN_NAME ? ownRule(rule) : { tool: textOf(at(diagnostic, 'source', 'name')) ?? whole ?? 'rdjson', rule };
}

function addDiagnostic(diagnostic: unknown, defaults: Defaults, root: string | null, batch: ImportBatch): void {
  if (asObject(diagnostic) === undefined) return batch.tally.drop('it is not an entry of the format');
  const path = textOf(at(diagnostic, 'location', 'path'));
  if (path === undefined) return batch.tally.drop('it names no file');
  const range = rangeOf(at(diagnostic, 'location', 'range'));
  batch.add(locatePath(path, root), {
    ...toolAndRule(diagnostic, defaults),
    line: range.line,
    endLine: range.endLine,
    severity: SEVERITY.get(field(diagnostic, 'severity')) ?? SEVERITY.get(defaults.severity) ?? DEFAULT_SEVERITY,
    category: null,
    message: textOf(field(diagnostic, 'message')) ?? '',
    quote: null,
    suggestion: suggestionOf(diagnostic, range),
  });
}

/** Adds every diagnostic of an rdjson object. */
export function importRdjson(result: unknown, root: string | null, batch: ImportBatch): void {
  const defaults = { source: field(result, 'source'), severity: field(result, 'severity') };
  for (const diagnostic of listOf(field(result, 'diagnostics'))) addDiagnostic(diagnostic, defaults, root, batch);
}

/** True for an object that can be a diagnostic. */
export const isDiagnostic = (value: unknown): boolean => field(value, 'message') !== undefined && field(value, 'location') !== undefined;

/** Adds the diagnostic of every line; a line that is none is counted. */
export function importRdjsonl(text: string, name: string, root: string | null, batch: ImportBatch): void {
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    addDiagnostic(parseJson(line, name)?.value, { source: undefined, severity: undefined }, root, batch);
  }
}
