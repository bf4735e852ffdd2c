import { decodeLossless } from '@weir/diff';
import { verifies } from '@weir/requirements';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { feedDiff } from './read-diff.ts';

async function* chunked(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  let at = 0;
  for (let turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

test(`${verifies('REV-20e')} any bytes in any chunks give the text of the whole`, async () => {
  const lines = fc.array(
    fc.oneof(
      fc.uint8Array({ maxLength: 12 }),
      fc.string({ unit: 'binary' }).map(text => Buffer.from(text)),
      fc.constant(new Uint8Array([0x0a])),
    ),
  );
  await fc.assert(
    fc.asyncProperty(lines, fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), async (parts, sizes) => {
      const bytes = new Uint8Array(Buffer.concat(parts));
      const texts: string[] = [];
      await feedDiff(chunked(bytes, sizes), { push: text => void texts.push(text) });
      expect(texts.join('')).toBe(decodeLossless(bytes));
    }),
  );
});
