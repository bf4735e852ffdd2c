/** One round of a change on its forge: earlier rounds from what stands there, a request as a delivery would make it, and the round. */
import { createEnvelopes } from '@weir/belt';
import { type Change, type IntegrationEvent, REVIEW_REFUSALS, type ReviewCommand, type ReviewRefusalCode, type ReviewReport } from '@weir/contract';
import { AppError } from '@weir/kernel';
import { adoptReview, type AdoptedReview, intakeEvent, readRoundContent, reviewOfEvent, type StageForge, type StageParts } from '@weir/review-workers';
import type { LoadedSettings } from '../composition/load-settings.ts';
import type { ConfiguredModel } from '../composition/open-model.ts';
import { UPCASTS } from '../server/review-upcasts.ts';
import { WEIR_VERSION } from '../version.ts';
import { openReport, standingReport } from './open-report.ts';
import { type PassingReview, passingReview } from './passing-review.ts';
import { postedLine } from './posted-line.ts';
import { passingParts, roundWorkers } from './round-workers.ts';
import { type RoundEnd, type RoundOutcome, runRound } from './run-round.ts';

export interface OneRound {
  readonly forge: StageForge;
  readonly change: Change;
  /** Address of the change's page. */
  readonly url: string;
  /** With what the target branch narrows. */
  readonly settings: LoadedSettings;
  readonly model: ConfiguredModel | null;
  /** Another round of a head that has had one. */
  readonly force: boolean;
  readonly onStep: (sentence: string) => void;
}

export interface RoundShown {
  readonly report: ReviewReport;
  /** What stands on the forge after it, in one sentence. */
  readonly line: string;
}

/** Throws AppError: REVIEW_REFUSED for a rule's "no", and what the forge or the model refuses. */
export async function oneRound(given: OneRound, signal: AbortSignal): Promise<RoundShown> {
  const { forge, settings, model, onStep } = given;
  const review = passingReview();
  const parts = passingParts(forge, review);
  onStep('reading what stands on the forge');
  const adopted = await adopt(given, parts, signal);
  review.take(adopted.events);
  const command = await requestOf(given, parts, adopted, signal);
  const envelopes = createEnvelopes({ source: '/review', now: parts.now, upcasts: UPCASTS });
  const outcome = await runRound({ review, envelopes, onStep, sleep: parts.sleep, workers: roundWorkers(parts, settings, model) }, command, signal);
  if ('end' in outcome) return ended(outcome, { given, parts, review, adopted });
  if (outcome.refused !== 'already_reviewed') throw refusal(outcome.refused, '');
  const report = standingReport(given.change.head.commit, await rowOf(review, command.reviewId), adopted);
  return { report, line: `nothing is new on ${given.url}: the head has had its round` };
}

/** As a delivery tells it: what it leaves out is read from the forge. */
function eventOf({ forge: { repository, account }, change }: OneRound, isFollowUp: boolean): IntegrationEvent {
  const of = {
    repository: { id: repository.repositoryId, ...repository.path },
    actor: account.identity,
    change: { number: change.number, title: null, url: null, state: change.state, draft: null, author: null, head: null, base: null },
  };
  return isFollowUp ? { type: 'change.head_pushed', ...of, before: null } : { type: 'change.opened', ...of };
}

async function adopt(given: OneRound, parts: StageParts, signal: AbortSignal): Promise<AdoptedReview> {
  const { forge, change } = given;
  const review = reviewOfEvent(eventOf(given, false), forge.repository, parts.hash);
  if (review === undefined) throw new Error('The event of a change is about no change.');
  return adoptReview({ parts: { ...parts, weir: WEIR_VERSION }, forge, change, ...review }, signal);
}

/** The rules of a server's intake decide: drafts, a head that is not there. */
async function requestOf(given: OneRound, parts: StageParts, adopted: AdoptedReview, signal: AbortSignal): Promise<ReviewCommand> {
  const { forge, force } = given;
  const { repository, account } = forge;
  const registry = { findRepository: async () => repository, accounts: async () => [account] };
  const accepted = { forge: account.forge, origin: account.origin, event: eventOf(given, adopted.events.length > 0) };
  const answer = await intakeEvent({ ...parts, registry, forge: async () => forge }, accepted, signal);
  if ('dropped' in answer) throw new AppError('FORGE_NOT_FOUND', 'The forge names no head of the change: its branch is gone, or not there yet.');
  const { command } = answer;
  return (force || adopted.unfinished) && command.type === 'RequestRound' ? { ...command, cause: 'rerun', forced: true } : command;
}

async function rowOf({ views }: PassingReview, reviewId: string) {
  const stored = await views.get(reviewId);
  if (stored === undefined) throw new Error('The review of a round is not in memory.');
  return stored.row;
}

interface Around {
  readonly given: OneRound;
  readonly parts: StageParts;
  readonly review: PassingReview;
  readonly adopted: AdoptedReview;
}

type Ended = Extract<RoundOutcome, { readonly end: RoundEnd }>;

async function ended({ end, posted }: Ended, { given, parts, review, adopted }: Around): Promise<RoundShown> {
  if (end.type !== 'RoundCompleted' && end.type !== 'RoundObserved') throw unfinished(end);
  const stored = await review.views.get(end.reviewId);
  const contentId = stored?.page.rounds.at(-1)?.content ?? null;
  const content = contentId === null ? undefined : await readRoundContent(parts.artifacts, contentId);
  if (stored === undefined || content === undefined) throw new Error('A round that has ended has no content.');
  return { report: openReport(content, stored.row, adopted), line: postedLine(end, posted, given.url) };
}

/** Nothing more is posted of such a round. */
function unfinished(end: Exclude<RoundEnd, { readonly type: 'RoundCompleted' | 'RoundObserved' }>): AppError {
  switch (end.type) {
    case 'RoundFailed':
      return new AppError(end.failure, end.sentence);
    case 'RoundRefused':
      return refusal(end.code, end.measurement);
    case 'RoundCancelled':
      return refusal('change_not_open', '');
    case 'RoundSuperseded':
      return new AppError('REVIEW_REFUSED', `The change has moved on to ${end.by} while ${end.head} was read: that head's own run reviews it.`);
  }
}

const NEXT: Readonly<Partial<Record<ReviewRefusalCode, string>>> = {
  draft: 'Mark the change as ready, or give --drafts.',
  no_default_model: 'Set model.baseUrl and model.name (weir help models), or choose specialists that ask no model: --specialist.',
};

function refusal(code: ReviewRefusalCode, measurement: string): AppError {
  const next = NEXT[code];
  const { sentence } = REVIEW_REFUSALS[code];
  return new AppError('REVIEW_REFUSED', measurement === '' ? sentence : `${sentence} ${measurement}`, next === undefined ? {} : { next });
}
