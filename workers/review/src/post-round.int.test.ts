/** Rounds posted to the five simulated forges, which hold each request against the vendor's description: crashes, follow-ups, deletions. */
import { readMarker } from '@weir/comment';
import type { ReviewEffect } from '@weir/ports';
import type { ThreadStep } from '@weir/review';
import { verifies } from '@weir/requirements';
import { afterEach, expect, test, vi } from 'vitest';
import { postRound } from './post-round.worker.ts';
import { found, Killed, postingWorld, reported, type RoundGiven } from './posting.fixture.ts';
import { FORGES, lines, NAME, REPOSITORY, simulatedForge } from './simulated-forge.fixture.ts';

vi.setConfig({ testTimeout: 120_000 });

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const { signal } = new AbortController();

async function start(kind: (typeof FORGES)[number]) {
  const forge = await simulatedForge(kind);
  closers.push(forge.close);
  const world = postingWorld({ port: forge.port, account: forge.account, repository: REPOSITORY, change: forge.number });
  const stage = postRound(world.parts);
  const run = async (round: number, given: RoundGiven) => {
    const results = await stage(await world.ready(round, given), signal);
    world.record(results);
    return results;
  };
  /** The worker dies right after this call of the forge, and another takes over. */
  const runKilled = async (round: number, given: RoundGiven, effect: ReviewEffect) => {
    world.killAt({ effect, phase: 'after' });
    await expect(stage(await world.ready(round, given), signal)).rejects.toThrow(Killed);
    world.killAt(null);
    return run(round, given);
  };
  const on = { repository: REPOSITORY, change: forge.number };
  /** What a person sees: the marks of every comment that stands. */
  const standing = async () => {
    const { threads } = await forge.port.ask('thread.list', on, signal);
    const { comments } = await forge.port.ask('comment.list', on, signal);
    const mark = ({ body }: { readonly body: string }) => {
      const { kind: what, round, finding } = readMarker(body) ?? { kind: 'none', round: 0, finding: null };
      return `${what} ${round} ${finding ?? '-'}`;
    };
    return {
      threads: threads.map(({ comments: said }) => said.map(mark)).toSorted(),
      comments: comments.map(mark),
      bodies: comments.map(({ body }) => body),
      raw: threads,
    };
  };
  return { ...forge, world, run, runKilled, standing };
}

const FIRST = reported([
  found({ id: '1a', line: 5 }),
  found({ id: '1b', line: 12, severity: 'blocker', suggestion: 'line 12 better\n' }),
  found({ id: '1c', line: 900, message: 'Its line is not there.' }),
]);
const step = (finding: string, verdict: ThreadStep['verdict'], more: Partial<ThreadStep> = {}): ThreadStep => ({
  ...{ finding, verdict, reason: `Because of ${finding}.`, reply: false, resolve: false },
  ...more,
});
const CALLS: readonly ReviewEffect[] = ['post.review', 'post.summary', 'post.check', 'post.settle'];

test.each(FORGES)(`${verifies('REV-17', 'REV-18', 'REV-18a', 'REV-19')} %s: killed after each call of the round, there is one of each comment`, async kind => {
  for (const effect of CALLS) {
    const { forge, head, runKilled, standing, world } = await start(kind);
    const [result] = await runKilled(1, { head, report: FIRST }, effect);
    const { threads, comments, bodies } = await standing();
    expect({ effect, threads, comments }).toEqual({ effect, threads: [['finding 1 1a'], ['finding 1 1b']], comments: ['summary 1 -'] });
    expect(bodies[0]).toContain('Its line is not there');
    expect(result).toMatchObject({ type: 'CommentsPosted', answers: [], summary: expect.any(String) as string });
    const rows = world.ledger().rows;
    expect(Object.values(rows).map(({ id, thread }) => [id, thread?.path])).toEqual([
      ['1a', 'src/app.ts'],
      ['1b', 'src/app.ts'],
      ['1c', undefined],
    ]);
    expect(forge.violations).toEqual([]);
  }
});

test.each(FORGES)(
  `${verifies('REV-18', 'REV-19', 'REV-22')} %s: a follow-up answers each thread once, rewrites the summary, and makes a new one where it was deleted`,
  async kind => {
    const { forge, seed, port, head, run, runKilled, standing, change, world } = await start(kind);
    await run(1, { head, report: FIRST });
    const next = await seed.push({ repository: NAME, branch: 'feature', by: 'alice', files: { 'src/app.ts': lines([5, 12, 20, 25], 'changed again') } });
    const canResolve = port.supports('thread.resolve');
    const steps = [step('1a', 'still_open', { reply: true }), step('1b', 'resolved', { reply: true, resolve: canResolve }), step('1c', 'unchanged')];
    const report = reported([found({ id: '2a', line: 25 })]);
    const [result] = await runKilled(2, { head: next, report, steps }, 'post.reply');
    const second = await standing();
    expect(second.threads).toEqual([['finding 1 1a', 'reply 2 1a'], ['finding 1 1b', 'reply 2 1b'], ['finding 2 2a']]);
    expect(second.comments).toEqual(['summary 2 -']);
    expect(second.bodies[0]).toMatch(/1 resolved, 1 still open, 1 unchanged/);
    expect(second.bodies[0]).toContain('Finding 1c');
    expect(second.bodies[0]).toContain('Finding 1b');
    expect(result).toMatchObject({
      answers: [
        { finding: '1a', resolved: null },
        { finding: '1b', resolved: canResolve ? true : null },
      ],
    });
    expect(second.raw.map(({ resolved }) => resolved === true).filter(Boolean)).toHaveLength(canResolve ? 1 : 0);
    expect(Object.values(world.ledger().rows).map(({ id, status }) => [id, status])).toContainEqual(['1b', 'resolved']);

    const { remarks, threads } = change();
    remarks.splice(0);
    threads.splice(0, threads.length, ...threads.filter(({ place }) => place !== null));
    const third = await runKilled(
      3,
      { head: next, report: reported([]), steps: [step('1a', 'unchanged'), step('1c', 'unchanged'), step('2a', 'unchanged')] },
      'post.summary',
    );
    expect(third[0]).toMatchObject({ type: 'CommentsPosted', findings: [], answers: [] });
    expect((await standing()).comments).toEqual(['summary 3 -']);
    expect((await standing()).threads).toEqual(second.threads);
    expect(forge.violations).toEqual([]);
  },
);

test.each(FORGES)(
  `${verifies('REV-6', 'REV-7', 'REV-19')} %s: nothing is posted to a head that has moved or a change that is closed; a clean first round has its check alone`,
  async kind => {
    const { forge, seed, head, world, standing, change, run } = await start(kind);
    await run(1, { head, report: reported([]) });
    expect(await standing()).toMatchObject({ threads: [], comments: [] });
    expect(world.effects.filter(name => name !== 'post.settle')).toEqual(['post.check']);
    const next = await seed.push({ repository: NAME, branch: 'feature', by: 'alice', files: { 'src/app.ts': lines([5], 'moved') } });
    const stage = postRound(world.parts);
    const late = await world.ready(2, { head, report: FIRST });
    expect(await stage(late, signal)).toMatchObject([{ type: 'HeadMoved', current: next }]);
    change().state = 'closed';
    expect(await stage(late, signal)).toMatchObject([{ type: 'ChangeEnded', change: { state: 'closed' } }]);
    expect((await standing()).threads).toEqual([]);
    expect(forge.violations).toEqual([]);
  },
);
