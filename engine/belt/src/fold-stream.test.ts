import type { LogEvent } from '@weir/ports';
import { sampleEnvelope } from '@weir/ports/suites';
import { verifies } from '@weir/requirements';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldStream } from './fold-stream.ts';

interface Said {
  readonly type: 'Said';
  readonly n: number;
}
const fold = { initialState: [] as readonly number[], evolve: (state: readonly number[], { n }: Said): readonly number[] => [...state, n] };

/** A log of one stream. */
const logOf = (numbers: readonly number[]) => ({
  readStream: (_: string, after: number, limit: number): Promise<readonly LogEvent[]> =>
    Promise.resolve(
      numbers.slice(after, after + limit).map((n, index) => ({
        stream: 's',
        version: after + index + 1,
        position: 'unused',
        envelope: sampleEnvelope(`e${n}`, { type: 'Said', data: { n } }),
      })),
    ),
});

test(`${verifies('REV-2')} a fold is the fold of all events in their order, however many pages they take; its version is their number`, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer(), { maxLength: 1_700, size: 'max' }), async numbers => {
      expect(await foldStream(logOf(numbers), 's', fold)).toEqual({ state: numbers, version: numbers.length });
    }),
    { numRuns: 30, examples: [[[]], [Array.from({ length: 500 }, (_, n) => n)], [Array.from({ length: 1_001 }, (_, n) => n)]] },
  );
});
