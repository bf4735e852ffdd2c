import type { Finding } from '@weir/contract';
import { parseDiff } from '@weir/diff';
import { verifies } from '@weir/requirements';
import type { CheckContext, Rule, Specialist } from '@weir/specialist-kit';
import { expect, test } from 'vitest';
import { runChecks } from './run-checks.worker.ts';

const files = parseDiff('--- a/x.ts\n+++ b/x.ts\n@@ -1 +1 @@\n-a\n+b\n--- a/y.md\n+++ b/y.md\n@@ -1 +1 @@\n-a\n+b\n');
const context: CheckContext = { files, signal: { aborted: false } };
const rule = (id: string): Rule => ({
  id,
  title: 't',
  severity: 'minor',
  category: 'tests',
  why: 'w',
  fix: 'f',
  bad: 'b',
  good: 'g',
  limits: 'l',
  equivalent: [],
});
const finding = (over: Partial<Finding> = {}): Finding => ({
  rule: 'one/rule',
  path: 'x.ts',
  side: 'new',
  line: 1,
  endLine: 1,
  severity: 'minor',
  category: 'tests',
  title: 't',
  message: 'm',
  quote: null,
  evidence: [],
  suggestion: null,
  ...over,
});
const specialist = (key: string, check: NonNullable<Specialist['review']>['check'], appliesTo: (path: string) => boolean = () => true): Specialist => ({
  key,
  title: key,
  routingHint: key,
  review: { dimensions: [], appliesTo, rules: [rule(`${key}/rule`)], ...(check ? { check } : {}) },
});

test(`${verifies('SPEC-6')} findings carry the key of their specialist`, async () => {
  const outcome = await runChecks({ specialists: [specialist('one', async () => ({ findings: [finding()], partial: [] }))], context });
  expect(outcome).toEqual({ findings: [{ finding: finding(), source: 'one' }], partial: [], runs: [{ key: 'one', failure: null, findings: 1 }] });
});

test(`${verifies('PRO-2')} a specialist that fails leaves its files partly read and the others' findings untouched`, async () => {
  const broken = specialist(
    'two',
    () => Promise.reject(new Error('boom\nstack')),
    path => path.endsWith('.md'),
  );
  const outcome = await runChecks({ specialists: [broken, specialist('one', async () => ({ findings: [finding()], partial: [] }))], context });
  expect(outcome.findings).toHaveLength(1);
  expect(outcome.partial).toEqual([{ path: 'y.md', reason: 'the specialist two failed: boom' }]);
  expect(outcome.runs[0]).toEqual({ key: 'two', failure: 'boom', findings: 0 });
});

test.each([
  ['an undeclared rule', finding({ rule: 'one/other' })],
  ['another file', finding({ path: 'z.ts' })],
  ['a wrong shape', { ...finding(), severity: 'huge' } as unknown as Finding],
])('%s is a fault of the specialist; its sound findings stay', async (_, wrong) => {
  const outcome = await runChecks({ specialists: [specialist('one', async () => ({ findings: [finding(), wrong], partial: [] }))], context });
  expect(outcome.findings).toEqual([{ finding: finding(), source: 'one' }]);
  expect(outcome.runs[0]?.failure).not.toBeNull();
});

test('a check sees only the files that it applies to, and is not started without one', async () => {
  const seen: string[] = [];
  const check = async ({ files: given }: CheckContext) => {
    seen.push(...given.map(file => file.newPath ?? ''));
    return { findings: [], partial: [] };
  };
  await runChecks({ specialists: [specialist('one', check, path => path === 'x.ts'), specialist('two', check, () => false)], context });
  expect(seen).toEqual(['x.ts']);
});

test('a specialist without a check is not a run', async () => {
  expect((await runChecks({ specialists: [specialist('one', undefined)], context })).runs).toEqual([]);
});

test(`${verifies('PRO-2')} a check that does not end before the deadline has failed, and the others count`, async () => {
  const stuck = specialist('two', () => new Promise(() => undefined));
  const fine = specialist('one', async () => ({ findings: [finding()], partial: [{ path: 'y.md', reason: 'too long' }] }));
  const outcome = await runChecks({ specialists: [stuck, fine], context, deadline: new Promise(resolve => setTimeout(resolve, 20)) });
  expect(outcome.findings).toHaveLength(1);
  expect(outcome.runs).toEqual([
    { key: 'two', failure: 'it did not end before its deadline', findings: 0 },
    { key: 'one', failure: null, findings: 1 },
  ]);
  expect(outcome.partial.map(({ path }) => path)).toEqual(['x.ts', 'y.md', 'y.md']);
});

test.each([
  [
    'a check that throws at once',
    () => {
      throw new Error('no promise');
    },
  ],
  ['a finding more severe than its rule', async () => ({ findings: [finding({ severity: 'blocker' })], partial: [] })],
  ['a finding that ends before it begins', async () => ({ findings: [finding({ line: 5, endLine: 4 })], partial: [] })],
])(`${verifies('SPEC-6')} %s is named and brings nothing`, async (_, check) => {
  const outcome = await runChecks({ specialists: [specialist('one', check)], context });
  expect(outcome.findings).toEqual([]);
  expect(outcome.runs[0]?.failure).not.toBeNull();
  expect(outcome.partial.map(({ path }) => path)).toContain('x.ts');
});
