import { ReviewReport } from '@weir/contract';
import { verifies } from '@weir/requirements';
import { expect, test } from 'vitest';
import { finding, report } from '../fixtures/sample-report.ts';
import { renderJson, renderJsonl } from './json.ts';

/** Every key of every object, as `a.b`, in the order of the text. */
function keysOf(value: unknown, prefix = ''): string[] {
  if (Array.isArray(value)) return [...new Set(value.flatMap(entry => keysOf(entry, `${prefix}[]`)))];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [`${prefix}.${key}`, ...keysOf(inner, `${prefix}.${key}`)]);
}

// Literals: these are the keys that scripts rely on.
const FINDING_KEYS = [
  'id',
  'rule',
  'path',
  'side',
  'line',
  'endLine',
  'severity',
  'category',
  'title',
  'message',
  'quote',
  'evidence',
  'evidence[].path',
  'evidence[].line',
  'evidence[].note',
  'suggestion',
  'fingerprint',
  'sources',
  'placement',
  'placement.kind',
  'placement.side',
  'placement.line',
  'placement.endLine',
  'placement.hunk',
  'placement.moved',
];
const CHANGE_KEYS = ['change', 'change.kind', 'change.base', 'change.head', 'change.files', 'change.addedLines', 'change.removedLines'];
const REST_KEYS = [
  'coverage',
  'coverage[].path',
  'coverage[].reading',
  'coverage[].reason',
  'coverage[].byRule',
  'specialists',
  'specialists[].key',
  'specialists[].failure',
  'specialists[].findings',
  'model',
  'model.failure',
  'model.note',
  'model.model',
  'model.state',
  'model.usage',
  'model.usage.calls',
  'model.usage.inputTokens',
  'model.usage.outputTokens',
  'notes',
];

test(`${verifies('REV-20a')} the keys of the JSON report are these, in this order`, () => {
  expect(keysOf(JSON.parse(renderJson(report())))).toEqual(
    ['schemaVersion', 'weir', 'at', ...CHANGE_KEYS, 'headline', 'complete', 'findings', ...FINDING_KEYS.map(key => `findings[].${key}`), ...REST_KEYS].map(
      key => `.${key}`,
    ),
  );
});

test(`${verifies('REV-20a')} the JSON report is the report: the contract reads it back without a loss`, () => {
  const whole = report({
    findings: [finding(), finding({ placement: { kind: 'summary', reason: 'off the diff' }, path: 'caf\udce9.ts' })],
    coverage: [{ path: 'a', reading: 'skipped', reason: 'binary', byRule: true }],
    notes: ['one'],
  });
  expect(ReviewReport.parse(JSON.parse(renderJson(whole)))).toEqual(whole);
});

test(`${verifies('REV-20a')} key order does not depend on who built the report`, () => {
  const { weir, ...rest } = report();
  expect(renderJson({ ...rest, weir })).toBe(renderJson(report()));
});

test(`${verifies('REV-20a')} JSON lines: a line for each finding, then the summary`, () => {
  const lines = renderJsonl(report()).split('\n');
  expect(lines).toHaveLength(4);
  expect(lines.slice(0, 3).map(line => (JSON.parse(line) as { type: string }).type)).toEqual(['finding', 'finding', 'summary']);
  expect(keysOf(JSON.parse(lines[0] ?? ''))).toEqual(['type', ...FINDING_KEYS].map(key => `.${key}`));
  expect(keysOf(JSON.parse(lines[2] ?? ''))).toEqual(
    ['type', 'schemaVersion', 'weir', 'at', ...CHANGE_KEYS, 'headline', 'complete', ...REST_KEYS].map(key => `.${key}`),
  );
  expect(lines[3]).toBe('');
});
