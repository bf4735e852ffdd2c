/** What a round posts when a forge refuses, a person was faster, or an earlier attempt left something. */
import { readMarker } from '@weir/comment';
import type { ReviewFinding, Verb } from '@weir/contract';
import { AppError } from '@weir/kernel';
import type { ThreadStep } from '@weir/review';
import { verifies } from '@weir/requirements';
import { expect, test } from 'vitest';
import { HEAD, memoryForge, WEIR } from './memory-forge.fixture.ts';
import { postRound } from './post-round.worker.ts';
import { found, Killed, postingWorld, reported, reviewId, type RoundGiven } from './posting.fixture.ts';

const { signal } = new AbortController();
const REPOSITORY = { owner: 'acme', name: 'shop' };

function open(unsupported: readonly Verb[] = ['check.upsert'], blockOn: 'blocker' | null = null) {
  const forge = memoryForge(unsupported);
  const world = postingWorld({ port: forge.port, account: WEIR, repository: REPOSITORY, change: 7, more: { blockOn } });
  const stage = postRound(world.parts);
  const run = async (round: number, given: Omit<RoundGiven, 'head'>) => {
    const results = await stage(await world.ready(round, { ...given, head: HEAD }), signal);
    world.record(results);
    return results[0];
  };
  const tries = async (round: number, given: Omit<RoundGiven, 'head'>) => stage(await world.ready(round, { ...given, head: HEAD }), signal);
  const summary = () => forge.notes.map(({ body }) => body).join('\n====\n');
  const marks = () => forge.threads.map(({ comments }) => comments.map(({ body }) => readMarker(body)?.finding ?? 'a person'));
  return { forge, world, run, tries, summary, marks };
}

const THREE: readonly ReviewFinding[] = [found({ id: '1a', line: 5 }), found({ id: '1b', line: 12 }), found({ id: '1c', line: 20 })];
const refusal = new AppError('FORGE_UNPROCESSABLE', 'Pull request review thread line must be part of the diff');
const step = (finding: string, verdict: ThreadStep['verdict'], more: Partial<ThreadStep> = {}): ThreadStep => ({
  ...{ finding, verdict, reason: `Because of ${finding}.`, reply: verdict !== 'unchanged', resolve: verdict === 'resolved' },
  ...more,
});

test(`${verifies('REV-18a')} all comments go out as one review, worst first, and the rest is listed`, async () => {
  const { forge, run, marks, summary } = open();
  const many = Array.from({ length: 9 }, (_, index) => found({ id: `1${'abcdefghi'[index]}`, line: index + 2, severity: index === 8 ? 'blocker' : 'minor' }));
  await run(1, { report: reported(many) });
  expect(forge.asked.filter(verb => verb === 'review.submit')).toHaveLength(1);
  expect(marks()).toEqual(['1i', '1a', '1b', '1c', '1d', '1e', '1f'].map(id => [id]));
  for (const id of ['1g', '1h']) expect(summary()).toContain(`What happens at ${id === '1g' ? 8 : 9}.`);
  expect(summary()).toContain('a round has at most 7 comments on lines');
});

test.each([false, true])(`${verifies('REV-17', 'REV-18a')} what the forge refuses is listed with its reason, whole review refused: %s`, async whole => {
  const { forge, run, marks, summary, world } = open();
  forge.refused.lines = [12];
  forge.refused.whole = whole;
  forge.failures.set('review.submit', refusal);
  if (!whole) forge.failures.clear();
  const result = await run(1, { report: reported(THREE) });
  expect(marks()).toEqual([['1a'], ['1c']]);
  expect(summary()).toMatch(/1b.*\n*.*the forge does not take it on its lines/);
  expect(result).toMatchObject({
    findings: [
      { finding: '1a', thread: { line: 5 } },
      { finding: '1b', thread: null },
      { finding: '1c', thread: { line: 20 } },
    ],
  });
  expect(Object.keys(world.ledger().rows)).toEqual(['1a', '1b', '1c']);
});

test.each([
  ['FORGE_RATE_LIMITED', 'later', 75],
  ['FORGE_UNAVAILABLE', 'later', undefined],
  ['FORGE_UNAUTHORIZED', 'never', undefined],
] as const)(
  `${verifies('REV-18a', 'REV-20')} %s ends the stage, to be tried again %s, and the next attempt goes on from there`,
  async (code, retry, seconds) => {
    const { forge, run, tries, marks } = open();
    forge.failures.set('comment.create', new AppError(code, 'no', seconds === undefined ? {} : { retryAfterSeconds: seconds }));
    expect(await tries(1, { report: reported(THREE) })).toMatchObject([{ type: 'WorkFailed', failure: code, retry, retryAfterSeconds: seconds ?? null }]);
    forge.failures.clear();
    await run(1, { report: reported(THREE) });
    expect(marks()).toEqual([['1a'], ['1b'], ['1c']]);
    expect(forge.asked.filter(verb => verb === 'review.submit')).toHaveLength(1);
    expect(forge.notes).toHaveLength(1);
  },
);

test(`${verifies('REV-18')} a half-posted review is taken over: what stands is adopted, the rest is posted`, async () => {
  const { forge, world, run, tries, marks } = open();
  world.killAt({ effect: 'post.review', phase: 'after' });
  await expect(tries(1, { report: reported(THREE) })).rejects.toThrow(Killed);
  world.killAt(null);
  forge.threads.splice(1, 1);
  const result = await run(1, { report: reported(THREE) });
  expect(marks()).toEqual([['1a'], ['1c'], ['1b']]);
  expect(result).toMatchObject({ findings: [{ thread: { line: 5 } }, { thread: { line: 12 } }, { thread: { line: 20 } }] });
});

test(`${verifies('REV-18')} another holder of a claim stops the work, and no attempt is spent`, async () => {
  const { world, tries } = open();
  await world.parts.claims.claim(`${'ab'.repeat(32)}/1/review`, { reviewId: 'ab'.repeat(32), fence: '99' });
  await expect(tries(1, { report: reported(THREE) })).rejects.toMatchObject({ code: 'DATABASE_CONFLICT' });
});

test(`${verifies('REV-23', 'REV-24')} a remark that an earlier, failed round has posted gets no second thread`, async () => {
  const { forge, run, marks, world } = open();
  await run(1, { report: reported([found({ id: '1a', line: 5 })]) });
  const forgotten = open();
  forgotten.forge.threads.push(...forge.threads);
  await forgotten.run(2, { report: reported([found({ id: '2b', line: 5 }), found({ id: '2c', line: 12 })]) });
  expect(forgotten.marks()).toEqual([['1a'], ['2c']]);
  expect(forgotten.world.ledger().rows['2b']?.thread).toEqual(world.ledger().rows['1a']?.thread);
  expect(marks()).toEqual([['1a']]);
});

test(`${verifies('REV-22')} still open replies and never resolves, resolved does both, unchanged is silent`, async () => {
  const { forge, run, marks, world } = open();
  await run(1, { report: reported(THREE) });
  const result = await run(2, { report: reported([]), steps: [step('1a', 'still_open'), step('1b', 'resolved'), step('1c', 'unchanged')] });
  expect(marks()).toEqual([['1a', '1a'], ['1b', '1b'], ['1c']]);
  expect(forge.threads.map(({ resolved }) => resolved)).toEqual([false, true, false]);
  expect(result).toMatchObject({
    answers: [
      { finding: '1a', resolved: null },
      { finding: '1b', resolved: true },
    ],
  });
  expect(world.ledger().rows['1b']?.status).toBe('resolved');
});

test(`${verifies('REV-22')} a thread that a person has resolved already stays silent, also where no delivery told of it`, async () => {
  const { forge, run, marks } = open();
  await run(1, { report: reported(THREE) });
  Object.assign(forge.threads[1] ?? {}, { resolved: true });
  const result = await run(2, { report: reported([]), steps: [step('1b', 'resolved')] });
  expect(marks()[1]).toEqual(['1b']);
  expect(forge.asked).not.toContain('thread.resolve');
  expect(result).toMatchObject({ answers: [{ finding: '1b', reply: null, resolved: true }] });
});

test(`${verifies('REV-22', 'REV-14')} a thread that is gone or refuses costs the round nothing, and the summary says so`, async () => {
  const { forge, run, summary } = open();
  await run(1, { report: reported(THREE) });
  forge.threads.splice(0, 1);
  forge.failures.set('thread.resolve', new AppError('FORGE_FORBIDDEN', 'not by this account'));
  const result = await run(2, { report: reported([]), steps: [step('1a', 'resolved'), step('1b', 'resolved')] });
  expect(result).toMatchObject({
    answers: [
      { finding: '1a', reply: null, resolved: null },
      { finding: '1b', resolved: null },
    ],
  });
  expect(summary()).toContain('The thread of 1a is gone');
  expect(summary()).toContain('The thread of 1b stays open');
});

test(`${verifies('REV-19')} the summary is rewritten in place; one that was edited away is left alone, and a new one made`, async () => {
  const { forge, run } = open();
  await run(1, { report: reported(THREE) });
  await run(2, { report: reported([]), steps: [step('1a', 'unchanged')] });
  expect(forge.notes).toHaveLength(1);
  Object.assign(forge.notes[0] ?? {}, { body: 'Mine now.' });
  await run(3, { report: reported([]), steps: [step('1a', 'unchanged')] });
  expect(forge.notes.map(({ body }) => body === 'Mine now.')).toEqual([true, false]);
});

test(`${verifies('REV-19')} a suggestion can be committed where the lines are those of the head, else it is shown`, async () => {
  const { forge, run } = open();
  const moved = { kind: 'line', side: 'new', line: 12, endLine: 12, hunk: 0, moved: true } as const;
  await run(1, {
    report: reported([found({ id: '1a', line: 5, suggestion: 'better\n' }), found({ id: '1b', line: 12, suggestion: 'better\n', placement: moved })]),
  });
  const bodies = forge.threads.map(({ comments }) => comments[0]?.body);
  expect(bodies[0]).toContain('```suggestion\nbetter\n```');
  expect(bodies[1]).toContain('```diff');
  expect(bodies[1]).toContain('the code that it quotes stands here');
  expect(forge.asked.filter(verb => verb === 'file.get')).toHaveLength(1);
});

test(`${verifies('REV-19')} the check says what is open, fails only where the operator blocks, and is a status where no check can be had`, async () => {
  const blocked = open(['check.upsert'], 'blocker');
  await blocked.run(1, { report: reported([found({ severity: 'blocker' })]) });
  expect(blocked.forge.checks).toMatchObject([{ verb: 'status.post', given: { context: 'weir/review', state: 'failure', commit: HEAD } }]);
  const free = open([]);
  await free.run(1, { report: reported([found({ severity: 'blocker' })]) });
  expect(free.forge.checks).toMatchObject([{ verb: 'check.upsert', given: { name: 'weir/review', conclusion: 'neutral', status: 'completed' } }]);
  const forbidden = open([]);
  forbidden.forge.failures.set('check.upsert', new AppError('FORGE_FORBIDDEN', 'only an app may'));
  await forbidden.run(1, { report: reported([found()], { complete: false }) });
  expect(forbidden.forge.checks).toMatchObject([{ verb: 'status.post', given: { state: 'success' } }]);
});

test(`${verifies('REV-18', 'REV-19')} a check that a crash left is brought up to date`, async () => {
  const { forge, world, run, tries } = open([]);
  world.killAt({ effect: 'post.check', phase: 'after' });
  await expect(tries(1, { report: reported([]) })).rejects.toThrow(Killed);
  world.killAt(null);
  await run(1, { report: reported([]) });
  expect(forge.checks.map(({ given }) => given['id'])).toEqual([null, 'check-1']);
});

test(`${verifies('REV-14', 'REV-19')} what was cut or did not arrive is in the summary of an otherwise clean round`, async () => {
  const { run, summary } = open();
  const coverage = [{ path: 'src/big.ts', reading: 'skipped' as const, reason: 'larger than the limit', byRule: false }];
  await run(1, { report: reported([], { complete: false, coverage, notes: ['One call was cut.'] }) });
  expect(summary()).toContain('larger than the limit');
  expect(summary()).toContain('One call was cut.');
});

test(`${verifies('REV-6')} a head that moves before posting: nothing is posted`, async () => {
  const { forge, tries } = open();
  forge.head = 'b2'.repeat(20);
  expect(await tries(1, { report: reported(THREE) })).toMatchObject([{ type: 'HeadMoved', current: forge.head }]);
  expect(forge.asked).toEqual(['change.get']);
});

test(`${verifies('REV-19', 'REV-25')} the summary tells a person's own finding in that person's words`, async () => {
  const { world, run, summary } = open();
  await run(1, { report: reported([found({ id: '1a', line: 5 })]) });
  const content = 'cd/comment/c7';
  const text = 'The total is rounded twice\nOnce per line is enough.';
  await world.parts.artifacts.put({ id: content, reviewId: 'cd', kind: 'finding', text, expiresAt: null });
  const finding = { ...found({ id: '1b', line: 12 }), rule: 'person/finding' };
  const { id, rule, path, side, line, endLine, severity, category, fingerprint } = finding;
  const coordinates = { id, rule, path, side, line, endLine, severity, category, fingerprint };
  const by = { id: '7', login: 'kim', kind: 'person' } as const;
  world.dispatch({ type: 'FindingAdded', reviewId, at: '2026-01-31T08:00:00.000Z', round: 1, finding: coordinates, by, content, thread: null });
  await run(2, { report: reported([]), steps: [step('1a', 'still_open'), step('1b', 'still_open')] });
  expect(summary()).toContain('The total is rounded twice');
  expect(summary()).toContain('Once per line is enough.');
  expect(summary()).not.toContain('person/finding');
});
