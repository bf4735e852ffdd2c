import { CATEGORIES, SEVERITY_MEANING } from '@weir/contract';
import { verifies } from '@weir/requirements';
import { expect, test } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { specialist } from './index.ts';

test(`${verifies('SPEC-1')} the package names its entry, and the declaration is well formed`, () => {
  expect(manifest.weir.specialist).toBe('./src/index.ts');
  expect(specialist.key).toMatch(/^[a-z][a-z0-9_]{1,31}$/);
  expect(specialist.routingHint.length).toBeLessThanOrEqual(200);
});

test(`${verifies('REV-16')} each category has a rule, and so has a finding without one`, () => {
  const ids = (specialist.review?.rules ?? []).map(rule => rule.id);
  expect([...ids].sort()).toEqual([...CATEGORIES, 'general'].map(name => `correctness/${name}`).sort());
  for (const rule of specialist.review?.rules ?? []) expect([rule.why, rule.fix, rule.bad, rule.good, rule.limits].every(text => text !== '')).toBe(true);
});

test(`${verifies('REV-16')} the instructions define each severity and each category`, () => {
  const text = specialist.review?.prompt?.instructions ?? '';
  for (const meaning of Object.values(SEVERITY_MEANING)) expect(text).toContain(meaning);
  for (const category of CATEGORIES) expect(text).toContain(category);
});
