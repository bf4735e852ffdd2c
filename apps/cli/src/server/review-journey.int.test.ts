/** The whole path on simulated forges: a webhook in, one review out; a push, a reply, a command, a close. */
import type { Forge, ForgeKind } from '@weir/forge-simulator';
import { verifies } from '@weir/requirements';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { file, NAME, type PlantedForges, plantForges, REPOSITORY } from './planted-forges.fixture.ts';
import type { Registered } from './test-server.fixture.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const FORGES: readonly ForgeKind[] = ['github', 'gitlab', 'gitea', 'forgejo', 'bitbucket-cloud'];
let planted: PlantedForges;

beforeAll(async () => {
  planted = await plantForges(FORGES, { alice: 'write', 'weir-bot': 'admin' });
});
afterAll(() => planted?.close());

/** Ends of a round that nothing follows. */
const ENDED: ReadonlySet<string> = new Set(['completed', 'observed', 'refused', 'failed', 'cancelled', 'superseded']);

describe.each(FORGES)('%s', kind => {
  let forge: Forge;
  let weir: Registered;
  let change = 0;

  const changed = () => forge.seed.changeOf(NAME, change);
  const rounds = async () => (await weir.review(change))?.page.rounds.map(({ status, reason }) => [status, reason]) ?? [];
  const all = (count: number) => Array.from({ length: count }, () => ['completed', null]);
  /** Waits until so many rounds have ended, however they did. */
  const ended = async (count: number) => {
    await expect.poll(async () => (await rounds()).filter(([status]) => ENDED.has(String(status))).length, { timeout: 60_000, interval: 100 }).toBe(count);
    expect(await rounds()).toEqual(all(count));
  };
  const push = (text: string) => forge.seed.push({ repository: NAME, branch: 'feature', by: 'alice', files: { 'src/app.ts': text } });
  const inline = () => changed().threads.filter(({ place }) => place !== null);
  const said = () =>
    [...changed().threads.flatMap(({ remarks }) => remarks), ...changed().remarks].filter(({ author }) => author.login === 'weir-bot').map(({ body }) => body);
  const summaries = () => said().filter(body => body.includes('Read: 1 of 1 file, whole.'));

  test(`${verifies('REV-5')} an opened change is reviewed once, whole, with one thread a finding and one summary`, async () => {
    forge = planted.forges.get(kind) as Forge;
    weir = await planted.server.register({ kind, url: forge.url, token: forge.token('weir-bot'), repository: REPOSITORY });
    await push(file(5, 12));
    change = (await forge.seed.change({ repository: NAME, head: 'feature', title: 'Read values', by: 'alice' })).number;
    await ended(1);
    expect(
      inline()
        .map(({ place }) => place?.newLine)
        .sort(),
    ).toEqual([12, 5]);
    expect(summaries()).toHaveLength(1);
    expect(forge.violations).toEqual([]);
  });

  test(`${verifies('REV-10')} deliveries that come again change nothing`, async () => {
    await forge.settled();
    const before = said();
    const stored = planted.server.log.filter(line => line.includes('"outcome":"stored"')).length;
    for (const { id } of [...forge.deliveries]) forge.redeliver(id);
    await forge.settled();
    expect(planted.server.log.filter(line => line.includes('"outcome":"stored"'))).toHaveLength(stored);
    expect(await rounds()).toEqual(all(1));
    expect(said()).toEqual(before);
  });

  test(`${verifies('REV-21')} a push is a follow-up round: what is fixed is answered, what is new is posted, the summary is rewritten`, async () => {
    await push(file(12, 20));
    await ended(2);
    expect([...new Set(inline().map(({ place }) => place?.newLine))].sort()).toEqual([12, 20, 5]);
    expect(summaries()).toHaveLength(1);
    expect(summaries()[0]).toContain('Round 2');
    // A forge whose replies are comments of their own at the same place shows two threads there.
    const fixed = inline().filter(({ place }) => place?.newLine === 5);
    const replies = fixed.flatMap(({ remarks }) => remarks).filter(({ body }) => body.includes('The line that it is about is gone.'));
    expect(replies).toHaveLength(1);
    expect(fixed[0]?.resolved).toBe(weir.supports('thread.resolve'));
  });

  test(`${verifies('REV-26')} a reply in a thread is answered once`, async () => {
    const [thread] = inline().filter(({ place }) => place?.newLine === 12);
    const [root] = thread?.remarks ?? [];
    const before = said().length;
    forge.seed.reply(NAME, change, { to: root?.id ?? 0, body: 'Why does this matter?', by: 'alice' });
    await expect.poll(() => said().length, { timeout: 60_000, interval: 100 }).toBe(before + 1);
    // At the line that it is about, in that thread or, where a reply is a comment of its own, beside it.
    const remarks = inline().flatMap(({ place, remarks }) => (place?.newLine === 12 ? remarks : []));
    expect(remarks.filter(({ author }) => author.login === 'weir-bot')).toHaveLength(2);
  });

  test(`${verifies('REV-26')} a comment that stands in no thread asks nothing`, async () => {
    const before = said().length;
    const unasked = planted.server.log.filter(line => line.includes('"reason":"nothing_asked"')).length;
    forge.seed.comment(NAME, change, { body: 'Thanks, looks good.', by: 'alice' });
    await expect.poll(() => planted.server.log.filter(line => line.includes('"reason":"nothing_asked"')).length, { timeout: 60_000 }).toBeGreaterThan(unasked);
    expect(said()).toHaveLength(before);
  });

  test(`${verifies('REV-27')} /review runs again and posts nothing twice`, async () => {
    const before = inline().length;
    forge.seed.comment(NAME, change, { body: '/review', by: 'alice' });
    await ended(3);
    expect(inline()).toHaveLength(before);
    expect(summaries()).toHaveLength(1);
  });

  test(`${verifies('REV-7')} a close is noted, no work is left, and nothing is a dead letter`, async () => {
    await forge.seed.edit(NAME, change, { state: 'closed', by: 'alice' });
    await expect.poll(async () => (await weir.review(change))?.row.change?.state, { timeout: 20_000 }).toBe('closed');
    expect(await planted.server.server.world.bus.deadLetters.list({ limit: 10 })).toEqual([]);
    expect(forge.violations).toEqual([]);
  });
});
