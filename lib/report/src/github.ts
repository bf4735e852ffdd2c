/**
 * The report as workflow commands of GitHub Actions, which shows them as annotations on the change.
 * Each command is one line that begins with `::`; whatever a repository or a model wrote is escaped, so it starts none.
 */
import type { ReviewFinding, ReviewReport } from '@weir/contract';
import { coverageSentence } from './coverage-text.ts';
import { inOrder, placeOf, withoutLines } from './finding-place.ts';
import { oneLine, safeLines } from './plain-text.ts';
import { SEVERITY_ROWS } from './severity-row.ts';

/** Annotations of one level that GitHub shows for a step; the log has them all. */
export const SHOWN_PER_LEVEL = 10;

type Level = 'error' | 'warning' | 'notice';

/** Escapes of a message; a property needs two more, since `,` and `:` end it. */
const escapeData = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const escapeProperty = (text: string): string => escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

function command(level: Level, properties: Readonly<Record<string, string>>, message: string): string {
  const written = Object.entries(properties).map(([name, value]) => `${name}=${escapeProperty(value)}`);
  return `::${level} ${written.join(',')}::${escapeData(message)}`;
}

/** The path as it is, since GitHub has to find the file; control characters other than line breaks are escaped by no rule, so they go. */
const filePath = (path: string): string => path.replace(/(?![\r\n])\p{Cc}|\p{Cs}/gu, '\ufffd');

function annotation(finding: ReviewFinding): string {
  const place = placeOf(finding);
  const noLines = withoutLines(place);
  const lines = noLines === null ? { line: `${place.line}`, endLine: `${place.endLine}` } : {};
  const title = `${finding.severity}: ${oneLine(finding.title)}`;
  const text = safeLines(finding.message === '' ? finding.title : finding.message);
  const tail = `${oneLine(finding.rule)} · ${oneLine(finding.id)}${noLines === null || place.line === 0 ? '' : ` · ${noLines}`}`;
  return command(SEVERITY_ROWS[finding.severity].github, { file: filePath(finding.path), ...lines, title }, [...text, tail].join('\n'));
}

function hiddenNote(findings: readonly ReviewFinding[]): string {
  const count = (level: Level) => findings.filter(finding => SEVERITY_ROWS[finding.severity].github === level).length;
  const over = (['error', 'warning', 'notice'] as const).flatMap(level => (count(level) > SHOWN_PER_LEVEL ? [`${count(level)} of level ${level}`] : []));
  return over.length === 0 ? '' : ` GitHub shows ${SHOWN_PER_LEVEL} annotations of a level for each step; the log has all ${over.join(', ')}.`;
}

/** The headline first, so that it is among those shown; then every finding, worst first. Ends in a line feed. */
export function renderGithub(report: ReviewReport): string {
  const findings = inOrder(report.findings);
  const summary = `${oneLine(report.headline)} ${coverageSentence(report.coverage)} ${oneLine(report.model.note)}`.trim();
  const first = command(report.complete ? 'notice' : 'warning', { title: 'Weir' }, summary + hiddenNote(findings));
  return `${[first, ...findings.map(annotation)].join('\n')}\n`;
}
