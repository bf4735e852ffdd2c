import { verifies } from '@weir/requirements';
import { expect, test } from 'vitest';
import { equivalence } from './equivalence.ts';

const table = equivalence([
  { id: 'secrets/aws', equivalent: ['gitleaks/aws-*', 'semgrep/*detected-aws*key', 'correctness/security'] },
  { id: 'leftovers/debug', equivalent: [] },
]);

test.each([
  ['gitleaks/aws-token', true],
  ['gitleaks/aws', false],
  ['semgrep/generic.detected-aws-access-key', true],
  ['semgrep/detected-awskey', true],
  ['semgrep/detected-aws-token', false],
  ['correctness/security', true],
  ['correctness/data', false],
] as const)(`${verifies('SPEC-7')} secrets/aws and %s: %s`, (rule, expected) => {
  expect(table.same('secrets/aws', rule)).toBe(expected);
  expect(table.same(rule, 'secrets/aws')).toBe(expected);
});

test('two rules that one row names are the same matter; the rule with such a row leads', () => {
  expect(table.same('gitleaks/aws-token', 'correctness/security')).toBe(true);
  expect([table.leads('secrets/aws'), table.leads('leftovers/debug'), table.leads('correctness/security')]).toEqual([true, false, false]);
});
