/**
 * The report as JSON and as JSON lines. Keys come out in this order whatever built the report, and no other key comes out.
 */
import type { ReviewReport } from '@weir/contract';

/** `JSON.stringify` prints the keys of every object in the order of this list. */
const KEYS: readonly string[] = [
  'type',
  'schemaVersion',
  'weir',
  'at',
  'id',
  'rule',
  'key',
  'kind',
  'path',
  'side',
  'line',
  'endLine',
  'hunk',
  'moved',
  'reading',
  'reason',
  'byRule',
  'failure',
  'note',
  'severity',
  'category',
  'title',
  'message',
  'quote',
  'evidence',
  'suggestion',
  'fingerprint',
  'sources',
  'placement',
  'change',
  'base',
  'head',
  'files',
  'addedLines',
  'removedLines',
  'headline',
  'complete',
  'findings',
  'coverage',
  'specialists',
  'model',
  'state',
  'usage',
  'calls',
  'inputTokens',
  'outputTokens',
  'notes',
];
const print = (value: unknown, indent?: number): string => JSON.stringify(value, [...KEYS], indent);

/** The whole report, indented, with a final line feed. Lone surrogates come out as escapes, so paths survive. */
export const renderJson = (report: ReviewReport): string => `${print(report, 2)}\n`;

/** One line for each finding (`type: finding`), then one for the rest of the report (`type: summary`). */
export function renderJsonl(report: ReviewReport): string {
  const { findings, ...summary } = report;
  const lines = findings.map(finding => print({ type: 'finding', ...finding }));
  return `${[...lines, print({ type: 'summary', ...summary })].join('\n')}\n`;
}
