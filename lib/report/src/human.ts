/**
 * A review for people on a terminal (80-surfaces 3.3): a line for each finding, then what was read and what comes next.
 */
import { ERRORS, type ModelOutcome, type ReviewFinding, type ReviewReport } from '@weir/contract';
import { styleWith } from './ansi-style.ts';
import { coverageLines } from './coverage-text.ts';
import { cutEnd, cutMiddle, padTo, widthOf } from './display-width.ts';
import { inOrder, placeOf } from './finding-place.ts';
import { oneLine, visible } from './plain-text.ts';
import { SEVERITY_ROWS } from './severity-row.ts';

export interface HumanOptions {
  /** Plain ANSI sequences; off for files, pipes and NO_COLOR. */
  readonly colour: boolean;
  /** Terminal cells of one line; held between 40 and 400. */
  readonly width: number;
  /** Names every file that was not read whole and every specialist, and cuts no title. */
  readonly verbose: boolean;
}

const WIDTH = { min: 40, max: 400 } as const;
/** A path keeps at least this much, however narrow the terminal is. */
const MIN_PLACE = 12;
const LABEL_WIDTH = widthOf('⛔ blocker');
const GAP = 2;

interface Row {
  readonly finding: ReviewFinding;
  readonly place: string;
  readonly title: string;
}

interface Columns {
  readonly place: number;
  readonly title: number;
}

function placeText(finding: ReviewFinding): string {
  const { side, line } = placeOf(finding);
  const path = visible(finding.path);
  if (line === 0) return path;
  return side === 'old' ? `${path}:${line} (old)` : `${path}:${line}`;
}

const widest = (texts: readonly string[]): number => texts.reduce((most, text) => Math.max(most, widthOf(text)), 0);

/** Cells for the two columns that can shrink. Each gets what it needs where both fit, else the place gets at most half. */
function columnsFor(rows: readonly Row[], { width, verbose }: HumanOptions): Columns {
  const place = widest(rows.map(row => row.place));
  const title = widest(rows.map(row => row.title));
  const ids = widest(rows.map(row => visible(row.finding.id)));
  const room = Math.min(WIDTH.max, Math.max(WIDTH.min, Math.floor(width))) - LABEL_WIDTH - ids - GAP * 4;
  if (verbose || place + title <= room) return { place, title };
  const kept = Math.min(place, Math.max(MIN_PLACE, Math.floor(room / 2), room - title));
  return { place: kept, title: Math.min(title, Math.max(1, room - kept)) };
}

function findingLine({ finding, place, title }: Row, columns: Columns, colour: boolean): string {
  const style = styleWith(colour);
  const { glyph, ansi } = SEVERITY_ROWS[finding.severity];
  const label = `${glyph} ${finding.severity}`;
  const gap = ' '.repeat(GAP);
  const parts = [
    '',
    style(ansi)(label) + ' '.repeat(LABEL_WIDTH - widthOf(label)),
    padTo(cutMiddle(place, columns.place), columns.place),
    padTo(cutEnd(title, columns.title), columns.title),
    style('1')(visible(finding.id)),
  ];
  return parts.join(gap);
}

function findingLines(findings: readonly ReviewFinding[], options: HumanOptions): string[] {
  const rows = findings.map(finding => ({ finding, place: placeText(finding), title: oneLine(finding.title) }));
  const columns = columnsFor(rows, options);
  return rows.map(row => findingLine(row, columns, options.colour));
}

const figure = (count: number): string => count.toLocaleString('en-US');

/** The sentence about the model, with its calls and tokens where there were any. An unknown count is called unknown. */
function modelLine({ note, usage }: ModelOutcome): string {
  if (usage.calls === 0) return oneLine(note);
  const { inputTokens, outputTokens } = usage;
  const tokens = inputTokens === 'unknown' || outputTokens === 'unknown' ? 'an unknown number of tokens' : `${figure(inputTokens + outputTokens)} tokens`;
  return `${oneLine(note)} ${figure(usage.calls)} ${usage.calls === 1 ? 'call' : 'calls'}, ${tokens}.`.trimStart();
}

function specialistLines({ specialists }: ReviewReport, verbose: boolean): string[] {
  const failed = specialists.flatMap(({ key, failure }) => (failure === null ? [] : [`Failed: ${visible(key)}: ${oneLine(failure)}`]));
  if (!verbose || specialists.length === 0) return failed;
  return [`Ran: ${specialists.map(({ key, findings }) => `${visible(key)} (${findings})`).join(', ')}.`, ...failed];
}

/**
 * The whole review as text that ends in a line feed. It adds no verdict of its own: the headline is the report's, and
 * without findings it says only what was read.
 */
export function renderHuman(report: ReviewReport, options: HumanOptions): string {
  const findings = inOrder(report.findings);
  const first = findings[0];
  const lines = [
    ...findingLines(findings, options),
    styleWith(options.colour)('1')(oneLine(report.headline)),
    ...coverageLines(report.coverage, options.verbose),
    ...specialistLines(report, options.verbose),
    modelLine(report.model),
    ...(report.model.failure === null ? [] : [`try: ${ERRORS[report.model.failure].next}`]),
    ...report.notes.map(note => `note: ${oneLine(note)}`),
    ...(first === undefined ? [] : [`next: weir show ${visible(first.id)} · weir review --format sarif > review.sarif`]),
  ];
  return `${lines.filter(line => line !== '').join('\n')}\n`;
}
