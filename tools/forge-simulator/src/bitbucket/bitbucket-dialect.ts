/** Bitbucket Cloud's REST API 2.0. */
import { bitbucketFacts } from '../facts/bitbucket.ts';
import type { Answer, Call } from '../http/call.ts';
import type { Credentials, Dialect, WebhookEvent } from '../http/dialect.ts';
import type { Fault } from '../http/faults.ts';
import { cutPage, pageBody, type PageRule, pageUrl } from '../http/pages.ts';
import { repositoryGuard } from '../http/repository-route.ts';
import type { Hook } from '../state/repository.ts';
import type { World } from '../state/world.ts';
import { hmac, printPython } from '../webhooks/payload-text.ts';
import { bitbucketCommentRoutes } from './bitbucket-comment-routes.ts';
import { bitbucketEvents } from './bitbucket-events.ts';
import { refuse } from './bitbucket-print.ts';
import { bitbucketPullRoutes } from './bitbucket-pull-routes.ts';
import { bitbucketRepositoryRoutes } from './bitbucket-repository-routes.ts';

const PAGES: PageRule = { pageParam: 'page', sizeParam: 'pagelen', defaultSize: 10, maxSize: 100 };
const PULLS_MAXIMUM = 50;

/** What the description leaves out: bodies that the vendor's own documents show in prose only. */
const CORRECTIONS = `
POST /repositories/{workspace}/{repo_slug}/hooks : url!=string description=string active=boolean events!=[]string secret=string? skip_cert_verification=boolean
PUT /repositories/{workspace}/{repo_slug}/hooks/{uid} : url=string description=string active=boolean events=[]string secret=string? skip_cert_verification=boolean
POST /repositories/{workspace}/{repo_slug}/refs/branches : name!=string target!=object
POST /repositories/{workspace}/{repo_slug}/src ?message=string ?author=string ?parents=string ?files=string ?branch=string : -
`;

export function bitbucketDialect(): Dialect {
  return {
    kind: 'bitbucket-cloud',
    apiPrefix: '/2.0',
    numbering: 'apart',
    description: {
      file: 'bitbucket-cloud/swagger.v3.json',
      format: 'openapi',
      prefix: '',
      multiSegment: ['path', 'spec', 'name', 'revision'],
      // Declared on a few operations only, taken by every list; the last one is put there by the vendor's own redirect.
      alwaysAllowed: ['pagelen', 'page', 'q', 'sort', 'fields', 'from_pullrequest_id'],
      neverRequired: ['type'],
      facts: bitbucketFacts,
      corrections: CORRECTIONS,
    },
    words: {
      rateLimited: (_, status) => refuse(status, 'Rate limit for this resource has been exceeded'),
      secondaryLimited: status => refuse(status, 'Rate limit for this resource has been exceeded'),
      tooLarge: () => refuse(555, 'Diff too large to be rendered.'),
    },
    authenticate,
    routes: (world, site) => {
      const guard = repositoryGuard(world, {
        find: (known, call) =>
          known.repositories.find(one => one.fullName.toLowerCase() === `${call.params['workspace']}/${call.params['repo_slug']}`.toLowerCase()),
        missing: () =>
          refuse(
            404,
            'You may not have access to this repository or it no longer exists in this workspace. If you think this repository exists and you have access, make sure you are authenticated.',
          ),
        unauthenticated: () => refuse(401, 'Authentication required'),
        forbidden: needed => refuse(403, `Your credentials lack one or more required privilege scopes: ${needed === 'admin' ? 'admin' : 'write'}.`),
      });
      return { ...bitbucketRepositoryRoutes(world, site, guard), ...bitbucketPullRoutes(world, site, guard), ...bitbucketCommentRoutes(world, site, guard) };
    },
    notFound: () => refuse(404, 'Resource not found'),
    invalid: problems => refuse(400, 'Bad request', Object.fromEntries(problems.map(problem => [problem.place, [problem.detail]]))),
    unreadable: () => refuse(400, 'Bad request'),
    page: pageAnswer,
    headers: () => ({ 'x-ratelimit-limit': '1000', 'x-ratelimit-resource': 'api-general', 'x-ratelimit-nearlimit': 'false' }),
    conditional: false,
    webhookEvents: bitbucketEvents,
    wants: (hook, event) => hook.events.includes(event.event),
    sign,
  };
}

/** A bearer, or Basic with an account's name or mail and its token as password. */
function authenticate(call: Call, world: World): Credentials {
  const header = call.headers['authorization'];
  if (header === undefined) return { account: null };
  const basic = /^basic (.+)$/i.exec(header)?.[1];
  const token =
    basic === undefined
      ? (/^bearer (.+)$/i.exec(header)?.[1] ?? '')
      : Buffer.from(basic, 'base64')
          .toString()
          .replace(/^[^:]*:/, '');
  const account = world.accounts.find(one => one.token === token);
  return account === undefined ? { account: null, refusal: refuse(401, 'Token is invalid, expired, or not supported for this endpoint.') } : { account };
}

function pageAnswer(call: Call, answer: Answer, fault: Fault | null): Answer {
  const rule = call.path.endsWith('/pullrequests') ? { ...PAGES, maxSize: PULLS_MAXIMUM } : PAGES;
  if (Number(call.query.get('pagelen') ?? 1) > rule.maxSize) return refuse(400, 'Invalid pagelen');
  const page = cutPage(call, answer.list?.items ?? [], rule, fault);
  const next = fault?.kind === 'malformed-link' ? 'not a url' : pageUrl(call, 'page', page.page + 1);
  const body = {
    values: pageBody(answer, page),
    pagelen: page.size,
    size: page.total,
    page: page.page,
    ...(page.hasNext && { next }),
    ...(page.page > 1 && { previous: pageUrl(call, 'page', page.page - 1) }),
  };
  return { status: answer.status, body, headers: answer.headers ?? {} };
}

function sign(hook: Hook, event: WebhookEvent, delivery: { readonly id: string; readonly attempt: number }): { headers: Record<string, string>; body: Buffer } {
  const body = Buffer.from(printPython(event.payload));
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Bitbucket-Webhooks/2.0',
      'x-event-key': event.event,
      'x-hook-uuid': hook.uuid,
      'x-request-uuid': delivery.id,
      'x-attempt-number': String(delivery.attempt),
      ...(hook.secret !== null && { 'x-hub-signature': `sha256=${hmac('sha256', hook.secret, body)}` }),
    },
  };
}
