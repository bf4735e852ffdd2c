import { ReviewResult } from '@weir/contract';
import { AppError } from '@weir/kernel';
import { verifies } from '@weir/requirements';
import { expect, test } from 'vitest';
import { fetchDiff } from './fetch-diff.worker.ts';
import { changeOf, diffOf, first, memoryForge, roundWorld, second } from './round-world.fixture.ts';

const aim = { round: 1, head: first, attempt: 1 };
const signal = new AbortController().signal;
const rename = 'diff --git a/old.ts b/new.ts\nsimilarity index 100%\nrename from old.ts\nrename to new.ts\n';
const fetching = (port: Parameters<typeof roundWorld>[0], more: Parameters<typeof roundWorld>[1] = {}) => {
  const world = roundWorld(port, more);
  world.request(1, first, null);
  return { world, run: (abort = signal, of = aim) => fetchDiff(world.parts)(world.work('FetchDiff', { ...of, delaySeconds: 0 }), abort) };
};
const open = { 'change.get': () => changeOf(), 'change.diff': () => ({ diff: `${diffOf('src/a.ts', 'two', 'three')}${rename}` }) };

test(`${verifies('REV-12')} the facts of a diff hold sizes and renames, and no line of it`, async () => {
  const { run, world } = fetching(memoryForge(open));
  const results = await run();
  expect(results.map(({ type }) => type)).toEqual(['FetchBegun', 'DiffFetched']);
  expect(results[1]).toMatchObject({
    ...aim,
    diff: { files: 2, addedLines: 2, removedLines: 0, truncated: false, renames: [{ from: 'old.ts', to: 'new.ts' }] },
  });
  expect(JSON.stringify(results)).not.toContain('three');
  expect(world.artifacts.size).toBe(0);
  expect(world.effects).toEqual(['fetch.read']);
});

test(`${verifies('REV-6')} a head that has moved ends the stage, and its diff is not read`, async () => {
  const port = memoryForge({ ...open, 'change.get': () => changeOf({ head: { branch: 'ledger', commit: second, repository: null } }) });
  expect(await fetching(port).run()).toEqual([expect.objectContaining({ type: 'HeadMoved', ...aim, current: second })]);
  expect(port.asked).toEqual(['change.get']);
});

test(`${verifies('REV-7')} a change that is closed is read no further, and its round is told so`, async () => {
  const port = memoryForge({ ...open, 'change.get': () => changeOf({ state: 'merged' }) });
  const [ended, ...more] = await fetching(port).run();
  expect(ended).toMatchObject({ type: 'ChangeEnded', ...aim, change: { number: changeOf().number, state: 'merged' } });
  expect(ReviewResult.safeParse(ended).error).toBeUndefined();
  expect(more).toEqual([]);
  expect(port.asked).toEqual(['change.get']);
});

test.each([
  ['files', { changedFiles: 1, diffBytes: null }, '2 changed files'],
  ['bytes', { changedFiles: null, diffBytes: 100 }, /^\d+ bytes of diff$/],
])(`${verifies('REV-31')} a change with more %s than the limit is refused with what was measured`, async (_, changeLimits, measurement) => {
  const results = await fetching(memoryForge(open), { changeLimits }).run();
  expect(results[1]).toMatchObject({ type: 'WorkRefused', code: 'change_too_large', measurement: expect.stringMatching(measurement) });
});

test(`${verifies('REV-14')} a diff that the forge does not make is read file by file, and what is left out counts`, async () => {
  const file = { previousPath: null, additions: 1, deletions: 0 };
  const port = memoryForge({
    ...open,
    'change.diff': () => {
      throw new AppError('FORGE_UNPROCESSABLE', 'too_large');
    },
    'change.files': () => ({
      complete: false,
      files: [
        { ...file, path: 'a "b".ts', kind: 'added', patch: '@@ -0,0 +1 @@\n+x' },
        { ...file, path: 'huge.json', kind: 'modified', patch: null },
        { ...file, path: 'new.ts', previousPath: 'old.ts', kind: 'renamed', additions: 0, patch: null },
      ],
    }),
  });
  expect((await fetching(port).run())[1]).toMatchObject({ diff: { files: 3, addedLines: 1, truncated: true, renames: [{ from: 'old.ts', to: 'new.ts' }] } });
});

test(`${verifies('REV-20')} a failure with a name becomes a result, with the wait that the forge asked for`, async () => {
  const failing = (error: Error) =>
    fetching(
      memoryForge({
        ...open,
        'change.diff': () => {
          throw error;
        },
      }),
    ).run();
  expect(await failing(new AppError('FORGE_RATE_LIMITED', 'slow down', { retryAfterSeconds: 6.2 }))).toEqual([
    expect.objectContaining({ type: 'WorkFailed', ...aim, failure: 'FORGE_RATE_LIMITED', retry: 'later', retryAfterSeconds: 7, jitter: 0.5 }),
  ]);
  expect(await failing(new AppError('FORGE_UNAUTHORIZED', 'no'))).toEqual([expect.objectContaining({ retry: 'never', sentence: 'no' })]);
  await expect(failing(new AppError('DATABASE_UNAVAILABLE', 'gone'))).rejects.toThrow('gone');
  await expect(failing(new TypeError('a bug'))).rejects.toThrow('a bug');
});

test(`${verifies('REV-20')} a forge that does not answer within its time is not available, and its call is aborted`, async () => {
  let aborted = false;
  const port = memoryForge({
    ...open,
    'change.diff': (_, abort) => new Promise((_resolve, reject) => abort.addEventListener('abort', () => reject((aborted = true)))),
  });
  const waits: number[] = [];
  const sleep = (ms: number): Promise<void> => (waits.push(ms), waits.length === 2 ? Promise.resolve() : new Promise(() => undefined));
  expect(await fetching(port, { sleep }).run()).toEqual([expect.objectContaining({ type: 'WorkFailed', failure: 'FORGE_UNAVAILABLE', retry: 'later' })]);
  expect({ aborted, waits }).toEqual({ aborted: true, waits: [10_000, 10_000] });
});

test(`${verifies('REV-6', 'REV-7')} work of a round that is over, or of an earlier attempt, does nothing`, async () => {
  const port = memoryForge(open);
  const { run, world } = fetching(port);
  expect(await run(signal, { ...aim, attempt: 2 })).toEqual([]);
  expect(await run(signal, { ...aim, round: 2 })).toEqual([]);
  world.dispatch({
    type: 'RoundCancelled',
    reviewId: world.work('FetchDiff', { ...aim, delaySeconds: 0 }).fact.reviewId,
    at: '2026-01-31T08:00:01.000Z',
    ...aim,
    because: 'closed',
  });
  expect(await run()).toEqual([]);
  expect(port.asked).toEqual([]);
});

test(`${verifies('REV-7')} an abort is thrown with its reason, and is no failure`, async () => {
  const controller = new AbortController();
  const port = memoryForge({
    ...open,
    'change.diff': () => {
      controller.abort('cancelled');
      throw new AppError('FORGE_UNAVAILABLE', 'socket closed');
    },
  });
  await expect(fetching(port).run(controller.signal)).rejects.toBe('cancelled');
});
