/** The matrix as lines of text: one row an agent, one column an upstream protocol, and under it each failed cell with its reasons. */
import { inputTokens, outputTokens, type ProtocolName, STEPS } from '@weir/scripted-upstream';
import type { CellResult } from './run-cell.ts';

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

function short(result: MatrixCell['result'] | undefined): string {
  if (result === undefined) return '';
  if ('skipped' in result) return 'skipped';
  return result.problems.length === 0 ? 'ok' : 'FAILED';
}

const failureLines = ({ agent, upstream, result }: MatrixCell): readonly string[] =>
  'skipped' in result || result.problems.length === 0 ? [] : ['', `${agent} → ${upstream}:`, ...result.problems.map(problem => `  ${problem}`)];

const WIDTH = 12;
export function matrixLines(cells: readonly MatrixCell[]): readonly string[] {
  const agents = [...new Set(cells.map(cell => cell.agent))];
  const upstreams = [...new Set(cells.map(cell => cell.upstream))];
  const row = (agent: string) =>
    upstreams.map(upstream => short(cells.find(cell => cell.agent === agent && cell.upstream === upstream)?.result).padEnd(WIDTH)).join('');
  return [
    `${'agent \\ upstream'.padEnd(20)}${upstreams.map(upstream => upstream.padEnd(WIDTH)).join('')}`,
    ...agents.map(agent => `${agent.padEnd(20)}${row(agent)}`),
    ...cells.flatMap(failureLines),
  ];
}
