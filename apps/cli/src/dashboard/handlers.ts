/** Who answers each route of the API. The session is the server's own; everything else is here, one function a route. */
import { createHash } from 'node:crypto';
import { API_ROUTES, type ApiRouteId } from '@weir/contract';
import type { ApiAnswer, ApiCall, ApiFeed, ApiHandler } from '@weir/ports';
import { sleep } from '../gateway/real-time.ts';
import { withoutTokens } from './charge-rows.ts';
import type { DashboardWorld } from './dashboard-world.ts';
import { listAccounts, listDeadLetters, listDeliveries, listRepositories, readFirstRun, readInbox } from './deployment-reads.ts';
import { acknowledgeInboxRow, dropDeadLetter, replayDeadLetter, replayDelivery, saveRepositoryRules } from './deployment-writes.ts';
import { listEvents, listReviewEvents } from './event-reads.ts';
import { readFeed } from './feed.ts';
import { listModels, listProviders, listSettings, listSpecialists } from './installation-reads.ts';
import { readReview } from './review-detail.ts';
import { createDiffReader } from './review-diff.ts';
import { listReviews } from './review-rows.ts';
import { archiveReview, cancelReview, dismissFinding, rerunReview, restoreReview } from './review-writes.ts';
import { readSpend } from './spend-reads.ts';
import { whyReview, whyReviews, whySpend } from './whys.ts';

/** `readSession` and `endSession` belong to the server that keeps sessions; the feed is no single answer. */
export type HandledRouteId = Exclude<ApiRouteId, 'readSession' | 'endSession' | 'readFeed'>;

export interface DashboardApi {
  readonly handlers: Readonly<Record<HandledRouteId, ApiHandler>>;
  readonly feed: ApiFeed;
}

const READS: ReadonlySet<string> = new Set(API_ROUTES.filter(({ method }) => method === 'GET').map(({ id }) => id));

const forCaller = ({ principal }: ApiCall, answer: ApiAnswer): ApiAnswer =>
  principal?.role === 'admin' ? answer : { ...answer, body: withoutTokens(answer.body) };

/** What is read again and has not changed need not be sent again. */
const tagged =
  (handler: ApiHandler): ApiHandler =>
  async call => {
    const answer = forCaller(call, await handler(call));
    return { ...answer, etag: createHash('sha256').update(JSON.stringify(answer.body)).digest('base64url').slice(0, 27) };
  };

export function dashboardApi(world: DashboardWorld): DashboardApi {
  const routes = {
    ...{ readInbox, listReviews, whyReviews, readReview, listReviewEvents, whyReview },
    ...{ rerunReview, cancelReview, archiveReview, restoreReview, dismissFinding },
    ...{ listRepositories, saveRepositoryRules, listAccounts, listProviders, listModels, listSpecialists, listSettings, readFirstRun },
    ...{ readSpend, whySpend, listEvents, listDeliveries, replayDelivery, listDeadLetters, replayDeadLetter, dropDeadLetter, acknowledgeInboxRow },
  };
  const bound = Object.entries(routes).map(([id, run]): readonly [string, ApiHandler] => [id, call => run(world, call)]);
  const all = [...bound, ['readReviewDiff', createDiffReader(world)] as const];
  return {
    handlers: Object.fromEntries(all.map(([id, handler]) => [id, READS.has(id) ? tagged(handler) : handler])) as DashboardApi['handlers'],
    feed: call => readFeed({ log: world.stores.log, sleep }, call),
  };
}
