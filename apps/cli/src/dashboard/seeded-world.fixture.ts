/** A deployment in memory with the stores and commands of the real one, for tests, pictures and benchmarks of the dashboard. */
import { CAPABILITIES, type ReviewCommand, type Verb, type VerbArguments, type VerbResult } from '@weir/contract';
import { createHttp } from '@weir/http';
import { createSecretBox, withNewKey } from '@weir/keyset';
import { accountSecretPlace, type ForgeAccount, type ForgePort, type RegisteredRepository, type SecretBox } from '@weir/ports';
import { createPglite } from '@weir/sql-pglite';
import { loadSettings } from '../composition/load-settings.ts';
import { embeddedStorage } from '../composition/open-storage.ts';
import { type OpenBus, openBus } from '../server/open-bus.ts';
import { operatorReviews } from '../server/operator-reviews.ts';
import { openReviewStores } from '../server/review-stores.ts';
import type { DashboardParts } from '../server/start-dashboard.ts';
import type { DashboardWorld } from './dashboard-world.ts';

export const ORIGIN = 'https://forge.example';
export const ACTOR = { id: '7', login: 'kim', kind: 'person' } as const;
export const idOfChange = (number: number): string => number.toString(16).padStart(32, '0');
const NO_DIFF = '';

export type SeededWorld = Seeded & DashboardWorld & DashboardParts;

interface Seeded {
  readonly bus: OpenBus;
  /** Unified diffs as the forge answers them, by the number of the change. */
  readonly diffs: Map<number, string>;
  run(command: ReviewCommand): Promise<void>;
  close(): Promise<void>;
}

/** A deployment with nothing in it. */
export async function emptyWorld(env: Readonly<Record<string, string>> = {}): Promise<SeededWorld> {
  const storage = await embeddedStorage(await createPglite({ dataFolder: null, onNotice: () => undefined }));
  const keyset = withNewKey(undefined, new Date());
  const box = createSecretBox(() => keyset);
  const settings = loadSettings({ flags: {}, env, secretFiles: {}, file: null, repository: null });
  const bus = openBus({ settings, database: storage.sql, onFailure: () => undefined });
  const stores = openReviewStores(storage.sql, box);
  const reviews = operatorReviews({ stores, sql: storage.sql, box });
  const http = createHttp({ allowOrigins: [] });
  const diffs = new Map<number, string>();
  return {
    ...{ storage, box, bus, http, diffs, stores, models: storage.models, deadLetters: bus.deadLetters, reviews, settings, now: Date.now },
    log: {
      bug: error => {
        throw error;
      },
    },
    providers: {
      forgeOf: async repository => {
        const account = await stores.registry.account(repository.account);
        if (account === undefined) throw new Error('The repository has no account.');
        return { port: forgeOf(diffs, async change => (await stores.views.get(idOfChange(change)))?.row.head ?? null), repository, account };
      },
    },
    run: async command => {
      const outcome = await reviews.execute(command);
      if (outcome.outcome !== 'accepted') throw new Error(`${command.type}: ${JSON.stringify(outcome)}`);
    },
    close: async () => {
      await bus.close();
      http.close();
      await storage.close();
    },
  };
}

/** A forge that answers what the diff of a change is, by the contract. */
function forgeOf(diffs: ReadonlyMap<number, string>, headOf: (change: number) => Promise<string | null>): ForgePort {
  const at = '2026-01-01T08:00:00.000Z';
  const branch = (name: string, commit: string | null) => ({ branch: name, commit, repository: null });
  const answers: Partial<Record<Verb, (change: number) => Promise<unknown>>> = {
    'change.get': async change => ({
      ...{ id: String(change), number: change, title: 'A change', body: '', url: `${ORIGIN}/${change}`, state: 'open', draft: false, author: ACTOR },
      ...{
        labels: [],
        head: branch('feature', await headOf(change)),
        base: branch('main', null),
        mergeBase: null,
        mergeable: null,
        createdAt: at,
        updatedAt: at,
      },
    }),
    'change.diff': async change => ({ diff: diffs.get(change) ?? NO_DIFF }),
  };
  return {
    ...{ forge: 'gitea', namesThreads: true },
    dialect: { fold: true, hidden_marker: true, suggestion: 'block', max_body: 65_536, task_list: true, multi_line: true, change_sign: '#' },
    supports: verb => answers[verb] !== undefined,
    ask: async <V extends Verb>(verb: V, args: VerbArguments<V>): Promise<VerbResult<V>> => {
      const { change } = args as { readonly change: number };
      return CAPABILITIES[verb].result.parse(await answers[verb]?.(change)) as VerbResult<V>;
    },
    forModel: async (_, value) => ({ text: '', value, dropped: 0 }),
  };
}

export async function seedAccount({ stores, box }: SeededWorld, account: Partial<ForgeAccount> & Pick<ForgeAccount, 'id'>): Promise<void> {
  await stores.registry.saveAccount({
    ...{ forge: 'gitea', origin: ORIGIN, baseUrl: ORIGIN, role: 'reviewer', identity: { ...ACTOR, login: 'weir' }, credential: { kind: 'token' } },
    ...{ sealedSecret: sealed(box, account.id), scopes: null, observedAt: 1, state: 'active', listedAuthors: [], allowedBots: [] },
    ...account,
  });
}

const sealed = (box: SecretBox, account: string): string => box.seal('a-token-of-the-account', accountSecretPlace(account));

/** With the hook that its forge delivers to. */
export async function seedRepository(
  { stores }: SeededWorld,
  { account, ...repository }: Partial<RegisteredRepository> & Pick<RegisteredRepository, 'id' | 'path' | 'account'>,
): Promise<void> {
  const hook = `hook-${repository.id}`;
  await stores.registry.saveHook({ id: hook, account, forge: 'gitea', origin: ORIGIN, sealedSecrets: [] });
  await stores.registry.saveRepository({
    ...{ account, factoryAccount: null, forge: 'gitea', origin: ORIGIN, repositoryId: null, reviewDrafts: false, observe: false, blockOn: null },
    ...{ showCost: false, deniedActors: [], grantedActors: [], hook, hookId: null, lastDeliveryAt: null },
    ...repository,
  });
}

/** One account, and the repository team/shop. */
export async function seededWorld(env: Readonly<Record<string, string>> = {}): Promise<SeededWorld> {
  const world = await emptyWorld(env);
  await seedAccount(world, { id: 'a1' });
  await seedRepository(world, { id: 'r1', account: 'a1', repositoryId: '12', path: { owner: 'team', name: 'shop' } });
  return world;
}
