/** Each command of a comment (REV-27) on a change that was open before Weir came: what it starts, what it answers, what it leaves. */
import { openEnvelope } from '@weir/belt';
import type { ReviewEvent } from '@weir/contract';
import type { Forge, ForgeKind } from '@weir/forge-simulator';
import { timelineLine } from '@weir/review';
import { verifies } from '@weir/requirements';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { file, NAME, type PlantedForges, plantForges, REPOSITORY } from './planted-forges.fixture.ts';
import type { Registered } from './test-server.fixture.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const FORGES: readonly ForgeKind[] = ['github', 'gitlab', 'gitea', 'bitbucket-cloud'];
/** Their deliveries tell of a reply in a thread, and which thread it is. */
const NAMES_THREADS: ReadonlySet<ForgeKind> = new Set(['github', 'gitlab', 'bitbucket-cloud']);
let planted: PlantedForges;

beforeAll(async () => {
  planted = await plantForges(FORGES, { alice: 'write', bob: 'write', mallory: 'read', 'weir-bot': 'admin' }, async ({ seed }) => {
    await seed.push({ repository: NAME, branch: 'feature', by: 'alice', files: { 'src/app.ts': file(5, 12) } });
    await seed.change({ repository: NAME, head: 'feature', title: 'Read values', by: 'alice' });
  });
});
afterAll(() => planted?.close());

const CHANGE = 1;

describe.each(FORGES)('%s', kind => {
  let forge: Forge;
  let weir: Registered;

  const review = () => weir.review(CHANGE);
  const said = () => {
    const { threads, remarks } = forge.seed.changeOf(NAME, CHANGE);
    return [...threads.flatMap(({ remarks: inThread }) => inThread), ...remarks].filter(({ author }) => author.login === 'weir-bot').map(({ body }) => body);
  };
  const write = (body: string, by = 'bob') => void forge.seed.comment(NAME, CHANGE, { body, by });
  const eventually = <T>(read: () => Promise<T> | T) => expect.poll(read, { timeout: 60_000, interval: 100 });
  /** Sentences of the timeline. */
  const lines = async (): Promise<readonly string[]> => {
    const id = (await review())?.row.reviewId;
    if (id === undefined) return [];
    const events = await planted.server.server.world.stores.log.readStream(id, 0, 500);
    return events.map(({ envelope }) => timelineLine(openEnvelope<ReviewEvent>(envelope)).sentence);
  };
  const row = async (finding: string) => (await review())?.row.ledger.rows[finding];
  const inline = () =>
    forge.seed
      .changeOf(NAME, CHANGE)
      .threads.flatMap(({ place }) => (place === null ? [] : [place.newLine]))
      .sort();

  test(`${verifies('REV-26', 'REV-27')} before any round a mention asks for nothing, and a command about findings leaves a line`, async () => {
    forge = planted.forges.get(kind) as Forge;
    weir = await planted.server.register({ kind, url: forge.url, token: forge.token('weir-bot'), repository: REPOSITORY });
    write('@weir-bot what do you think?');
    write('/dismiss 1a it is meant');
    await eventually(lines).toEqual(['Nothing was started. No finding of this review has this id.']);
    expect((await review())?.row).toMatchObject({ status: null, coordinates: { repository: REPOSITORY, change: CHANGE }, change: { title: 'Read values' } });
    write('/finding src/app.ts:5 wrong');
    await eventually(async () => (await lines()).at(-1)).toBe('Nothing was started. No round of this review has posted findings yet.');
    expect(said()).toEqual([]);
  });

  test(`${verifies('REV-27')} who may not ask gets nothing, and the timeline says why`, async () => {
    write('/review', 'mallory');
    await eventually(async () => (await lines()).at(-1)).toBe('Nothing was started. The actor may not do this in the repository.');
    expect([said(), (await review())?.row.status]).toEqual([[], null]);
  });

  test(`${verifies('REV-27')} /help and /ask are answered, before any round too`, async () => {
    write('/help', 'mallory');
    await eventually(() => said().filter(body => body.includes('/dismiss <finding> <reason>')).length).toBe(1);
    write('/ask Is this safe?');
    await eventually(() => said().length).toBe(2);
    expect((await review())?.row.status).toBeNull();
  });

  test(`${verifies('REV-5', 'REV-27')} /review starts round 1`, async () => {
    write('/review');
    await eventually(async () => (await review())?.page.rounds.map(({ round, status, cause }) => [round, status, cause])).toEqual([
      [1, 'completed', 'command'],
    ]);
    expect(inline()).toEqual([12, 5]);
  });

  test(`${verifies('REV-27')} /describe writes a description, and rewrites it`, async () => {
    const before = said().length;
    write('/describe');
    await eventually(() => said().length).toBe(before + 1);
    write('/describe');
    await eventually(async () => (await review())?.page.answers.filter(({ kind: what, state }) => what === 'description' && state === 'posted').length).toBe(2);
    expect(said()).toHaveLength(before + 1);
  });

  test(`${verifies('REV-25', 'REV-27')} /finding adds one of a person's own, and /dismiss closes one`, async () => {
    write('/finding minor: src/app.ts:20-21 The name says nothing');
    await eventually(() => row('1c')).toMatchObject({ status: 'open', line: 20, endLine: 21, severity: 'minor', added: { by: { login: 'bob' } } });
    write('/dismiss 1a it is meant', 'alice');
    write('/dismiss 1b it is meant');
    await eventually(async () => (await row('1b'))?.status).toBe('dismissed');
    // The author of the change writes to the repository too.
    expect((await row('1a'))?.status).toBe('dismissed');
    write('/fix');
    await eventually(async () => (await lines()).at(-1)).toBe('Nothing was started. The command /fix is not available yet.');
  });

  test.runIf(NAMES_THREADS.has(kind))(`${verifies('REV-27')} in the thread of a finding /dismiss needs no id, and /ask is answered there`, async () => {
    const before = said().length;
    const thread = forge.seed.changeOf(NAME, CHANGE).threads.find(({ place }) => place?.newLine === 12);
    const root = thread?.remarks[0]?.id ?? 0;
    forge.seed.reply(NAME, CHANGE, { to: root, body: '/ask Why does this matter?', by: 'bob' });
    await eventually(() => said().length).toBe(before + 1);
    forge.seed.reply(NAME, CHANGE, { to: root, body: '/dismiss it is meant', by: 'bob' });
    await eventually(async () => (await lines()).at(-1)).toBe('Nothing was started. The finding is closed already.');
  });

  test(`${verifies('REV-25', 'REV-8')} the next round keeps what people did, posts nothing twice, and nothing is left over`, async () => {
    const before = inline().length;
    await forge.seed.push({ repository: NAME, branch: 'feature', by: 'alice', files: { 'src/app.ts': file(5, 12, 25) } });
    await eventually(async () => (await review())?.page.rounds.map(({ status }) => status)).toEqual(['completed', 'completed']);
    expect(inline().filter(line => line === 25)).toHaveLength(1);
    expect(inline().length).toBe(before + 1);
    expect([(await row('1a'))?.status, (await row('1b'))?.status]).toEqual(['dismissed', 'dismissed']);
    expect(await planted.server.server.world.bus.deadLetters.list({ limit: 10 })).toEqual([]);
    expect(forge.violations).toEqual([]);
  });
});
