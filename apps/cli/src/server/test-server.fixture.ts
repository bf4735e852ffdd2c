/** A whole server in this process over a database in memory, for tests: every role, free ports, a model of its own routes. */
import { randomUUID } from 'node:crypto';
import type { Verb, VerbArguments, VerbResult } from '@weir/contract';
import { createSecretBox, withNewKey } from '@weir/keyset';
import { checkModel, providerFromPreset } from '@weir/model-routes';
import { accountSecretPlace, type ForgeAccount, hookSecretPlace, type RegisteredRepository, type ReviewViews, type SecretBox } from '@weir/ports';
import type { ReviewListRow, ReviewPage } from '@weir/review';
import { createPglite } from '@weir/sql-pglite';
import { embeddedStorage, type Storage } from '../composition/open-storage.ts';
import { openServer, type Server } from './open-server.ts';
import { ROLES } from './roles.ts';
import { createServerLog } from './server-log.ts';

export interface TestServerSettings {
  /** Root of a chat endpoint, whose model is called `scripted`; null for none. */
  readonly modelUrl: string | null;
  /** Origins on this machine that the server may call. */
  readonly allowOrigins: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly storage?: Storage;
  /** A free one when left out. */
  readonly dashboardPort?: number;
}

export interface TestServer {
  readonly server: Server;
  readonly hooks: string;
  /** Lines of the log, as they were written. */
  readonly log: readonly string[];
  register(forge: RegisteredForge): Promise<Registered>;
  close(): Promise<void>;
}

/** A forge that runs, and who reviews there. */
export interface RegisteredForge {
  readonly kind: string;
  /** Where its pages and its API are. */
  readonly url: string;
  readonly token: string;
  readonly repository: { readonly owner: string; readonly name: string };
  readonly rules?: Partial<Pick<RegisteredRepository, 'observe' | 'reviewDrafts' | 'blockOn' | 'showCost'>>;
}

export interface Registered {
  readonly hookUrl: string;
  readonly hookSecret: string;
  /** Asks as Weir's account. */
  ask<V extends Verb>(verb: V, args: VerbArguments<V>): Promise<VerbResult<V>>;
  supports(verb: Verb): boolean;
  /** The only review of that change, as the views have it; undefined before any. */
  review(change: number): Promise<{ readonly row: ReviewListRow; readonly page: ReviewPage } | undefined>;
}

export async function startTestServer({ modelUrl, allowOrigins, env = {}, storage: given, dashboardPort = 0 }: TestServerSettings): Promise<TestServer> {
  const storage = given ?? (await embeddedStorage(await createPglite({ dataFolder: null, onNotice: () => undefined })));
  const keyset = withNewKey(undefined, new Date());
  const box = createSecretBox(() => keyset);
  const log: string[] = [];
  const sources = {
    flags: {},
    env: { WEIR_ALLOW_ORIGINS: allowOrigins.join(','), ...(modelUrl === null ? {} : { WEIR_MODEL: 'scripted' }), ...env },
    secretFiles: {},
    file: null,
    repository: null,
  };
  if (modelUrl !== null) await addModel(storage, modelUrl);
  const server = await openServer({
    ...{ storage, box, sources },
    embedded: given === undefined,
    roles: new Set(ROLES),
    host: '127.0.0.1',
    hooksPort: 0,
    gatewayPort: 0,
    dashboardPort,
    log: createServerLog(false, text => void log.push(text)),
  });
  return {
    ...{ server, log },
    hooks: server.hooks ?? '',
    register: forge => register(server, box, forge),
    close: async () => {
      await server.close();
      await storage.close();
    },
  };
}

async function addModel({ models }: Storage, baseUrl: string): Promise<void> {
  const provider = providerFromPreset('vllm', { name: 'scripted', baseUrl, auth: { scheme: 'none' } });
  const model = checkModel({ modelProvider: 'scripted', name: 'scripted', upstreamModel: 'scripted', price: { mode: 'unmetered' } });
  if (!provider.ok || !model.ok) throw new Error('The row of the scripted model does not fit.');
  await models.config.saveProvider(provider.row);
  await models.config.saveModel(model.row);
}

const HOOK_SECRET = 'the secret that this hook signs with';

/** As `weir account add` and `weir repo add` do: who the account is, what the repository is, a hook that the forge keeps. */
async function register({ world, hooks }: Server, box: SecretBox, forge: RegisteredForge): Promise<Registered> {
  const { registry, views } = world.stores;
  const account = accountOf(forge, box);
  await registry.saveAccount(account);
  const hookId = randomUUID();
  await registry.saveHook({
    ...{ id: hookId, account: account.id, forge: forge.kind, origin: forge.url },
    sealedSecrets: [box.seal(HOOK_SECRET, hookSecretPlace(hookId, 0))],
  });
  const registered = repositoryOf(forge, { account: account.id, hook: hookId });
  const { port } = await world.providers.forgeOf(registered);
  const signal = new AbortController().signal;
  const ask: Registered['ask'] = (verb, args) => port.ask(verb, args, signal);
  await registry.saveAccount({ ...account, identity: await ask('account.whoami', {}) });
  const { id } = await ask('repo.get', { repository: forge.repository });
  await registry.saveRepository({ ...registered, repositoryId: id });
  const hookUrl = `${hooks ?? ''}/hooks/${hookId}`;
  await ask('webhook.upsert', { repository: forge.repository, url: hookUrl, secret: HOOK_SECRET });
  return { hookUrl, hookSecret: HOOK_SECRET, ask, supports: verb => port.supports(verb), review: change => reviewOf(views, forge, change) };
}

/** Who it is comes from the forge. */
const UNKNOWN_IDENTITY = { id: 'unknown', login: 'unknown', kind: 'unknown' } as const;

function accountOf({ kind, url, token }: RegisteredForge, box: SecretBox): ForgeAccount {
  const id = randomUUID();
  return {
    ...{ id, forge: kind, origin: url, baseUrl: url, role: 'reviewer', identity: UNKNOWN_IDENTITY, credential: { kind: 'token' } },
    sealedSecret: box.seal(token, accountSecretPlace(id)),
    ...{ scopes: null, observedAt: Date.now(), state: 'active', listedAuthors: [], allowedBots: [] },
  };
}

function repositoryOf({ kind, url, repository, rules }: RegisteredForge, bound: Pick<RegisteredRepository, 'account' | 'hook'>): RegisteredRepository {
  return {
    ...bound,
    ...{ id: randomUUID(), factoryAccount: null, forge: kind, origin: url, repositoryId: null, path: repository },
    ...{
      reviewDrafts: false,
      observe: false,
      blockOn: null,
      showCost: false,
      deniedActors: [],
      grantedActors: [],
      hookId: null,
      lastDeliveryAt: null,
      ...rules,
    },
  };
}

async function reviewOf(views: ReviewViews<ReviewListRow, ReviewPage>, { url, repository }: RegisteredForge, change: number): ReturnType<Registered['review']> {
  const { rows } = await views.list({ repository: `${repository.owner}/${repository.name}`, change }, { limit: 10, after: null });
  const row = rows.find(({ coordinates }) => coordinates?.origin === url);
  return row === undefined ? undefined : views.get(row.reviewId);
}
