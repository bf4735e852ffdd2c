/** One installation of Weir with a forge and a model, on which the rows of the crash matrix run one after the other, each on a change of its own. */
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Change, type Forge, startForge } from '@weir/forge-simulator';
import type { ReviewListRow, ReviewPage } from '@weir/review';
import { type ScriptedModel, startScriptedModel } from '@weir/scripted-model';
import { type Program, registerForge } from '@weir/test-infra';
import type { ScenarioName } from './crash-matrix.ts';
import { createWeir, type Weir } from './weir-program.fixture.ts';

/** A repository, and who reviews there. */
interface Place {
  readonly repository: string;
  readonly weir: string;
}
const SHOP: Place = { repository: 'acme/shop', weir: 'weir-bot' };
/** Its reviewer is an app. */
const CHECKED: Place = { repository: 'acme/checked', weir: 'weir-app[bot]' };
const PERSON = 'alice';
/** Long enough that a test can kill the server while a call is under way. */
const MODEL_LATENCY_MS = 150;
const PATIENCE_MS = 120_000;
const POLL_MS = 50;
/** No effect for so long: nothing is under way that the tests know of. */
const QUIET_MS = 400;
/** How long what a killed process held stays with it, where another process could have it. The embedded database is taken over at a start. */
const LEASE = { WEIR_SERVER_LEASE_SECONDS: '3' };

/** Lines with a mark are what the scripted model reports. */
const file = (marks: Readonly<Record<number, string>>): string =>
  Array.from({ length: 30 }, (_, at) => {
    const mark = marks[at + 1];
    return mark === undefined
      ? `const value${at + 1} = ${at + 1};`
      : `const value${at + 1} = read(); // ${mark} weir-plant: major correctness Value ${at + 1} is unchecked`;
  }).join('\n');

/** A forge, a model, and a Weir that reviews there. */
export interface Scene {
  readonly forge: Forge;
  readonly model: ScriptedModel;
  readonly weir: Pick<Weir, 'ask' | 'effects' | 'log'>;
}

export interface Lane extends Scene {
  readonly weir: Weir;
  close(): Promise<void>;
}

/** With a repository, and a person who writes there. */
export async function openForge(): Promise<Forge> {
  const forge = await startForge({ kind: 'github' });
  for (const login of ['acme', PERSON, SHOP.weir]) forge.seed.account({ login });
  await forge.seed.repository({ owner: 'acme', name: 'shop' });
  forge.seed.permit(SHOP.repository, PERSON, 'write');
  forge.seed.permit(SHOP.repository, SHOP.weir, 'admin');
  await forge.seed.push({ repository: SHOP.repository, branch: 'main', files: { 'src/app.ts': file({}) } });
  return forge;
}

/** Another repository, and an app that reviews there. */
async function registerApp(forge: Forge, { command, hooks }: Pick<Weir, 'command' | 'hooks'>): Promise<void> {
  await forge.seed.repository({ owner: 'acme', name: 'checked' });
  forge.seed.permit(CHECKED.repository, PERSON, 'write');
  await forge.seed.push({ repository: CHECKED.repository, branch: 'main', files: { 'src/app.ts': file({}) } });
  const { publicKey, privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2_048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  });
  const app = forge.seed.app({ slug: 'weir-app', publicKey, by: 'acme' });
  forge.seed.permit(CHECKED.repository, CHECKED.weir, 'admin');
  const folder = mkdtempSync(path.join(tmpdir(), 'weir-app-'));
  const key = path.join(folder, 'key.pem');
  writeFileSync(key, privateKey);
  const installed = ['--app-id', String(app.id), '--installation', String(app.installation), '--key-file', key];
  await command(['account', 'add', 'github', '--origin', forge.url, '--id', 'app', ...installed]);
  rmSync(folder, { recursive: true });
  await command(['repo', 'add', `${forge.url}/${CHECKED.repository}`, '--account', 'app', '--public-url', hooks]);
}

export const settingsFor = ({ forge, model }: Pick<Scene, 'forge' | 'model'>) => ({
  WEIR_MODEL: 'scripted',
  WEIR_ALLOW_ORIGINS: [forge.url, model.origin].join(','),
});

export const register = ({ forge, model }: Pick<Scene, 'forge' | 'model'>, weir: Pick<Weir, 'command' | 'hooks'>): Promise<void> =>
  registerForge(weir, { modelUrl: model.baseUrl, forge, token: forge.token(SHOP.weir), repository: SHOP.repository, hooks: weir.hooks });

export async function openLane(program: Program, database: string | null): Promise<Lane> {
  const forge = await openForge();
  const model = await startScriptedModel({ latencyMs: MODEL_LATENCY_MS });
  const env = { ...settingsFor({ forge, model }), ...(database === null ? {} : LEASE) };
  const weir = await createWeir({ program, database, env });
  await weir.start();
  await register({ forge, model }, weir);
  await registerApp(forge, weir);
  const close = async (): Promise<void> => {
    await weir.close();
    await Promise.all([forge.close(), model.close()]);
  };
  return { forge, model, weir, close };
}

/** A lane for whoever is next; a test that waits does not hold one. */
export function laneDesk(lanes: readonly Lane[]) {
  const free = [...lanes];
  const waiting: ((lane: Lane) => void)[] = [];
  return async (work: (lane: Lane) => Promise<void>): Promise<void> => {
    const lane = free.pop() ?? (await new Promise<Lane>(resolve => waiting.push(resolve)));
    try {
      await work(lane);
    } finally {
      const next = waiting.shift();
      if (next === undefined) free.push(lane);
      else next(lane);
    }
  };
}

export interface Scenario {
  readonly place: Place;
  /** Until everything is ready for the last step. */
  prepare(scene: Scene, branch: string): Promise<number | null>;
  /** The step under test. @returns number of the change. */
  act(scene: Scene, branch: string, change: number | null): Promise<number>;
  /** Rounds and answers that have come to their good end by then. */
  readonly rounds: number;
  readonly answers: number;
  /** Model calls of the step under test. */
  readonly calls: number;
  /** What then stands on the forge. */
  readonly right: ForgeEnd;
}

/** What a person sees on a change. */
export interface ForgeEnd {
  /** By line: who wrote, in order, and whether the thread is resolved. */
  readonly threads: readonly { readonly line: number; readonly by: readonly string[]; readonly resolved: boolean }[];
  /** Reviews and conversation comments by Weir. */
  readonly reviews: number;
  readonly summaries: number;
  /** Of each head that was reviewed: the checks that it shows. */
  readonly checks: readonly (readonly string[])[];
}

const push = async ({ forge }: Scene, branch: string, marks: Readonly<Record<number, string>>, { repository } = SHOP): Promise<void> =>
  void (await forge.seed.push({ repository, branch, by: PERSON, files: { 'src/app.ts': file(marks) } }));

/** The delivery of a push to a branch without a change asks for nothing, and is not what a row is about. */
const pushed =
  (place: Place) =>
  async (scene: Scene, branch: string): Promise<null> => {
    await push(scene, branch, { 5: 'one', 12: 'two' }, place);
    return null;
  };

const openChange =
  ({ repository }: Place) =>
  async ({ forge }: Scene, branch: string): Promise<number> =>
    (await forge.seed.change({ repository, head: branch, by: PERSON })).number;

async function reviewed(scene: Scene, branch: string): Promise<number> {
  await pushed(SHOP)(scene, branch);
  const change = await openChange(SHOP)(scene, branch);
  await untilDone(scene, change, { rounds: 1, answers: 0 });
  return change;
}

const CHECKS = ['weir/review'];
/** Of an app; else it is a status of the commit. */
const runOf = (name: string): string => `run of ${name}`;
const firstOf = (weir: string, checks: readonly string[]): ForgeEnd => ({
  threads: [5, 12].map(line => ({ line, by: [weir], resolved: false })),
  reviews: 1,
  summaries: 1,
  checks: [checks],
});
const WEIR = SHOP.weir;
const FIRST = firstOf(WEIR, CHECKS);

export const SCENARIOS: Readonly<Record<ScenarioName, Scenario>> = {
  first: { place: SHOP, prepare: pushed(SHOP), act: openChange(SHOP), rounds: 1, answers: 0, calls: 1, right: FIRST },
  'check-run': {
    ...{ place: CHECKED, prepare: pushed(CHECKED), act: openChange(CHECKED), rounds: 1, answers: 0, calls: 1 },
    right: firstOf(CHECKED.weir, [runOf('weir/review')]),
  },
  'follow-up': {
    place: SHOP,
    prepare: reviewed,
    async act(scene, branch, change) {
      await push(scene, branch, { 12: 'still', 20: 'three' });
      return change ?? 0;
    },
    rounds: 2,
    answers: 0,
    calls: 2,
    right: {
      threads: [
        { line: 5, by: [WEIR, WEIR], resolved: true },
        { line: 12, by: [WEIR, WEIR], resolved: false },
        { line: 20, by: [WEIR], resolved: false },
      ],
      reviews: 2,
      summaries: 1,
      checks: [CHECKS, CHECKS],
    },
  },
  question: {
    place: SHOP,
    prepare: reviewed,
    async act(scene, _branch, change) {
      const first = changeOf(scene, change ?? 0).threads[0]?.remarks[0]?.id ?? 0;
      scene.forge.seed.reply(SHOP.repository, change ?? 0, { to: first, body: 'Why does this matter?', by: PERSON });
      return change ?? 0;
    },
    rounds: 1,
    answers: 1,
    calls: 1,
    right: { ...FIRST, threads: [{ line: 5, by: [WEIR, PERSON, WEIR], resolved: false }, ...FIRST.threads.slice(1)] },
  },
};

const changeOf = ({ forge }: Scene, change: number, { repository } = SHOP): Change => forge.seed.changeOf(repository, change);

export function forgeEnd(scene: Scene, number: number, place = SHOP): ForgeEnd {
  const change = changeOf(scene, number, place);
  const { statuses, checks } = scene.forge.seed.find(place.repository);
  const shown = (sha: string): readonly string[] => [
    // A status has no id of its own: one more of the same name takes the place of the one before.
    ...new Set(statuses.flatMap(status => (status.sha === sha ? [status.context] : []))),
    ...checks.flatMap(check => (check.sha === sha ? [runOf(String(check.fields['name']))] : [])),
  ];
  return {
    threads: change.threads
      .map(({ place, remarks, resolved }) => ({ line: place?.newLine ?? 0, by: remarks.map(({ author }) => author.login), resolved }))
      .sort((one, other) => one.line - other.line),
    reviews: change.reviews.filter(({ author }) => author.login === place.weir).length,
    summaries: change.remarks.filter(({ author }) => author.login === place.weir).length,
    checks: change.heads.map(({ head }) => shown(head)),
  };
}

export interface ReviewEnd {
  readonly rounds: readonly string[];
  readonly answers: readonly string[];
}

export async function reviewEnd({ weir }: Scene, change: number, { repository } = SHOP): Promise<ReviewEnd> {
  const { rows } = await weir.ask<{ readonly rows: readonly ReviewListRow[] }>('views', 'list', [
    { repository, change },
    { limit: 10, after: null },
  ]);
  const row = rows[0];
  if (row === undefined) return { rounds: [], answers: [] };
  const { page } = await weir.ask<{ readonly page: ReviewPage }>('views', 'get', [row.reviewId]);
  return { rounds: page.rounds.map(({ status }) => status), answers: page.answers.map(({ state }) => state) };
}

/** Asks until it holds. Throws with the log of the server where it takes too long. */
export async function until(scene: Scene, what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + PATIENCE_MS;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`Waited in vain for ${what}.\n${scene.weir.effects().slice(-SHOWN).join(', ')}\n${scene.weir.log()}`);
    await new Promise(resolve => setTimeout(resolve, POLL_MS));
  }
}
const SHOWN = 12;

type Wanted = Pick<Scenario, 'rounds' | 'answers'> & { readonly place?: Place };

export async function untilDone(scene: Scene, change: number, { rounds, answers, place }: Wanted): Promise<void> {
  await until(scene, `${rounds} rounds and ${answers} answers of #${change}`, async () => {
    const end = await reviewEnd(scene, change, place);
    return end.rounds.filter(status => status === 'completed').length === rounds && end.answers.filter(state => state === 'posted').length === answers;
  });
  await untilQuiet(scene);
}

/** Nothing is delivered any more, and nothing is done. */
export async function untilQuiet(scene: Scene): Promise<void> {
  let [seen, since] = [-1, Date.now()];
  await until(scene, 'quiet', async () => {
    await scene.forge.settled();
    const count = scene.weir.effects().length;
    if (count !== seen) [seen, since] = [count, Date.now()];
    return Date.now() - since >= QUIET_MS;
  });
}

/** The forge, or a person there, sends again what had no good answer since that delivery. */
export async function redeliver({ forge }: Scene, since: number): Promise<void> {
  await forge.settled();
  for (const { id, status } of forge.deliveries.slice(since)) if (status === null || status < 200 || status > 299) forge.redeliver(id);
}
