/** What an administrator does with the deployment: rules of a repository, deliveries and dead letters. None writes an event of a review by itself. */
import type { ApiInboxKey, ApiRepositoryRules } from '@weir/contract';
import { AppError } from '@weir/kernel';
import type { ApiAnswer, ApiCall } from '@weir/ports';
import { acknowledge } from '../server/attention-facts.ts';
import { callerOf, type DashboardWorld } from './dashboard-world.ts';
import { attentionWorld } from './deployment-reads.ts';

type Write = (world: DashboardWorld, call: ApiCall) => Promise<ApiAnswer>;

const idOf = ({ params }: ApiCall): string => (params as { readonly id: string }).id;
const gone = (what: string, list: string): AppError => new AppError('NOT_FOUND', `There is no such ${what}.`, { next: `Look at the list of ${list}.` });
const DONE: ApiAnswer = { body: { position: null } };

export const saveRepositoryRules: Write = async ({ stores }, call) => {
  const { observe, reviewDrafts, blockOn, showCost } = call.body as ApiRepositoryRules;
  const repository = (await stores.registry.repositories()).find(({ id }) => id === idOf(call));
  if (repository === undefined) throw gone('repository', 'repositories');
  await stores.registry.saveRepository({ ...repository, observe, reviewDrafts, blockOn, showCost });
  return DONE;
};

export const replayDelivery: Write = async ({ stores, reviews }, call) => {
  if ((await stores.deliveries.find(idOf(call))) === undefined) throw gone('delivery', 'deliveries');
  const { outcome, reason } = await reviews.redeliver(idOf(call));
  return { body: { position: null, outcome, reason } };
};

export const acknowledgeInboxRow: Write = async (world, call) => {
  const { code, subject } = call.body as ApiInboxKey;
  await acknowledge(attentionWorld(world), { kind: code, subject, by: callerOf(call).name });
  return DONE;
};

const letter =
  (verb: 'replay' | 'drop'): Write =>
  async ({ deadLetters }, call) => {
    if (!(await deadLetters[verb](idOf(call)))) throw gone('dead letter', 'dead letters');
    return DONE;
  };
export const replayDeadLetter = letter('replay');
export const dropDeadLetter = letter('drop');
