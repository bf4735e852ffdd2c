/** GitLab's REST API v4. */
import { createHmac } from 'node:crypto';
import { gitlabCorrections, gitlabFacts } from '../facts/gitlab.ts';
import { type Answer, type Call, json } from '../http/call.ts';
import type { Credentials, Dialect, Site, WebhookEvent } from '../http/dialect.ts';
import type { Fault } from '../http/faults.ts';
import { cutPage, MALFORMED_LINK, pageBody, type PageRule, pageUrl } from '../http/pages.ts';
import { repositoryGuard } from '../http/repository-route.ts';
import type { Hook } from '../state/repository.ts';
import type { World } from '../state/world.ts';
import { printRails } from '../webhooks/payload-text.ts';
import { gitlabEvents } from './gitlab-events.ts';
import { gitlabHookRoutes, gitlabIssueRoutes } from './gitlab-issue-routes.ts';
import { gitlabMergeRequestRoutes } from './gitlab-merge-request-routes.ts';
import { gitlabNoteRoutes } from './gitlab-note-routes.ts';
import { hookSwitch, notFound, refuse } from './gitlab-print.ts';
import { gitlabProjectRoutes } from './gitlab-project-routes.ts';

const PAGES: PageRule = { pageParam: 'page', sizeParam: 'per_page', defaultSize: 20, maxSize: 100 };
const BUDGET = 2000;

/** The switch of a hook that lets an event through. */
const SWITCHES: Readonly<Record<string, string>> = {
  'Push Hook': 'push_events',
  'Merge Request Hook': 'merge_requests_events',
  'Note Hook': 'note_events',
  'Issue Hook': 'issues_events',
};

export function gitlabDialect(): Dialect {
  let served = 0;
  return {
    kind: 'gitlab',
    apiPrefix: '/api/v4',
    numbering: 'apart',
    draftPrefix: 'Draft: ',
    description: {
      file: 'gitlab/gitlab-openapi.voxgig.yaml',
      format: 'swagger',
      prefix: '/api/v4',
      multiSegment: [],
      alwaysAllowed: ['page', 'per_page'],
      listsAsText: true,
      facts: gitlabFacts,
      corrections: gitlabCorrections,
    },
    words: {
      rateLimited: (reset, status) => ({
        status,
        raw: 'Retry later\n',
        type: 'text/plain',
        headers: {
          'retry-after': String(Math.max(1, Math.ceil((reset.getTime() - Date.now()) / 1000))),
          'ratelimit-limit': String(BUDGET),
          'ratelimit-remaining': '0',
          'ratelimit-reset': String(Math.floor(reset.getTime() / 1000)),
          'ratelimit-observed': String(BUDGET + 1),
          'ratelimit-name': 'throttle_authenticated_api',
        },
      }),
      secondaryLimited: status => json({ message: { error: 'This endpoint has been requested too many times. Try again later.' } }, status),
      tooLarge: () => refuse(406, '406 Not Acceptable'),
    },
    authenticate,
    routes: (world, site, forge) => {
      const guard = repositoryGuard(world, {
        find: (known, call) =>
          known.repositories.find(one => String(one.id) === call.params['id'] || one.fullName.toLowerCase() === call.params['id']?.toLowerCase()),
        missing: () => notFound('Project'),
        unauthenticated: () => refuse(401, '401 Unauthorized'),
        forbidden: () => refuse(403, '403 Forbidden'),
      });
      return {
        ...gitlabProjectRoutes(world, site, guard),
        ...gitlabMergeRequestRoutes(world, site, guard),
        ...gitlabNoteRoutes(world, site, guard),
        ...gitlabIssueRoutes(world, site, guard),
        ...gitlabHookRoutes(world, guard, forge),
      };
    },
    notFound: () => json({ error: '404 Not Found' }, 404),
    invalid: problems =>
      json({ error: problems.map(problem => `${problem.place} ${problem.kind === 'missing-field' ? 'is missing' : 'is invalid'}`).join(', ') }, 400),
    unreadable: () => refuse(400, 'Problems parsing JSON'),
    page: pageAnswer,
    headers: (_, answer, world) => {
      served += 1;
      return {
        'x-request-id': `SIM${served}`,
        'x-gitlab-meta': `{"correlation_id":"SIM${served}","version":"1"}`,
        'ratelimit-limit': String(BUDGET),
        'ratelimit-remaining': String(Math.max(0, BUDGET - served)),
        'ratelimit-reset': String(Math.floor(world.now().getTime() / 1000) + 60),
        'ratelimit-observed': String(served),
        'ratelimit-name': 'throttle_authenticated_api',
        vary: answer.status === 304 ? 'Origin' : 'Accept, Origin',
      };
    },
    conditional: true,
    webhookEvents: gitlabEvents,
    wants: (hook, event) => hookSwitch(hook, SWITCHES[event.event] ?? ''),
    sign,
  };
}

/** PRIVATE-TOKEN, or an OAuth bearer; a token in the URL works, and is a mistake. */
function authenticate(call: Call, world: World): Credentials {
  const inUrl = call.query.get('private_token') ?? call.query.get('access_token');
  const token = call.headers['private-token'] ?? /^bearer (.+)$/i.exec(call.headers['authorization'] ?? '')?.[1] ?? inUrl;
  if (token === null || token === undefined) return { account: null };
  const account = world.accounts.find(one => one.token === token);
  const problem = inUrl === null ? {} : { problem: 'a token in the URL' };
  return account === undefined ? { account: null, refusal: refuse(401, '401 Unauthorized'), ...problem } : { account, ...problem };
}

function pageAnswer(call: Call, answer: Answer, fault: Fault | null): Answer {
  const page = cutPage(call, answer.list?.items ?? [], PAGES, fault);
  const link = (number: number, relation: string): string => `<${pageUrl(call, 'page', number)}>; rel="${relation}"`;
  const links = [
    ...(page.page > 1 ? [link(page.page - 1, 'prev')] : []),
    ...(page.hasNext ? [link(page.page + 1, 'next')] : []),
    link(1, 'first'),
    link(page.pages, 'last'),
  ].join(', ');
  const headers = {
    link: fault?.kind === 'malformed-link' ? MALFORMED_LINK : links,
    'x-next-page': page.hasNext ? String(page.page + 1) : '',
    'x-page': String(page.page),
    'x-per-page': String(page.size),
    'x-prev-page': page.page > 1 ? String(page.page - 1) : '',
    'x-total': String(page.total),
    'x-total-pages': String(page.pages),
  };
  return { status: answer.status, body: pageBody(answer, page), headers: { ...answer.headers, ...headers } };
}

/** The secret goes out in the clear; a signing token signs `<id>.<seconds>.<body>` beside it. */
function sign(
  hook: Hook,
  event: WebhookEvent,
  delivery: { readonly id: string; readonly at: Date; readonly site: Site },
): { headers: Record<string, string>; body: Buffer } {
  const body = Buffer.from(printRails(event.payload));
  const seconds = String(Math.floor(delivery.at.getTime() / 1000));
  const signature =
    hook.signingToken === null ? null : createHmac('sha256', hook.signingToken).update(`${delivery.id}.${seconds}.`).update(body).digest('base64');
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'GitLab/19.4.0-ee',
      'idempotency-key': delivery.id,
      'x-gitlab-event': event.event,
      'x-gitlab-webhook-uuid': hook.uuid,
      'x-gitlab-instance': delivery.site.url,
      'x-gitlab-event-uuid': delivery.id,
      ...(hook.secret !== null && { 'x-gitlab-token': hook.secret }),
      ...(signature !== null && { 'webhook-id': delivery.id, 'webhook-timestamp': seconds, 'webhook-signature': `v1,${signature}` }),
    },
  };
}
