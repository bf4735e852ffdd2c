import { describe, expect, test } from 'vitest';
import type { DiffFile, FindingDetail, RoundDetail } from '../../api/resources.ts';
import { findingsOfFile } from './findings-of-file.ts';
import { phasesOf } from './phases-of.ts';

const at = (second: number): string => new Date(Date.UTC(2026, 8, 14, 10, 0, second)).toISOString();
const steps = (...given: readonly (readonly [RoundDetail['status'], number])[]): RoundDetail['steps'] =>
  given.map(([status, second]) => ({ status, at: at(second) }));

describe('phases', () => {
  test('a round that ended is the sum of its phases', () => {
    const round = {
      status: 'completed',
      steps: steps(['queued', 0], ['fetching', 1], ['gathering', 4], ['generating', 9], ['posting', 30], ['completed', 34]),
    } as const;
    const { phases, total } = phasesOf(round, Date.parse(at(59)));
    expect(phases.map(({ stage, tone, ms }) => `${stage} ${tone} ${ms}`)).toEqual(['Fetch diff ok 3000', 'Context ok 5000', 'Review ok 21000', 'Post ok 4000']);
    expect(total).toBe(34_000);
  });
  test('the phase at work grows with the clock, and what has not begun has no time', () => {
    const { phases, total } = phasesOf({ status: 'gathering', steps: steps(['queued', 0], ['fetching', 1], ['gathering', 4]) }, Date.parse(at(10)));
    expect(phases.map(({ tone, ms }) => `${tone} ${ms}`)).toEqual(['ok 3000', 'run 6000', 'next null', 'next null']);
    expect(total).toBe(10_000);
  });
  test('a second attempt adds to its phase, and the phase that failed says so', () => {
    const round = { status: 'failed', steps: steps(['fetching', 0], ['queued', 2], ['fetching', 5], ['failed', 6]) } as const;
    expect(phasesOf(round, Date.parse(at(59))).phases[0]).toEqual({ stage: 'Fetch diff', tone: 'bad', ms: 3000 });
  });
});

describe('findings of a file', () => {
  const file: DiffFile = {
    path: 'src/new.ts',
    oldPath: 'src/old.ts',
    kind: 'renamed',
    meaning: 'core',
    addedLines: 1,
    removedLines: 1,
    problem: null,
    hunks: [
      {
        oldStart: 10,
        newStart: 12,
        lines: [
          { kind: 'context', text: 'a' },
          { kind: 'del', text: 'b' },
          { kind: 'add', text: 'c' },
        ],
      },
    ],
  };
  const finding = (id: string, path: string, side: 'new' | 'old', endLine: number) => ({ id, path, side, endLine, status: 'open' }) as FindingDetail;
  test('they stand at lines that are shown, on their own side; the others are listed', () => {
    const { placed, loose } = findingsOfFile(file, [
      finding('1a', 'src/new.ts', 'new', 13),
      finding('1b', 'src/old.ts', 'old', 11),
      finding('1c', 'src/new.ts', 'new', 11),
      finding('1d', 'src/other.ts', 'new', 13),
      finding('1e', 'src/new.ts', 'new', 0),
      { ...finding('1f', 'src/new.ts', 'new', 0), status: 'resolved' },
    ]);
    expect([placed.map(({ id }) => id), loose.map(({ id }) => id)]).toEqual([
      ['1a', '1b'],
      ['1c', '1e'],
    ]);
  });
});
