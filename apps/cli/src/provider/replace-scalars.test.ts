import { verifies } from '@weir/requirements';
import { expect, test } from 'vitest';
import { replaceScalars } from './replace-scalars.ts';

const text = `# why
spec: # keep
    source: { instance_url: 'https://a.example',   retrieved_at: 2020-01-01 } # odd  spacing
    digest: "old"
other: old
`;

test(`${verifies('PRV-2')} only the named values change; comments, order and spacing stay`, () => {
  expect(
    replaceScalars(text, [
      { key: ['spec', 'digest'], value: 'new' },
      { key: ['spec', 'source', 'retrieved_at'], value: '2026-11-30' },
    ]),
  ).toBe(text.replace('"old"', 'new').replace('2020-01-01', '2026-11-30'));
});

test.each(['spec:\n  source: {}\n', 'spec: &a { digest: x }\nother: *a\n', ''])('a key without a value of its own is an error that says so', source => {
  expect(() => replaceScalars(source, [{ key: source.includes('*a') ? ['other', 'digest'] : ['spec', 'digest'], value: 'new' }])).toThrow(/of its own/);
});
