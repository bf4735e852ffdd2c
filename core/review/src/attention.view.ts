/**
 * The inbox (REV-33): derived from how things stand, never from events. A row is there while its cause is, so that nobody has to
 * dismiss what was mended.
 */
import { type RefusalAttention, REVIEW_REFUSALS, type ReviewRefusalCode, ROUND_STATUSES } from '@weir/contract';
import type { ReviewListRow } from './review-list.view.ts';

export type AttentionKind =
  | RefusalAttention
  | 'cap_unenforceable'
  | 'review_stuck'
  | 'review_failed'
  | 'dead_letters'
  | 'unregistered_delivery'
  | 'credential_short_of_scopes'
  | 'unpriced_calls';

export interface AttentionRow {
  readonly kind: AttentionKind;
  /** What it is about; with the kind the row's identity. Null for the deployment. */
  readonly subject: string | null;
  readonly sentence: string;
  /** What a person does next. */
  readonly action: string;
  /** Work stands still until it is mended. */
  readonly blocking: boolean;
  readonly since: string | null;
  /** It has happened and nothing can be mended any more, so that who knows of it may say so. Every other row goes with its cause alone. */
  readonly acknowledgeable: boolean;
}

/** How things stand in the deployment, as its stores say now. */
export interface AttentionFacts {
  readonly reviews: readonly ReviewListRow[];
  /** A status that began before this moment, in the form of the events, is stuck. */
  readonly stuckBefore: string;
  readonly defaultModel: boolean;
  readonly unpriceableModels: readonly string[];
  /** What was measured against each limit that is reached. */
  readonly capsReached: readonly string[];
  readonly ledgerReadable: boolean;
  readonly deadLetters: number;
  readonly unregistered: readonly { readonly repository: string; readonly at: string }[];
  readonly rejectedCredentials: readonly { readonly credential: string; readonly at: string }[];
  readonly shortCredentials: readonly { readonly credential: string; readonly missing: string; readonly at: string }[];
  readonly unpricedCalls: number;
  /** When the newest of them was made; null without one. */
  readonly unpricedSince: string | null;
  readonly acknowledged: readonly Acknowledged[];
}

/** What a person knows of: a cause after `until` brings the row back. */
export interface Acknowledged {
  readonly kind: string;
  readonly subject: string | null;
  readonly until: string;
}

const ACKNOWLEDGEABLE: ReadonlySet<AttentionKind> = new Set(['unregistered_delivery', 'unpriced_calls']);

const row = (kind: AttentionKind, subject: string | null, sentence: string, action: string, rest: Partial<AttentionRow> = {}): AttentionRow => ({
  kind,
  subject,
  sentence,
  action,
  blocking: rest.blocking ?? false,
  since: rest.since ?? null,
  acknowledgeable: ACKNOWLEDGEABLE.has(kind),
});

function ofReviews({ reviews, stuckBefore }: AttentionFacts): readonly AttentionRow[] {
  return reviews
    .filter(review => !review.archived && review.status !== null)
    .flatMap(({ reviewId, status, since, code, round }) => {
      if (status === 'failed')
        return [row('review_failed', reviewId, `Round ${round} failed with ${code}.`, 'Mend the cause, then run the round again.', { since })];
      if (status === null || ROUND_STATUSES[status].terminal || since >= stuckBefore) return [];
      return [
        row(
          'review_stuck',
          reviewId,
          `Round ${round} has been ${ROUND_STATUSES[status].label} since ${since}.`,
          'Look at the dead letters and the workers, or run it again.',
          { since },
        ),
      ];
    });
}

function ofModels({ defaultModel, unpriceableModels, capsReached, ledgerReadable, unpricedCalls, unpricedSince }: AttentionFacts): readonly AttentionRow[] {
  return [
    ...(defaultModel
      ? []
      : [row('no_default_model', null, 'No model is configured, so that no review can be generated.', 'Choose a model.', { blocking: true })]),
    ...unpriceableModels.map(model =>
      row('model_not_priceable', model, `${model} has neither rates nor the word unmetered.`, 'Give its rates.', { blocking: true }),
    ),
    ...capsReached.map(measured => row('cap_reached', measured, `A limit is reached: ${measured}.`, 'Wait, or raise the limit.', { blocking: true })),
    ...(ledgerReadable ? [] : [row('cap_unenforceable', null, 'The ledger cannot be read, so that no limit holds.', 'Check the database.')]),
    ...(unpricedCalls === 0
      ? []
      : [
          row(
            'unpriced_calls',
            null,
            `${unpricedCalls === 1 ? '1 call has' : `${unpricedCalls} calls have`} no known price.`,
            'Give the rates of their models.',
            { since: unpricedSince },
          ),
        ]),
  ];
}

function ofEdges({ deadLetters, unregistered, rejectedCredentials, shortCredentials }: AttentionFacts): readonly AttentionRow[] {
  return [
    ...(deadLetters === 0
      ? []
      : [
          row(
            'dead_letters',
            null,
            `${deadLetters === 1 ? '1 message' : `${deadLetters} messages`} could not be processed.`,
            'Read them, mend the cause, replay them.',
          ),
        ]),
    ...unregistered.map(({ repository, at }) =>
      row('unregistered_delivery', repository, `${repository} sends deliveries and is not registered.`, 'Register it.', { since: at }),
    ),
    ...rejectedCredentials.map(({ credential, at }) =>
      row('credential_rejected', credential, `${credential} was rejected.`, 'Replace it.', { blocking: true, since: at }),
    ),
    ...shortCredentials.map(({ credential, missing, at }) =>
      row('credential_short_of_scopes', credential, `${credential} lacks ${missing}.`, 'Give it the scope, if what needs it is wanted.', { since: at }),
    ),
  ];
}

const isBefore = (since: string | null, until: string): boolean => since !== null && since <= until;

/** Blocking rows first; else in the order of the facts. */
export function attentionRows(facts: AttentionFacts): readonly AttentionRow[] {
  const isKnown = (shown: AttentionRow): boolean =>
    shown.acknowledgeable &&
    facts.acknowledged.some(({ kind, subject, until }) => kind === shown.kind && subject === shown.subject && isBefore(shown.since, until));
  const rows = [...ofModels(facts), ...ofReviews(facts), ...ofEdges(facts)].filter(one => !isKnown(one));
  return [...rows.filter(({ blocking }) => blocking), ...rows.filter(({ blocking }) => !blocking)];
}

/** The kind of row that a refusal points at; the row itself is there while its cause is. */
export const attentionOf = (code: ReviewRefusalCode): RefusalAttention | null => REVIEW_REFUSALS[code].attention;
