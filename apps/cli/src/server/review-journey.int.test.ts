/** The whole path on simulated forges: a webhook in, one review out; a push, a reply, a command, a close. */
import { type Forge, type ForgeKind, startForge } from '@weir/forge-simulator';
import { verifies } from '@weir/requirements';
import { type ScriptedModel, startScriptedModel } from '@weir/scripted-model';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Registered, startTestServer, type TestServer } from './test-server.fixture.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const FORGES: readonly ForgeKind[] = ['github', 'gitlab', 'gitea', 'forgejo', 'bitbucket-cloud'];
const REPOSITORY = { owner: 'acme', name: 'shop' };
const NAME = 'acme/shop';

/** The scripted model reports the marked lines, and no others. */
const file = (...marked: readonly number[]): string =>
  Array.from({ length: 30 }, (_, at) =>
    marked.includes(at + 1) ? `const value${at + 1} = read(); // weir-plant: major correctness Value ${at + 1} is never checked` : `const value${at + 1} = ${at + 1};`,
  ).join('\n');

async function seeded(kind: ForgeKind): Promise<Forge> {
  const forge = await startForge({ kind });
  const { seed } = forge;
  seed.account({ login: 'acme', kind: 'organization' });
  for (const login of ['alice', 'weir-bot']) seed.account({ login });
  await seed.repository(REPOSITORY);
  seed.permit(NAME, 'alice', 'write');
  seed.permit(NAME, 'weir-bot', 'admin');
  await seed.push({ repository: NAME, branch: 'main', by: 'alice', files: { 'src/app.ts': file() } });
  return forge;
}

let model: ScriptedModel;
let server: TestServer;
const forges = new Map<ForgeKind, Forge>();

beforeAll(async () => {
  model = await startScriptedModel({});
  for (const kind of FORGES) forges.set(kind, await seeded(kind));
  server = await startTestServer({ modelUrl: model.baseUrl, allowOrigins: [model.origin, ...[...forges.values()].map(({ url }) => url)] });
});
afterAll(async () => {
  await server?.close();
  await Promise.all([...forges.values()].map(forge => forge.close()));
  await model.close();
});

describe.each(FORGES)('%s', kind => {
  let forge: Forge;
  let weir: Registered;
  let change = 0;

  const changed = () => forge.seed.changeOf(NAME, change);
  const status = async () => (await weir.review(change))?.row.status ?? null;
  const rounds = async () => (await weir.review(change))?.page.rounds.map(round => round.status) ?? [];
  const settle = (expected: readonly string[]) => expect.poll(rounds, { timeout: 60_000, interval: 100 }).toEqual(expected);
  const push = (text: string) => forge.seed.push({ repository: NAME, branch: 'feature', by: 'alice', files: { 'src/app.ts': text } });

  test(`${verifies('REV-5')} an opened change is reviewed once, whole, with one thread a finding`, async () => {
    forge = forges.get(kind) as Forge;
    weir = await server.register({ kind, url: forge.url, token: forge.token('weir-bot'), repository: REPOSITORY });
    await push(file(5, 12));
    change = (await forge.seed.change({ repository: NAME, head: 'feature', title: 'Read values', by: 'alice' })).number;
    await settle(['completed']);
    expect(changed().threads.filter(({ place }) => place !== null)).toHaveLength(2);
    expect(forge.violations).toEqual([]);
  });

  test(`${verifies('REV-10')} a delivery that comes again changes nothing`, async () => {
    const before = changed().threads.length;
    await forge.settled();
    for (const { id } of forge.deliveries) forge.redeliver(id);
    await forge.settled();
    await new Promise(resolve => setTimeout(resolve, 300));
    expect(await rounds()).toEqual(['completed']);
    expect(changed().threads).toHaveLength(before);
  });

  test(`${verifies('REV-21')} a push is a follow-up round: what is fixed is closed, what is new is posted`, async () => {
    await push(file(12, 20));
    await settle(['completed', 'completed']);
    expect(await status()).toBe('completed');
  });

  test(`${verifies('REV-27')} /review runs again; ${verifies('REV-7')} a close ends it`, async () => {
    forge.seed.comment(NAME, change, { body: '/review', by: 'alice' });
    await settle(['completed', 'completed', 'completed']);
    await forge.seed.edit(NAME, change, { state: 'closed', by: 'alice' });
    await expect.poll(async () => (await weir.review(change))?.row.change?.state, { timeout: 20_000 }).toBe('closed');
    expect(forge.violations).toEqual([]);
  });
});
