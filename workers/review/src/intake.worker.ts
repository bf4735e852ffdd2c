/**
 * A delivery becomes a command of its review: what the delivery leaves out is read from the forge by the repository's account, and the
 * policy decides (REV-5, REV-7 to REV-9). Running it twice reads twice and gives the same command.
 */
import type { Actor, IntegrationEvent, ReviewCommand, ReviewCoordinates, ThreadRef, Verb, VerbArguments, VerbResult } from '@weir/contract';
import { AppError } from '@weir/kernel';
import type { ArtifactStore, ForgeAccount, RegisteredRepository, ReviewRegistry, ReviewViews } from '@weir/ports';
import {
  findingOfThread,
  type Hash,
  intake,
  type IntakeFacts,
  intakeNeeds,
  type Permission,
  readCommand,
  reviewIdOf,
  type ReviewListRow,
  type ReviewPage,
} from '@weir/review';
import { cardOf } from './change-card.ts';
import type { StageForge } from './stage.ts';
import { type Budget, withinBudget } from './within-budget.ts';

/** For one call of a forge (REV-20). */
const FORGE_CALL_MS = 10_000;

/** An integration event with what the ingress adds to it. */
export interface AcceptedEvent {
  readonly forge: string;
  readonly origin: string;
  readonly event: IntegrationEvent;
}

/** Why a delivery asks for nothing, for a counter. */
export type IntakeDrop = 'unknown_repository' | 'no_change' | 'own_comment' | 'nothing_asked';

export type IntakeAnswer = { readonly command: ReviewCommand } | { readonly dropped: IntakeDrop };

export interface IntakeParts {
  readonly registry: Pick<ReviewRegistry, 'findRepository' | 'accounts'>;
  /** Fresh credentials with every call. Throws AppError for an account that cannot be used. */
  readonly forge: (repository: RegisteredRepository) => Promise<StageForge>;
  readonly views: Pick<ReviewViews<ReviewListRow, ReviewPage>, 'get'>;
  /** For what a person wrote to a command. */
  readonly artifacts: Pick<ArtifactStore, 'put'>;
  readonly hash: Hash;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly sleep: Budget['sleep'];
}

type OfChange = Extract<IntegrationEvent, { change: unknown }>;

/** The review that an event is about; undefined for one that is about no change. */
export function reviewOfEvent(event: IntegrationEvent, { forge, origin, repositoryId, path }: RegisteredRepository, hash: Hash) {
  if (!('change' in event)) return undefined;
  const coordinates: ReviewCoordinates = { forge, origin, repositoryId, repository: path, change: event.change.number };
  return { coordinates, reviewId: reviewIdOf(coordinates, hash) };
}

/** Throws AppError for what the forge or the store refuses, so that the bus delivers again. */
export async function intakeEvent(parts: IntakeParts, accepted: AcceptedEvent, signal: AbortSignal): Promise<IntakeAnswer> {
  const gathered = await gather(parts, accepted, signal);
  if ('dropped' in gathered) return gathered;
  const { event, facts } = gathered;
  const answer = intake(event, { ...facts, ...(await measure(parts, gathered, accepted, signal)) });
  if (answer === null) return { dropped: 'nothing_asked' };
  // Before the command that names it (REV-39).
  if (answer.keep !== null) await parts.artifacts.put({ ...answer.keep, reviewId: facts.reviewId, expiresAt: null });
  return { command: answer.command };
}

interface Gathered {
  /** With the thread that it stands in. */
  readonly event: IntegrationEvent;
  readonly registration: Registration;
  readonly facts: IntakeFacts;
  readonly forge: StageForge;
  readonly ask: Ask;
}

/** A verb of the forge within the budget of one call. */
type Ask = <V extends Verb>(verb: V, args: VerbArguments<V>) => Promise<VerbResult<V>>;

const asking =
  ({ port }: StageForge, sleep: Budget['sleep'], signal: AbortSignal): Ask =>
  (verb, args) =>
    withinBudget({ sleep, milliseconds: FORGE_CALL_MS, what: `the answer to ${verb}` }, signal, within => port.ask(verb, args, within));

async function gather(parts: IntakeParts, accepted: AcceptedEvent, signal: AbortSignal): Promise<Gathered | { readonly dropped: IntakeDrop }> {
  const delivered = accepted.event;
  const { views, hash, now } = parts;
  const registration = await registrationOf(parts, accepted);
  const { repository, accounts } = registration;
  if (repository === undefined) return { dropped: 'unknown_repository' };
  const review = reviewOfEvent(delivered, repository, hash);
  if (review === undefined || !('change' in delivered) || SILENT.has(delivered.type)) return { dropped: 'no_change' };
  const ownAccounts = accounts.map(({ identity }) => identity.id);
  if (isOwnRemark(delivered, ownAccounts)) return { dropped: 'own_comment' };
  const forge = await parts.forge(repository);
  const ask = asking(forge, parts.sleep, signal);
  const on = { repository: repository.path, change: delivered.change.number };
  const change = await ask('change.get', on);
  const head = change.head.commit;
  if (head === null) return { dropped: 'no_change' };
  const stored = await views.get(review.reviewId);
  const event = await placed(delivered, stored?.row, forge, ask);
  const facts: IntakeFacts = {
    ...review,
    at: new Date(now()).toISOString(),
    change: cardOf(change),
    head,
    registration: { ownAccounts, factoryAccount: factoryOf(accounts, repository), ...rulesOf(forge) },
    seen: stored !== undefined,
    archived: stored?.row.archived ?? false,
    finding: stored !== undefined && 'thread' in event ? findingOfThread({ ledger: stored.row.ledger }, event.thread) : null,
    thread: null,
    authority: { denied: repository.deniedActors, granted: repository.grantedActors, measured: null },
  };
  return { event, registration, facts, forge, ask };
}

/**
 * Where deliveries name no thread, the forge is asked which one the comment stands in; one that stands in none is a comment on the change.
 * Nothing is asked before a finding of Weir's has a thread.
 */
async function placed(event: OfChange, row: ReviewListRow | undefined, { port, repository }: StageForge, ask: Ask): Promise<OfChange> {
  if (event.type !== 'comment.created' || port.namesThreads || !port.supports('thread.list')) return event;
  if (!Object.values(row?.ledger.rows ?? {}).some(({ thread }) => thread !== null)) return event;
  const { threads } = await ask('thread.list', { repository: repository.path, change: event.change.number });
  const thread = threads.find(({ comments }) => comments.some(({ id }) => id === event.comment.id));
  if (thread === undefined) return event;
  const { id, root, path } = thread.ref;
  return { ...event, type: 'thread.commented', thread: { id, root, path } };
}

/** What decides in whose name, and by which lists, a comment is answered. */
interface Registration {
  readonly repository: RegisteredRepository | undefined;
  /** Weir's accounts at the forge. */
  readonly accounts: readonly ForgeAccount[];
}

async function registrationOf({ registry }: IntakeParts, { forge, origin, event }: AcceptedEvent): Promise<Registration> {
  const accounts = (await registry.accounts()).filter(account => account.forge === forge && account.origin === origin);
  return { repository: await registry.findRepository({ forge, origin, ...placeOf(event) }), accounts };
}

/** Each delivery writes its moment, which is no change. */
const comparable = ({ repository, accounts }: Registration): string => JSON.stringify([{ ...repository, lastDeliveryAt: null }, accounts]);
const sameRegistration = (one: Registration, other: Registration): boolean => comparable(one) === comparable(other);

const factoryOf = (accounts: readonly ForgeAccount[], { factoryAccount }: RegisteredRepository): string | null =>
  accounts.find(({ id }) => id === factoryAccount)?.identity.id ?? null;

/** What only some comments take: the actor's permission, measured for this event alone (REV-27), and the reference of a thread. */
async function measure(
  parts: IntakeParts,
  gathered: Gathered,
  accepted: AcceptedEvent,
  signal: AbortSignal,
): Promise<Pick<IntakeFacts, 'authority' | 'thread'>> {
  const { event, facts } = gathered;
  const needs = intakeNeeds(event, facts);
  const { authority } = facts;
  const measured = async (actor: Actor): Promise<Permission | 'unknown'> => {
    const permission = await permissionOf(gathered, actor, signal);
    return sameRegistration(gathered.registration, await registrationOf(parts, accepted)) ? permission : 'unknown';
  };
  return {
    authority: needs.permission && 'actor' in event ? { ...authority, measured: await measured(event.actor) } : authority,
    thread: needs.thread && 'thread' in event ? await threadOf(gathered, event.thread) : null,
  };
}

/** Unknown where it cannot be measured now: unknown refuses. */
async function permissionOf({ ask, forge: { repository } }: Gathered, { id, login }: Actor, signal: AbortSignal): Promise<Permission | 'unknown'> {
  try {
    return (await ask('account.permission', { repository: repository.path, user: { id, login } })).permission;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof AppError) return 'unknown';
    throw error;
  }
}

type NamedThread = Extract<IntegrationEvent, { thread: unknown }>['thread'];

async function threadOf({ facts, forge, ask }: Gathered, { id, root }: NamedThread): Promise<ThreadRef | null> {
  const on = { repository: forge.repository.path, change: facts.change.number };
  const { threads } = await ask('thread.list', on);
  return threads.find(({ ref }) => ref.id === id || ref.root === root)?.ref ?? null;
}

/** Events of which no policy asks anything cost no call of the forge. */
const SILENT: ReadonlySet<IntegrationEvent['type']> = new Set([
  'change.labelled',
  'change.unlabelled',
  'comment.edited',
  'comment.deleted',
  'thread.edited',
  'thread.deleted',
  'review.submitted',
  'review.dismissed',
]);

/** Weir's own comments come back by the dozen; a command among them leaves a line (REV-8). */
const isOwnRemark = (event: OfChange, ownAccounts: readonly string[]): boolean =>
  'comment' in event && ownAccounts.includes(event.actor.id) && readCommand(event.comment.body) === null;

const placeOf = ({ repository: { id, owner, name } }: IntegrationEvent) => ({ repositoryId: id, path: { owner, name } });

const rulesOf = ({ repository: { reviewDrafts, observe }, account: { identity, listedAuthors, allowedBots } }: StageForge) => ({
  reviewer: identity,
  ...{ reviewDrafts, observe, listedAuthors, allowedBots },
});
