import { verifies } from '@weir/requirements';
import { expect, test } from 'vitest';
import { generatedPaths } from './generated-paths.ts';

test(`${verifies('REV-20d')} paths that .gitattributes marks are told, the last rule of an attribute decides`, () => {
  const { matches, unreadable } = generatedPaths(
    [
      '# *.md linguist-generated',
      '*.pb.ts linguist-generated',
      'vendor/** linguist-vendored=true',
      'vendor/ours/** -linguist-vendored',
      '/top.ts linguist-generated=true text',
    ].join('\n'),
  );
  const told = ['a.md', 'src/a.pb.ts', 'vendor/x/y.ts', 'vendor/ours/z.ts', 'top.ts', 'src/top.ts'].filter(matches);
  expect(told).toEqual(['src/a.pb.ts', 'vendor/x/y.ts', 'top.ts']);
  expect(unreadable).toBe(0);
});

test(`${verifies('REV-20d')} a pattern that means something else here is counted, and leaves nothing out`, () => {
  const { matches, unreadable } = generatedPaths('"a b.ts" linguist-generated\n[ab].ts linguist-generated\n{a}.ts text\n');
  expect(unreadable).toBe(2);
  expect(matches('a.ts')).toBe(false);
});
