/** How things stand in the deployment, as its stores say now: what the inbox is derived from (REV-33). */
import { ROUND_STATUSES } from '@weir/contract';
import { AppError } from '@weir/kernel';
import { readCapState } from '@weir/model-gateway';
import { type AttentionFacts, attentionRows, type ReviewListRow } from '@weir/review';
import { refOf } from '@weir/model-routes';
import type { LoadedSettings } from '../composition/load-settings.ts';
import type { OperatorStores } from '../gateway/operator-calls.ts';
import { readCaps } from '../gateway/read-caps.ts';
import { missingOf } from '../registration/scope-advice.ts';

/** Rows of each kind that are looked at. */
const MAX_ROWS = 200;
/** A stage that lasts longer than its attempts and their pauses do is stuck. */
const STUCK_AFTER_MS = 30 * 60_000;
const UNPRICED_SINCE_MS = 30 * 86_400_000;

export interface AttentionWorld {
  readonly stores: Pick<OperatorStores, 'views' | 'config' | 'registry' | 'credentials'> & {
    readonly ledger: Pick<OperatorStores['ledger'], 'sum' | 'filledAt' | 'calls'>;
    readonly acknowledgements: Pick<OperatorStores['acknowledgements'], 'list'>;
    readonly deadLetters: Pick<OperatorStores['deadLetters'], 'list'>;
  };
  readonly settings: LoadedSettings;
  /** Who reads it may know limits (REV-39a); the operator when left out. */
  readonly tellsLimits?: boolean;
}

const RUNNING = Object.entries(ROUND_STATUSES).flatMap(([status, { terminal }]) => (terminal ? [] : [status]));

async function reviewFacts({ stores }: AttentionWorld): Promise<Pick<AttentionFacts, 'reviews' | 'stuckBefore'>> {
  const stuckBefore = new Date(Date.now() - STUCK_AFTER_MS).toISOString();
  const failed = await stores.views.list({ status: ['failed'], archived: false }, { limit: MAX_ROWS, after: null });
  const stuck: readonly ReviewListRow[] = await stores.views.stuck(RUNNING, stuckBefore, MAX_ROWS);
  return { reviews: [...stuck, ...failed.rows], stuckBefore };
}

type ModelFacts = Pick<AttentionFacts, 'defaultModel' | 'unpriceableModels' | 'capsReached' | 'ledgerReadable' | 'unpricedCalls' | 'unpricedSince'>;

async function modelFacts({ stores, settings, tellsLimits = true }: AttentionWorld): Promise<ModelFacts> {
  const { decision, spend } = await readCapState({ ledger: stores.ledger, limits: readCaps(settings).spend, now: Date.now });
  const { models } = await stores.config.rows();
  const since = Date.now() - UNPRICED_SINCE_MS;
  const [newest] = await stores.ledger.calls({ since, unpriced: true }, { limit: 1, before: null });
  return {
    defaultModel: settings.get<string | null>('model.name') !== null,
    unpriceableModels: models.filter(({ price }) => price === null).map(refOf),
    capsReached: decision.allowed ? [] : [tellsLimits ? decision.operatorSentence : decision.sentence],
    ledgerReadable: spend !== 'unreadable',
    unpricedCalls: (await stores.ledger.sum({ since })).unpricedCalls,
    unpricedSince: newest?.[0] === undefined ? null : new Date(newest[0].at).toISOString(),
  };
}

type EdgeFacts = Pick<AttentionFacts, 'deadLetters' | 'unregistered' | 'rejectedCredentials' | 'shortCredentials'>;

async function edgeFacts({ stores }: AttentionWorld): Promise<EdgeFacts> {
  const accounts = await stores.registry.accounts();
  const credentials = await stores.credentials.list();
  const unregistered = await stores.registry.unregistered(MAX_ROWS);
  const at = (milliseconds: number | null): string => new Date(milliseconds ?? Date.now()).toISOString();
  return {
    deadLetters: (await stores.deadLetters.list({ limit: MAX_ROWS })).length,
    unregistered: unregistered.map(({ path, lastAt }) => ({ repository: `${path.owner}/${path.name}`, at: at(lastAt) })),
    rejectedCredentials: [
      ...accounts.filter(({ state }) => state === 'rejected').map(({ id, observedAt }) => ({ credential: `account ${id}`, at: at(observedAt) })),
      ...credentials.filter(({ state }) => state === 'rejected').map(({ ref, exhaustedAt }) => ({ credential: ref, at: at(exhaustedAt) })),
    ],
    shortCredentials: (await Promise.all(accounts.map(async account => ({ ...account, missing: await missingOf(account) })))).flatMap(
      ({ id, missing, observedAt }) => missing.map(scope => ({ credential: `account ${id}`, missing: scope, at: at(observedAt) })),
    ),
  };
}

export interface AcknowledgedRow {
  readonly kind: string;
  readonly subject: string | null;
  readonly by: string;
}

/**
 * Says that a person knows of a row, with the cause that it has now. Throws AppError NOT_FOUND where there is none, and COMMAND_REFUSED for
 * one whose cause can be mended.
 */
export async function acknowledge(
  world: AttentionWorld & { readonly stores: { readonly acknowledgements: Pick<OperatorStores['acknowledgements'], 'save'> } },
  { kind, subject, by }: AcknowledgedRow,
): Promise<void> {
  const row = attentionRows(await readAttention(world)).find(one => one.kind === kind && one.subject === subject);
  if (row === undefined) throw new AppError('NOT_FOUND', `Nothing of ${kind}${subject === null ? '' : ` (${subject})`} needs a person.`);
  if (!row.acknowledgeable || row.since === null) throw new AppError('COMMAND_REFUSED', 'This goes when its cause is mended.', { next: row.action });
  await world.stores.acknowledgements.save({ kind, subject, by, until: row.since, at: Date.now() });
}

/** Throws the failures of the stores. */
export async function readAttention(world: AttentionWorld): Promise<AttentionFacts> {
  const acknowledged = await world.stores.acknowledgements.list();
  return { ...(await reviewFacts(world)), ...(await modelFacts(world)), ...(await edgeFacts(world)), acknowledged };
}
