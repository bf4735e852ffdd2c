/** All routes of the REST API. The server, `openapi.json` and the tests are made from this table; nothing else lists them. */
import { z } from 'zod';
import { FindingId, ReviewId } from '../review-parts.ts';
import { ROUND_STATUSES, type RoundStatus } from '../review-status.ts';
import {
  ApiAccount,
  ApiDeadLetter,
  ApiDelivery,
  ApiFirstRun,
  ApiInbox,
  ApiInboxKey,
  ApiModel,
  ApiProvider,
  ApiReplayed,
  ApiRepository,
  ApiRepositoryRules,
  ApiSession,
  ApiSetting,
  ApiSpecialist,
} from './deployment-resources.ts';
import { ApiSpend, ApiWhy } from './money-resources.ts';
import { ApiAccepted, ApiPosition, pageOf, pageQuery, yesOrNo } from './paging.ts';
import { ApiDiff, ApiEvent, ApiReview, ApiReviewList } from './review-resources.ts';
import type { ApiRoute } from './route.ts';

const none = z.strictObject({});
const paged = z.strictObject(pageQuery);
const word = z.string().min(1).max(200);
const ofReview = z.strictObject({ id: ReviewId });
const ofId = z.strictObject({ id: z.string().min(1).max(600) });
const days = { days: z.coerce.number().int().min(1).max(366).default(30) };
const figure = z.string().min(1).max(300);

const isStatus = (text: string): text is RoundStatus => Object.hasOwn(ROUND_STATUSES, text);
const statuses = z
  .string()
  .max(200)
  .transform(text => text.split(','))
  .refine(words => words.every(isStatus), `one or several of ${Object.keys(ROUND_STATUSES).join(', ')}, with commas between them`);

type Parts = Pick<ApiRoute, 'summary' | 'answer'> & Partial<ApiRoute>;
const route = <const Id extends string>(id: Id, [method, path]: readonly [ApiRoute['method'], string], parts: Parts): ApiRoute & { readonly id: Id } => ({
  ...{ id, method, path, role: method === 'GET' ? 'viewer' : 'admin', params: none, query: none, body: null },
  ...parts,
  id,
});

const MINE = [
  route('readSession', ['GET', '/session'], { role: 'anyone', summary: 'Who is signed in, and where to sign in.', answer: ApiSession }),
  route('endSession', ['DELETE', '/session'], { role: 'anyone', summary: 'Signs out.', answer: null }),
  route('readInbox', ['GET', '/inbox'], { summary: 'What needs a person, as things stand now.', answer: ApiInbox }),
  route('acknowledgeInboxRow', ['POST', '/inbox/acknowledge'], {
    summary: 'Says that a person knows of a row of the inbox that nobody can mend any more.',
    body: ApiInboxKey,
    answer: ApiAccepted,
  }),
  route('readFeed', ['GET', '/feed'], {
    summary: 'Events of the log as they are committed, after `after` or the Last-Event-ID, else from now.',
    query: z.strictObject({ after: ApiPosition.optional() }),
    answer: null,
    stream: true,
  }),
] as const;

const REVIEWS = [
  route('listReviews', ['GET', '/reviews'], {
    summary: 'Reviews, the newest change first.',
    query: z.strictObject({
      ...pageQuery,
      status: statuses.optional(),
      archived: yesOrNo.optional(),
      repository: word.optional(),
      text: word.optional(),
    }),
    answer: ApiReviewList,
  }),
  route('whyReviews', ['GET', '/reviews/why'], {
    summary: 'Why a figure over all reviews is what it is.',
    query: z.strictObject({ ...pageQuery, figure }),
    answer: ApiWhy,
  }),
  route('readReview', ['GET', '/reviews/{id}'], { summary: 'One review with its rounds and findings.', params: ofReview, answer: ApiReview }),
  route('readReviewDiff', ['GET', '/reviews/{id}/diff'], {
    summary: 'The diff of its last round, read from the forge now: contract, core, edges, tests.',
    params: ofReview,
    query: paged,
    answer: ApiDiff,
  }),
  route('listReviewEvents', ['GET', '/reviews/{id}/events'], {
    summary: 'The events of one review, oldest first.',
    params: ofReview,
    query: paged,
    answer: pageOf(ApiEvent),
  }),
  route('whyReview', ['GET', '/reviews/{id}/why'], {
    summary: 'Why a figure of one review is what it is.',
    params: ofReview,
    query: z.strictObject({ ...pageQuery, figure }),
    answer: ApiWhy,
  }),
  route('rerunReview', ['POST', '/reviews/{id}/rerun'], { summary: 'Asks for another round at its head.', params: ofReview, answer: ApiAccepted }),
  route('cancelReview', ['POST', '/reviews/{id}/cancel'], { summary: 'Cancels the round in flight.', params: ofReview, answer: ApiAccepted }),
  route('archiveReview', ['POST', '/reviews/{id}/archive'], { summary: 'Puts it into the archive.', params: ofReview, answer: ApiAccepted }),
  route('restoreReview', ['POST', '/reviews/{id}/restore'], { summary: 'Takes it out of the archive.', params: ofReview, answer: ApiAccepted }),
  route('dismissFinding', ['POST', '/reviews/{id}/findings/{finding}/dismiss'], {
    summary: 'Dismisses an open finding, with the reason.',
    params: z.strictObject({ id: ReviewId, finding: FindingId }),
    body: z.strictObject({ reason: z.string().trim().min(1).max(2_000) }),
    answer: ApiAccepted,
  }),
] as const;

const DEPLOYMENT = [
  route('listRepositories', ['GET', '/repositories'], { summary: 'Registered repositories.', query: paged, answer: pageOf(ApiRepository) }),
  route('saveRepositoryRules', ['PUT', '/repositories/{id}/rules'], {
    summary: 'Changes what is done with the reviews of a repository.',
    params: ofId,
    body: ApiRepositoryRules,
    answer: ApiAccepted,
  }),
  route('listAccounts', ['GET', '/accounts'], { role: 'admin', summary: 'Machine accounts at forges.', query: paged, answer: pageOf(ApiAccount) }),
  route('listProviders', ['GET', '/providers'], { summary: 'Providers, what they can do, and what is wrong.', query: paged, answer: pageOf(ApiProvider) }),
  route('listModels', ['GET', '/models'], { summary: 'Models, their routes and tools.', query: paged, answer: pageOf(ApiModel) }),
  route('listSpecialists', ['GET', '/specialists'], { summary: 'Who judges, by which rules.', query: paged, answer: pageOf(ApiSpecialist) }),
  route('listSettings', ['GET', '/settings'], { role: 'admin', summary: 'Settings and where each comes from.', query: paged, answer: pageOf(ApiSetting) }),
  route('readFirstRun', ['GET', '/first-run'], { summary: 'The steps to a first review, and what was observed of each.', answer: ApiFirstRun }),
] as const;

const LEDGER = [
  route('readSpend', ['GET', '/spend'], { summary: 'What model calls have cost.', query: z.strictObject(days), answer: ApiSpend }),
  route('whySpend', ['GET', '/spend/why'], {
    summary: 'Why a figure of the spend is what it is.',
    query: z.strictObject({ ...pageQuery, ...days, figure }),
    answer: ApiWhy,
  }),
  route('listEvents', ['GET', '/events'], {
    summary: 'The log of all reviews, the newest first.',
    query: z.strictObject({ ...pageQuery, type: word.optional(), review: ReviewId.optional(), correlation: word.optional() }),
    answer: pageOf(ApiEvent),
  }),
  route('listDeliveries', ['GET', '/deliveries'], { role: 'admin', summary: 'Deliveries that are kept.', query: paged, answer: pageOf(ApiDelivery) }),
  route('replayDelivery', ['POST', '/deliveries/{id}/replay'], { summary: 'Takes a delivery once more.', params: ofId, answer: ApiReplayed }),
  route('listDeadLetters', ['GET', '/dead-letters'], {
    role: 'admin',
    summary: 'What could not be processed.',
    query: paged,
    answer: pageOf(ApiDeadLetter),
  }),
  route('replayDeadLetter', ['POST', '/dead-letters/{id}/replay'], { summary: 'Processes it again.', params: ofId, answer: ApiAccepted }),
  route('dropDeadLetter', ['POST', '/dead-letters/{id}/drop'], { summary: 'Forgets it.', params: ofId, answer: ApiAccepted }),
] as const;

const ALL = [...MINE, ...REVIEWS, ...DEPLOYMENT, ...LEDGER] as const;
export type ApiRouteId = (typeof ALL)[number]['id'];
export const API_ROUTES: readonly (ApiRoute & { readonly id: ApiRouteId })[] = ALL;
