/** GitHub, as its REST API 2022-11-28 and its GraphQL endpoint behave. */
import type { Answer, Call } from '../http/call.ts';
import type { Credentials, Dialect, Site, WebhookEvent } from '../http/dialect.ts';
import type { Fault } from '../http/faults.ts';
import { cutPage, linkHeader, MALFORMED_LINK, pageBody, type PageRule } from '../http/pages.ts';
import { repositoryGuard } from '../http/repository-route.ts';
import type { Hook } from '../state/repository.ts';
import type { World } from '../state/world.ts';
import { githubFacts } from '../facts/github.ts';
import { hmac, printPlain } from '../webhooks/payload-text.ts';
import { accountRoutes, appOfJwt } from './account-routes.ts';
import { contentRoutes, gitDataRoutes } from './content-routes.ts';
import { githubEvents } from './github-events.ts';
import { notFound, refuse } from './github-words.ts';
import { graphql } from './graphql-endpoint.ts';
import { hookRoutes } from './hook-routes.ts';
import { issueRoutes } from './issue-routes.ts';
import { labelRoutes, milestoneRoutes, reactionRoutes } from './label-routes.ts';
import { pullRoutes, tooLarge } from './pull-routes.ts';
import { reviewCommentRoutes } from './review-comment-routes.ts';
import { reviewRoutes } from './review-routes.ts';
import { statusRoutes } from './status-routes.ts';

const VERSIONS = ['2022-11-28', '2026-03-10'];
const PAGES: PageRule = { pageParam: 'page', sizeParam: 'per_page', defaultSize: 30, maxSize: 100 };
const BUDGET = 5000;
const ANONYMOUS_BUDGET = 60;

export function githubDialect(): Dialect {
  const used = new Map<string, number>();
  return {
    kind: 'github',
    apiPrefix: '',
    numbering: 'shared',
    description: {
      file: 'github/api.github.com.json',
      format: 'openapi',
      prefix: '',
      multiSegment: [],
      // The vendor takes them on each list; its description leaves them out on some.
      alwaysAllowed: ['per_page', 'page'],
      facts: githubFacts,
      corrections: '',
    },
    words: {
      rateLimited: (reset, status) => ({
        ...refuse(status, 'API rate limit exceeded for user ID 1001.'),
        headers: {
          'x-ratelimit-limit': String(BUDGET),
          'x-ratelimit-remaining': '0',
          'x-ratelimit-used': String(BUDGET),
          'x-ratelimit-reset': String(Math.floor(reset.getTime() / 1000)),
          'x-ratelimit-resource': 'core',
        },
      }),
      secondaryLimited: status =>
        status === 422
          ? refuse(422, 'Validation Failed', { errors: [{ resource: 'Issue', code: 'abuse', field: 'base', message: 'was submitted too quickly' }] })
          : refuse(status, 'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.'),
      tooLarge: () => tooLarge('files (300)'),
    },
    authenticate,
    gate: call =>
      call.headers['user-agent'] === undefined
        ? { status: 403, raw: 'Request forbidden by administrative rules. Please make sure your request has a User-Agent header.\n', type: 'text/html' }
        : versionGate(call),
    checkHeaders: call =>
      call.headers['x-github-api-version'] === undefined && call.path !== '/graphql'
        ? [{ kind: 'header', place: 'x-github-api-version', detail: "is missing: the version would be the vendor's choice" }]
        : [],
    routes: (world, site, forge) => {
      const guard = repositoryGuard(world, {
        find: (known, call) => known.repositories.find(one => one.fullName.toLowerCase() === `${call.params['owner']}/${call.params['repo']}`.toLowerCase()),
        missing: notFound,
        unauthenticated: () => refuse(401, 'Requires authentication'),
        forbidden: () => refuse(403, 'Resource not accessible by personal access token'),
      });
      return {
        ...accountRoutes(world, site, guard),
        ...pullRoutes(world, site, guard),
        ...reviewRoutes(world, site, guard),
        ...reviewCommentRoutes(world, site, guard),
        ...issueRoutes(world, site, guard),
        ...labelRoutes(world, site, guard),
        ...milestoneRoutes(world, site, guard),
        ...reactionRoutes(world, site, guard),
        ...contentRoutes(world, site, guard),
        ...gitDataRoutes(world, site, guard),
        ...statusRoutes(world, site, guard),
        ...hookRoutes(world, site, guard, forge),
        'POST /graphql': call => graphql(world, site, call),
      };
    },
    notFound,
    invalid: problems => refuse(422, `Invalid request.\n\n${problems.map(problem => `"${problem.place}" ${problem.detail}`).join('\n')}`),
    unreadable: () => refuse(400, 'Problems parsing JSON'),
    page: pageAnswer,
    headers: (call, answer, world) => budgetHeaders(call, answer, world, used),
    conditional: true,
    webhookEvents: githubEvents,
    wants: (hook, event) => hook.events.includes('*') || hook.events.includes(event.event),
    sign,
  };
}

function versionGate(call: Call): Answer | null {
  const version = call.headers['x-github-api-version'];
  return version === undefined || VERSIONS.includes(version)
    ? null
    : refuse(400, `"${version}" is not a supported version. Supported versions: ${VERSIONS.join(', ')}`);
}

/** `Bearer`, `token`, or Basic with the token as password; an app's JWT is checked by its own routes. */
function authenticate(call: Call, world: World): Credentials {
  const header = call.headers['authorization'];
  if (header === undefined) return { account: null };
  const bearer = /^(?:bearer|token) (.+)$/i.exec(header)?.[1];
  const basic = /^basic (.+)$/i.exec(header)?.[1];
  const token =
    bearer ??
    (basic === undefined
      ? ''
      : Buffer.from(basic, 'base64')
          .toString()
          .replace(/^[^:]*:/, ''));
  const account = world.accounts.find(one => one.token === token && one.kind !== 'organization');
  if (account !== undefined) return { account };
  const minted = world.minted.get(token);
  if (minted !== undefined && minted.expires > world.now()) return { account: minted.app.bot };
  if (appOfJwt(world, token) !== null) return { account: null };
  return { account: null, refusal: refuse(401, 'Bad credentials') };
}

function pageAnswer(call: Call, answer: Answer, fault: Fault | null): Answer {
  const page = cutPage(call, answer.list?.items ?? [], PAGES, fault);
  const link = fault?.kind === 'malformed-link' ? MALFORMED_LINK : linkHeader(call, page, PAGES, ['prev', 'next', 'last', 'first']);
  return { status: answer.status, body: pageBody(answer, page), headers: { ...answer.headers, ...(link !== '' && { link }) } };
}

/** Every answer counts but a 304. */
function budgetHeaders(call: Call, answer: Answer, world: World, used: Map<string, number>): Record<string, string> {
  const who = call.headers['authorization'] ?? '';
  const limit = who === '' ? ANONYMOUS_BUDGET : BUDGET;
  const spent = (used.get(who) ?? 0) + (answer.status === 304 ? 0 : 1);
  used.set(who, spent);
  const version = call.headers['x-github-api-version'];
  return {
    'x-github-request-id': `SIM:${spent}:${answer.status}`,
    'x-github-media-type': 'github.v3; format=json',
    ...(version !== undefined && { 'x-github-api-version-selected': version }),
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(Math.max(0, limit - spent)),
    'x-ratelimit-used': String(spent),
    'x-ratelimit-reset': String(Math.floor(world.now().getTime() / 1000) + 3600),
    'x-ratelimit-resource': 'core',
  };
}

function sign(hook: Hook, event: WebhookEvent, delivery: { readonly id: string; readonly site: Site }): { headers: Record<string, string>; body: Buffer } {
  const text = printPlain(event.payload);
  const body = Buffer.from(hook.contentType === 'json' ? text : `payload=${encodeURIComponent(text)}`);
  return {
    body,
    headers: {
      accept: '*/*',
      'content-type': hook.contentType === 'json' ? 'application/json' : 'application/x-www-form-urlencoded',
      'user-agent': 'GitHub-Hookshot/0000000',
      'x-github-delivery': delivery.id,
      'x-github-event': event.event,
      'x-github-hook-id': String(hook.id),
      'x-github-hook-installation-target-id': String((event.payload['repository'] as { readonly id: number }).id),
      'x-github-hook-installation-target-type': 'repository',
      ...(hook.secret !== null && {
        'x-hub-signature': `sha1=${hmac('sha1', hook.secret, body)}`,
        'x-hub-signature-256': `sha256=${hmac('sha256', hook.secret, body)}`,
      }),
    },
  };
}
