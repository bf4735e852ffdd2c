/**
 * One finding for people, as `weir show <finding>` prints it.
 */
import { type ReviewFinding, type ReviewReport, SEVERITY_MEANING } from '@weir/contract';
import { styleWith } from './ansi-style.ts';
import { placeOf } from './finding-place.ts';
import type { HumanOptions } from './human.ts';
import { oneLine, safeLines, visible } from './plain-text.ts';
import { SEVERITY_ROWS } from './severity-row.ts';

/** Places that support a finding and are listed without `--verbose`. */
const MAX_EVIDENCE = 20;

function placeText(finding: ReviewFinding): string {
  const { side, line, endLine } = placeOf(finding);
  if (line === 0) return `${visible(finding.path)} (the whole file)`;
  const lines = endLine > line ? `${line}-${endLine}` : `${line}`;
  return `${visible(finding.path)}:${lines}${side === 'old' ? ' (before the change)' : ''}`;
}

/** Says that the finding is shown elsewhere than its source put it, and why. */
function placementNote({ placement, line }: ReviewFinding): string[] {
  if (placement.kind !== 'line') return [`Placed: on the ${placement.kind === 'file' ? 'file' : 'summary'}: ${oneLine(placement.reason)}`];
  return placement.moved ? [`Placed: moved from line ${line} to line ${placement.line}, where the quoted code stands.`] : [];
}

function suggestionLines(finding: ReviewFinding): string[] {
  if (finding.suggestion === null) return [];
  const { line, endLine } = placeOf(finding);
  const added = finding.suggestion === '' ? [] : safeLines(finding.suggestion.replace(/\r?\n$/, ''));
  const quoted = finding.quote === null ? [] : safeLines(finding.quote.replace(/\r?\n$/, ''));
  // A quote of another length is not the text that is replaced, so it is not shown as removed.
  const removed = quoted.length === endLine - line + 1 ? quoted : [];
  const heading = line === 0 ? 'Suggestion:' : `Suggestion for ${endLine > line ? `lines ${line}-${endLine}` : `line ${line}`}:`;
  return ['', heading, ...removed.map(text => `  - ${text}`), ...added.map(text => `  + ${text}`), ...(added.length === 0 ? ['  (the lines go)'] : [])];
}

function evidenceLines({ evidence }: ReviewFinding, verbose: boolean): string[] {
  if (evidence.length === 0) return [];
  const shown = verbose ? evidence : evidence.slice(0, MAX_EVIDENCE);
  const lines = shown.map(({ path, line, note }) => `  ${visible(path)}${line === null ? '' : `:${line}`}  ${oneLine(note)}`.trimEnd());
  return ['', 'Evidence:', ...lines, ...(shown.length < evidence.length ? [`  and ${evidence.length - shown.length} more; --verbose names them`] : [])];
}

const block = (heading: string, text: string | null): string[] =>
  text === null || text === '' ? [] : ['', heading, ...safeLines(text).map(line => `  | ${line}`)];

/** All that the report knows of one finding. Ends in a line feed. */
export function renderFinding(report: ReviewReport, finding: ReviewFinding, options: HumanOptions): string {
  const style = styleWith(options.colour);
  const { glyph, ansi } = SEVERITY_ROWS[finding.severity];
  const lines = [
    `${style(ansi)(`${glyph} ${finding.severity}`)}  ${style('1')(oneLine(finding.title))}`,
    `${placeText(finding)} · ${visible(finding.id)}`,
    `${finding.severity}: ${SEVERITY_MEANING[finding.severity]}`,
    ...(finding.message === '' ? [] : ['', ...safeLines(finding.message)]),
    ...block('Code:', finding.quote),
    ...evidenceLines(finding, options.verbose),
    ...suggestionLines(finding),
    '',
    `Rule: ${visible(finding.rule)}${finding.category === null ? '' : ` (${finding.category})`}`,
    `Reported by: ${finding.sources.map(oneLine).join(', ')}`,
    ...placementNote(finding),
    `Fingerprint: ${visible(finding.fingerprint)}`,
    `Review: ${visible(report.at)}`,
  ];
  return `${lines.join('\n')}\n`;
}
