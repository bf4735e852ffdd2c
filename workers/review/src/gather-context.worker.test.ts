import { AppError } from '@weir/kernel';
import { verifies } from '@weir/requirements';
import { expect, test } from 'vitest';
import { gatherContext } from './gather-context.worker.ts';
import { linkedIssues } from './linked-issues.ts';
import { changeOf, first, memoryForge, notFound, reviewId, roundWorld, start } from './round-world.fixture.ts';

const aim = { round: 1, head: first, attempt: 1 };
const author = { id: '7', login: 'kim', kind: 'person' } as const;
const issue = (number: number) => ({
  ...{ id: String(number), number, title: `Issue ${number}`, body: `Body of ${number}`, url: `https://forge.example/i/${number}`, state: 'open' as const },
  ...{ author, labels: [], assignees: [], milestone: null, createdAt: '2026-01-31T07:00:00.000Z', updatedAt: '2026-01-31T07:00:00.000Z' },
});
const handlers = {
  'change.get': () => changeOf({ body: 'Why it is needed. Fixes #12.' }),
  'issue.get': ({ issue: number }: { issue: number }) => (number === 12 ? issue(12) : notFound()),
} as const;
const gathering = (port: Parameters<typeof roundWorld>[0], more: Parameters<typeof roundWorld>[1] = {}) => {
  const world = roundWorld(port, more);
  world.request(1, first, null);
  return { world, run: () => gatherContext(world.parts)(world.work('GatherContext', aim), new AbortController().signal) };
};

test('[REV-13 REV-38] description and linked issues become an artifact with an end, named by its id', async () => {
  const { world, run } = gathering(memoryForge(handlers));
  const id = `${reviewId}/1/1/context`;
  expect(await run()).toEqual([{ type: 'ContextGathered', reviewId, ...aim, at: '2026-01-31T08:00:00.000Z', context: id, missing: [] }]);
  expect(world.artifacts.get(id)).toMatchObject({ kind: 'context', reviewId, expiresAt: start + 86_400_000 });
  expect(world.artifacts.get(id)?.text).toBe('The change 7: Add a ledger\nWhy it is needed. Fixes #12.\n\nIssue 12: Issue 12\nBody of 12');
  expect(world.effects).toEqual(['gather.store']);
});

test(`[REV-13] ${verifies('REV-14')} a source that fails costs itself only, and is named`, async () => {
  const port = memoryForge({ ...handlers, 'change.get': () => changeOf({ body: 'Fixes #12, see #13' }) });
  expect((await gathering(port).run())[0]).toMatchObject({
    context: expect.any(String),
    missing: [{ source: 'issue #13', reason: 'there is no such object' }],
  });
  expect((await gathering(memoryForge({ 'change.get': handlers['change.get'] })).run())[0]).toMatchObject({ missing: [{ source: 'issue #12' }] });
  const broken = memoryForge({
    ...handlers,
    'issue.get': () => {
      throw new TypeError('a bug');
    },
  });
  await expect(gathering(broken).run()).rejects.toThrow('a bug');
});

test('[REV-13] the deadline counts from when the work was asked for: a restart does not extend it', async () => {
  const waits: number[] = [];
  const sleep = (ms: number): Promise<void> => (waits.push(ms), new Promise(() => undefined));
  const { world, run } = gathering(memoryForge(handlers), { sleep });
  world.clock.now = start + 15_000;
  await run();
  expect(waits.slice(1)).toEqual([5_000, 5_000]);
  world.clock.now = start + 20_000;
  expect((await run())[0]).toMatchObject({ context: null, missing: [{ source: 'the description of the change' }, { source: 'issue #12' }] });
});

test('[REV-13] what is late is named, and does not hold the rest back', async () => {
  let slow: (() => void) | undefined;
  const sleep = (ms: number): Promise<void> => (ms === 20_000 ? new Promise(resolve => (slow = resolve)) : new Promise(() => undefined));
  const port = memoryForge({ ...handlers, 'issue.get': () => (slow?.(), new Promise(() => undefined)) });
  const { world, run } = gathering(port, { sleep });
  expect((await run())[0]).toMatchObject({ missing: [{ source: 'issue #12', reason: 'issue #12 did not arrive within 20 s' }] });
  expect([...world.artifacts.values()][0]?.text).toContain('Why it is needed');
});

test(`${verifies('PRV-20')} text that the policy keeps from a model is missing, not shown`, async () => {
  const { world, run } = gathering(memoryForge(handlers, verb => verb === 'issue.get'));
  expect((await run())[0]).toMatchObject({ missing: [{ source: 'issue #12', reason: expect.stringContaining('policy') }] });
  expect([...world.artifacts.values()][0]?.text).not.toContain('Body of 12');
});

test(`${verifies('REV-6')} a head that has moved ends the stage`, async () => {
  const port = memoryForge({ ...handlers, 'change.get': () => changeOf({ head: { branch: 'x', commit: 'd'.repeat(40), repository: null } }) });
  expect((await gathering(port).run())[0]).toMatchObject({ type: 'HeadMoved', current: 'd'.repeat(40) });
});

test(`${verifies('REV-7')} a change that is closed ends the stage`, async () => {
  const port = memoryForge({ ...handlers, 'change.get': () => changeOf({ state: 'closed' }) });
  expect(await gathering(port).run()).toMatchObject([{ type: 'ChangeEnded', change: { state: 'closed' } }]);
});

test(`${verifies('REV-20')} a change that cannot be read is a failure to be tried again`, async () => {
  const port = memoryForge({
    'change.get': () => {
      throw new AppError('FORGE_UNAVAILABLE', '502');
    },
  });
  expect((await gathering(port).run())[0]).toMatchObject({ type: 'WorkFailed', retry: 'later' });
});

test('[REV-38] issues come from words, those that are closed first, never from code or other repositories', () => {
  expect(linkedIssues('See #4', 'closes: #9, resolved #3 and #9')).toEqual([9, 3, 4]);
  expect(linkedIssues('', 'a `#1` b\n```\nfixes #2\n```\n    #3\nacme/other#5 https://x/#6 &#7; #8')).toEqual([8]);
  expect(linkedIssues('#0')).toEqual([]);
  expect(linkedIssues('`'.repeat(200_000))).toEqual([]);
});

test(`${verifies('REV-14')} issues beyond the bound are counted`, async () => {
  const body = [1, 2, 3, 4, 5, 6, 8].map(number => `#${number}`).join(' ');
  const port = memoryForge({ 'change.get': () => changeOf({ body }), 'issue.get': ({ issue: number }) => issue(number) });
  expect((await gathering(port).run())[0]).toMatchObject({ missing: [{ source: 'linked issues', reason: '2 more are named; 5 are read' }] });
});
