/** The matrix and the table of error cases as lines of text, and under each its failed cells with their reasons. */
import { inputTokens, outputTokens, type ProtocolName, STEPS } from '@weir/scripted-upstream';
import type { CellResult } from './run-cell.ts';
import type { ErrorResult } from './run-errors.ts';

export interface MatrixCell {
  readonly agent: string;
  readonly upstream: ProtocolName;
  /** A sentence when the cell was not run. */
  readonly result: CellResult | { readonly skipped: string };
}

const MARKS = { passed: '✓', failed: '✗', 'not taken': '–' } as const;

const steps = ({ recording }: CellResult): string => STEPS.map(step => `${step} ${MARKS[recording.verdictOn(step).state]}`).join('  ');

/** What one cell did, in one line. */
export function cellLine(cell: MatrixCell): string {
  const { result } = cell;
  const head = `${cell.agent.padEnd(17)} → ${cell.upstream.padEnd(9)}`;
  if ('skipped' in result) return `${head}  SKIPPED: ${result.skipped}`;
  const { recording, problems, seconds } = result;
  const { sum, known, unknown } = recording.served();
  const tokens = `${known} replies, ${inputTokens(sum)} in, ${outputTokens(sum)} out${unknown > 0 ? `, ${unknown} unknown` : ''}`;
  return `${head}  ${problems.length === 0 ? 'OK    ' : 'FAILED'}  ${steps(result)}  ${recording.requests.length} requests, ${tokens}, ${seconds.toFixed(0)} s`;
}

/** What one error case did, in one line. */
export function errorLine({ name, agent, result }: ErrorResult): string {
  const head = `${agent.padEnd(17)} ! ${name.padEnd(14)}`;
  if ('skipped' in result) return `${head}  SKIPPED: ${result.skipped}`;
  const { seen, problems, seconds } = result;
  const figures = `${seen.end}, ${seen.asks} asked, ${seen.upstream} upstream, ${seconds.toFixed(0)} s`;
  return `${head}  ${problems.length === 0 ? 'OK    ' : 'FAILED'}  ${figures}`;
}

/** One field of a table, by what was run. */
export interface TableCell {
  readonly row: string;
  readonly column: string;
  readonly result: { readonly problems: readonly string[] } | { readonly skipped: string };
}

export const matrixCells = (cells: readonly MatrixCell[]): readonly TableCell[] =>
  cells.map(({ agent, upstream, result }) => ({ row: agent, column: upstream, result }));
export const errorCells = (results: readonly ErrorResult[]): readonly TableCell[] =>
  results.map(({ name, agent, result }) => ({ row: name, column: agent, result }));

function short(result: TableCell['result'] | undefined): string {
  if (result === undefined) return '';
  if ('skipped' in result) return 'skipped';
  return result.problems.length === 0 ? 'ok' : 'FAILED';
}

const failureLines = ({ row, column, result }: TableCell): readonly string[] =>
  'skipped' in result || result.problems.length === 0 ? [] : ['', `${row} → ${column}:`, ...result.problems.map(problem => `  ${problem}`)];

const WIDTH = 14;
/** @param corner what rows and columns are. */
export function tableLines(corner: string, cells: readonly TableCell[]): readonly string[] {
  const rows = [...new Set(cells.map(cell => cell.row))];
  const columns = [...new Set(cells.map(cell => cell.column))];
  const line = (row: string) => columns.map(column => short(cells.find(cell => cell.row === row && cell.column === column)?.result).padEnd(WIDTH)).join('');
  return [
    `${corner.padEnd(20)}${columns.map(column => column.padEnd(WIDTH)).join('')}`,
    ...rows.map(row => `${row.padEnd(20)}${line(row)}`),
    ...cells.flatMap(failureLines),
  ];
}
