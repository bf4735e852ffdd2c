/**
 * The report in reviewdog's diagnostic format, rdjson. Positions without columns mean whole lines, the end line included;
 * with columns the end is exclusive (proto/rdf/reviewdog.proto). Findings and suggestions are whole lines.
 */
import type { ReviewFinding, ReviewReport } from '@weir/contract';
import { fullMessage, placeOf, withoutLines } from './finding-place.ts';
import { visible, wellFormed } from './plain-text.ts';
import { SEVERITY_ROWS } from './severity-row.ts';

function diagnosticOf(finding: ReviewFinding) {
  const place = placeOf(finding);
  const range = { start: { line: place.line }, end: { line: place.endLine } };
  const inLines = withoutLines(place) === null;
  const { path, suggestion, severity, rule, title, sources } = finding;
  return {
    message: wellFormed(fullMessage(finding)),
    location: { path: wellFormed(path), ...(inLines ? { range } : {}) },
    severity: SEVERITY_ROWS[severity].rdjson,
    source: { name: wellFormed(sources.join(', ')) },
    code: { value: rule },
    ...(suggestion === null || !inLines ? {} : { suggestions: [{ range, text: wellFormed(suggestion.replace(/\r?\n$/, '')) }] }),
    original_output: `${visible(path)}:${place.line}: ${severity}: ${visible(title)} (${rule})`,
  };
}

/** Indented JSON with a final line feed. The format has no place for what was not read; the exit code and the other formats tell it. */
export const renderRdjson = (report: ReviewReport): string =>
  `${JSON.stringify({ source: { name: 'weir' }, diagnostics: report.findings.map(diagnosticOf) }, null, 2)}\n`;
