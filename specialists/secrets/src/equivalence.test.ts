import { verifies } from '@weir/requirements';
import { expect, test } from 'vitest';
import { specialist } from './index.ts';

test(`${verifies('SPEC-7')} names that tools borrow from one another count for any of them, the generic one does not`, () => {
  const names = (specialist.review?.rules ?? []).flatMap(rule => rule.equivalent);
  expect(names).toContain('*/openai-api-key');
  expect(names).toContain('*/github-pat');
  expect(names.some(name => name.startsWith('*') && name.includes('generic'))).toBe(false);
  expect((specialist.review?.rules ?? []).every(rule => rule.secret === true)).toBe(true);
});
