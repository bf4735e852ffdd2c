/** What is registered, what needs a person, and what could not be processed: reads of the stores without any secret. */
import type { ApiAccount, ApiFirstRunStep, ApiInboxRow, ApiRepository } from '@weir/contract';
import type { ApiAnswer, ApiCall, DeadLetter, ForgeAccount, RegisteredRepository } from '@weir/ports';
import { type AttentionKind, attentionRows } from '@weir/review';
import { missingOf } from '../registration/scope-advice.ts';
import { readAttention } from '../server/attention-facts.ts';
import { callerOf, type DashboardWorld, isoOf, listAnswer, pageAnswer, type Paged } from './dashboard-world.ts';

/** Deliveries that a list reaches back to. */
const MAX_DELIVERIES = 1_000;

/** Where the cause of a row is mended or looked at. */
const LINKS: Readonly<Record<AttentionKind, (subject: string | null) => string>> = {
  no_default_model: () => '/models',
  model_not_priceable: () => '/models',
  cap_reached: () => '/spend',
  cap_unenforceable: () => '/spend',
  credential_rejected: () => '/accounts',
  credential_short_of_scopes: () => '/accounts',
  review_stuck: subject => `/reviews/${subject ?? ''}`,
  review_failed: subject => `/reviews/${subject ?? ''}`,
  dead_letters: () => '/dead-letters',
  unregistered_delivery: () => '/repositories',
  unpriced_calls: () => '/spend',
};

export function attentionWorld({ stores, models, deadLetters, settings }: DashboardWorld) {
  const { views, registry, acknowledgements } = stores;
  return { stores: { views, registry, acknowledgements, deadLetters, ...models }, settings };
}

export async function readInbox(world: DashboardWorld, call: ApiCall): Promise<ApiAnswer> {
  const tellsLimits = callerOf(call).role === 'admin';
  const items = attentionRows(await readAttention({ ...attentionWorld(world), tellsLimits })).map(
    ({ kind, subject, sentence, action, blocking, since, acknowledgeable }): ApiInboxRow => {
      const at = since === null ? null : new Date(since).toISOString();
      return { code: kind, subject, sentence, action, blocking, since: at, deadline: null, link: LINKS[kind](subject), acknowledgeable };
    },
  );
  return { body: { items } };
}

async function accountRow(account: ForgeAccount): Promise<ApiAccount> {
  const { id, forge, origin, role, identity, state, scopes, observedAt } = account;
  const advice = (await missingOf(account)).map(missing => `It lacks ${missing}.`);
  return { id, forge, origin, role, login: identity.login, state, scopes: scopes === null ? null : [...scopes], observedAt: isoOf(observedAt), advice };
}

export const listAccounts = async ({ stores }: DashboardWorld, { query }: ApiCall): Promise<ApiAnswer> =>
  listAnswer(await Promise.all((await stores.registry.accounts()).map(accountRow)), query as Paged);

/** What people did with findings is counted once acting on one is told apart from a finding that only went away. */
export const NO_SIGNAL = { absent: 'Not available: it is not recorded yet which findings people acted on.' } as const;

function repositoryRow(repository: RegisteredRepository, logins: ReadonlyMap<string, string>): ApiRepository {
  const { id, forge, origin, path, account, factoryAccount, lastDeliveryAt, observe, reviewDrafts, blockOn, showCost } = repository;
  const name = `${path.owner}/${path.name}`;
  return {
    ...{ id, forge, path: name, url: `${origin}/${name}`, observe, reviewDrafts, blockOn, showCost, signal: NO_SIGNAL },
    reviewer: logins.get(account) ?? account,
    factory: factoryAccount === null ? null : (logins.get(factoryAccount) ?? factoryAccount),
    webhookSeenAt: lastDeliveryAt === null ? null : isoOf(lastDeliveryAt),
  };
}

export async function listRepositories({ stores }: DashboardWorld, { query }: ApiCall): Promise<ApiAnswer> {
  const logins = new Map((await stores.registry.accounts()).map(({ id, identity }) => [id, identity.login]));
  return listAnswer(
    (await stores.registry.repositories()).map(repository => repositoryRow(repository, logins)),
    query as Paged,
  );
}

export const listDeliveries = async ({ stores }: DashboardWorld, { query }: ApiCall): Promise<ApiAnswer> =>
  listAnswer(
    (await stores.deliveries.list(MAX_DELIVERIES)).map(({ id, registration, arrivedAt, problem }) => ({
      ...{ id, registration, problem, arrivedAt: isoOf(arrivedAt) },
    })),
    query as Paged,
  );

/** Of the envelope the type alone: its data can quote source. */
const letterRow = ({ id, origin, group, key, envelope, attempts, failure, diedAt }: DeadLetter) => ({
  ...{ id, origin, group, key, attempts, failure, type: envelope.type, diedAt: isoOf(diedAt) },
});

export async function listDeadLetters({ deadLetters }: DashboardWorld, { query }: ApiCall): Promise<ApiAnswer> {
  const { cursor, limit } = query as Paged;
  const letters = await deadLetters.list({ limit: limit + 1, ...(cursor === undefined ? {} : { before: cursor }) });
  const page = letters.slice(0, limit);
  return pageAnswer(page.map(letterRow), letters.length > limit ? (page.at(-1)?.id ?? null) : null);
}

type Step = Omit<ApiFirstRunStep, 'done'>;
const step = (observed: string | null, rest: Omit<Step, 'observed'>): ApiFirstRunStep => ({ ...rest, observed, done: observed !== null });

function latest(repositories: readonly RegisteredRepository[]): RegisteredRepository | undefined {
  return [...repositories].sort((left, right) => (right.lastDeliveryAt ?? 0) - (left.lastDeliveryAt ?? 0))[0];
}

/** Each step is done by what was seen of it: who the forge says it is, a signed delivery that arrived, a model that has a route and a price. */
export async function readFirstRun({ stores, models, settings }: DashboardWorld): Promise<ApiAnswer> {
  const account = (await stores.registry.accounts()).find(({ state }) => state === 'active');
  const repositories = await stores.registry.repositories();
  const seen = latest(repositories);
  const name = settings.get<string | null>('model.name');
  const priced = (await models.config.rows()).models.find(model => name !== null && model.price !== null && name.endsWith(model.name));
  const pathOf = ({ path }: RegisteredRepository): string => `${path.owner}/${path.name}`;
  const arrived = seen === undefined || seen.lastDeliveryAt === null ? null : `A signed delivery of ${pathOf(seen)} arrived at ${isoOf(seen.lastDeliveryAt)}.`;
  const steps = [
    step(account === undefined ? null : `${account.origin} says that it is ${account.identity.login}.`, {
      ...{ key: 'account', title: 'An account at a forge', next: 'Give Weir an account that reads and comments.', command: 'weir account add <forge>' },
    }),
    step(seen === undefined ? null : `${pathOf(seen)} is registered.`, {
      ...{ key: 'repository', title: 'A repository', next: 'Register a repository and its webhook.', command: 'weir repo add <url>' },
    }),
    step(arrived, { key: 'webhook', title: 'A delivery', next: 'Open a pull request, or send a test delivery from the forge.', command: null }),
    step(priced === undefined ? null : `${name ?? ''} has a route and a price.`, {
      ...{
        key: 'model',
        title: 'A model',
        next: 'Add a model with its price, and name it in model.name.',
        command: 'weir models add <model> --provider <name>',
      },
    }),
  ];
  return { body: { steps } };
}
