/**
 * Every deliberate "no" of a review. A refusal is an answer, never a failure: it has a closed code, a sentence, a status of
 * HTTP for the surfaces, and a rule that says whether a person has to know.
 */
import { z } from 'zod';

/** Kinds of rows of the inbox that a refusal can raise (REV-33); the row lasts as long as its cause. */
export const REFUSAL_ATTENTION = ['no_default_model', 'model_not_priceable', 'cap_reached', 'credential_rejected'] as const;
export type RefusalAttention = (typeof REFUSAL_ATTENTION)[number];

interface RefusalRow {
  readonly sentence: string;
  /** Status code of the surfaces that speak HTTP. */
  readonly status: 403 | 404 | 409 | 429;
  /** Row that it raises in the inbox; null for none. */
  readonly attention: RefusalAttention | null;
  /** It leaves one line on the timeline of the review. Repeats of what is known already leave none. */
  readonly timeline: boolean;
}

const row = (status: RefusalRow['status'], sentence: string, rest: Partial<RefusalRow> = {}): RefusalRow => ({
  sentence,
  status,
  attention: rest.attention ?? null,
  timeline: rest.timeline ?? false,
});

export const REVIEW_REFUSALS = {
  unknown_review: row(404, 'There is no such review.'),
  already_reviewed: row(409, 'This head has had its round; force another one to read it again.'),
  in_flight: row(409, 'A round of this head is in flight.'),
  change_not_open: row(409, 'The change is closed or merged.', { timeline: true }),
  own_action: row(409, 'A comment or command by an account of Weir starts nothing.', { timeline: true }),
  bot_command: row(403, 'A command by another bot starts nothing.', { timeline: true }),
  author_not_listed: row(403, "The author is not on the account's list.", { timeline: true }),
  draft: row(409, 'The change is a draft; it is reviewed when it is ready.', { timeline: true }),
  nothing_new: row(409, 'The event brings no new head.'),
  archived: row(409, 'The review is archived.'),
  already_archived: row(409, 'The review is archived already.'),
  not_archived: row(409, 'The review is not archived.'),
  still_running: row(409, 'A round is in flight; a review that runs is not archived.'),
  not_in_flight: row(409, 'No round is in flight.'),
  stale: row(409, 'The message is about another round, head or attempt than the one in flight.'),
  wrong_stage: row(409, 'The round is in another stage.'),
  nothing_posted: row(409, 'No round of this review has posted findings yet.'),
  finding_unknown: row(404, 'No finding of this review has this id.'),
  finding_closed: row(409, 'The finding is closed already.'),
  actor_denied: row(403, "The actor is on the repository's deny list.", { timeline: true }),
  actor_not_permitted: row(403, 'The actor may not do this in the repository.', { timeline: true }),
  permission_unknown: row(403, 'What the actor may do in the repository could not be measured.', { timeline: true }),
  command_incomplete: row(409, 'The command lacks a part; /help lists the forms.', { timeline: true }),
  fix_unavailable: row(409, 'The command /fix is not available yet.', { timeline: true }),
  observed: row(409, 'The repository is only observed: nothing is posted.', { timeline: true }),
  turns_spent: row(409, 'The turns of the thread are spent, and its notice has been given.'),
  not_entitled: row(403, 'This capability is switched off in this deployment.', { timeline: true }),
  no_default_model: row(409, 'No model is configured.', { timeline: true, attention: 'no_default_model' }),
  model_not_priceable: row(409, 'The model has neither rates nor the word that it is unmetered.', { timeline: true, attention: 'model_not_priceable' }),
  cap_reached: row(429, 'A limit of this deployment is reached.', { timeline: true, attention: 'cap_reached' }),
  change_too_large: row(403, 'The change is larger than this deployment reviews.', { timeline: true }),
  credentials_exhausted: row(429, 'No credential of the model provider can be used now.', { timeline: true, attention: 'credential_rejected' }),
} as const satisfies Record<string, RefusalRow>;

export type ReviewRefusalCode = keyof typeof REVIEW_REFUSALS;
export const ReviewRefusalCode: z.ZodType<ReviewRefusalCode> = z.enum(Object.keys(REVIEW_REFUSALS) as ReviewRefusalCode[]);

/** Codes with which a gate before a paid call or after the diff ends a round (REV-30, REV-31, REV-31a). */
export const ROUND_REFUSALS = ['not_entitled', 'no_default_model', 'model_not_priceable', 'cap_reached', 'change_too_large', 'credentials_exhausted'] as const;
export type RoundRefusalCode = (typeof ROUND_REFUSALS)[number];
export const RoundRefusalCode: z.ZodType<RoundRefusalCode> = z.enum(ROUND_REFUSALS);

/** Codes with which an answer to a comment is refused after it was granted. */
export const ANSWER_REFUSALS = [...ROUND_REFUSALS, 'observed'] as const;
export type AnswerRefusalCode = (typeof ANSWER_REFUSALS)[number];
export const AnswerRefusalCode: z.ZodType<AnswerRefusalCode> = z.enum(ANSWER_REFUSALS);
