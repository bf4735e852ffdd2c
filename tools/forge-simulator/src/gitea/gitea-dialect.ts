/** Gitea and Forgejo: one dialect; what differs is data and the routes of threads. */
import { giteaFacts } from '../facts/gitea.ts';
import type { Answer, Call } from '../http/call.ts';
import type { Credentials, Dialect, ForgeKind, WebhookEvent } from '../http/dialect.ts';
import type { Fault } from '../http/faults.ts';
import { cutPage, linkHeader, MALFORMED_LINK, pageBody, type PageRule } from '../http/pages.ts';
import { repositoryGuard } from '../http/repository-route.ts';
import type { Hook } from '../state/repository.ts';
import type { World } from '../state/world.ts';
import { hmac, printGo } from '../webhooks/payload-text.ts';
import { EVENT_WORDS, giteaEvents } from './gitea-events.ts';
import { giteaIssueRoutes, giteaLabelRoutes } from './gitea-issue-routes.ts';
import { notFound, refuse } from './gitea-print.ts';
import { giteaPullRoutes } from './gitea-pull-routes.ts';
import { giteaHookRoutes, giteaRepositoryRoutes, giteaServerRoutes } from './gitea-repository-routes.ts';
import { giteaReviewRoutes } from './gitea-review-routes.ts';

type Kind = ForgeKind & ('gitea' | 'forgejo');

const PRODUCTS = {
  gitea: { file: 'gitea/v1_json.tmpl', version: '1.27.0', headers: ['gitea', 'gogs', 'github'] },
  forgejo: { file: 'forgejo/swagger.v1.denis-ev.json', version: '16.0.1+gitea-1.22.0', headers: ['forgejo', 'gitea', 'gogs', 'github'] },
} as const;

/** The vendor's own default of MAX_RESPONSE_ITEMS and DEFAULT_PAGING_NUM. */
const PAGE_MAXIMUM = 50;
const PAGE_DEFAULT = 30;

export function giteaDialect(kind: Kind, pageMaximum = PAGE_MAXIMUM): Dialect {
  const product = PRODUCTS[kind];
  const pages: PageRule = { pageParam: 'page', sizeParam: 'limit', defaultSize: Math.min(PAGE_DEFAULT, pageMaximum), maxSize: pageMaximum };
  return {
    kind,
    apiPrefix: '/api/v1',
    numbering: 'shared',
    draftPrefix: 'WIP: ',
    description: {
      file: product.file,
      format: 'swagger',
      prefix: '',
      multiSegment: ['filepath', 'branch', 'basehead'],
      alwaysAllowed: [],
      facts: giteaFacts(kind),
      corrections: '',
    },
    words: {
      rateLimited: (_, status) => ({ status, raw: 'Too many requests\n', type: 'text/plain; charset=utf-8' }),
      secondaryLimited: status => refuse(status, 'Too many requests'),
      tooLarge: () => refuse(406, 'diff too large'),
    },
    authenticate,
    routes: (world, site, forge) => {
      const guard = repositoryGuard(world, {
        find: (known, call) => known.repositories.find(one => one.fullName.toLowerCase() === `${call.params['owner']}/${call.params['repo']}`.toLowerCase()),
        missing: notFound,
        unauthenticated: () => refuse(401, 'token is required'),
        forbidden: () => refuse(403, 'user should have a permission to write to a repo'),
      });
      return {
        ...giteaServerRoutes(world, site, { version: product.version, pageMaximum, pageDefault: pages.defaultSize }),
        ...giteaRepositoryRoutes(world, site, guard),
        ...giteaPullRoutes(world, site, guard),
        ...giteaReviewRoutes(world, site, guard, kind),
        ...giteaIssueRoutes(world, site, guard),
        ...giteaLabelRoutes(world, site, guard, kind),
        ...giteaHookRoutes(world, guard, forge),
      };
    },
    notFound,
    invalid: problems => refuse(422, problems.map(problem => `[${problem.place}]: ${problem.detail}`).join('\n')),
    unreadable: () => refuse(422, 'invalid character in JSON'),
    page: (call, answer, fault) => pageAnswer(call, answer, fault, pages),
    headers: () => ({ 'cache-control': 'max-age=0, private, must-revalidate, no-transform' }),
    conditional: false,
    webhookEvents: giteaEvents,
    wants,
    sign: (hook, event, delivery) => sign(hook, event, delivery.id, product.headers),
  };
}

/** `token X`, `Bearer X`, or Basic with the token as user or password; a token in the URL works, and is a mistake. */
function authenticate(call: Call, world: World): Credentials {
  const header = call.headers['authorization'];
  const inUrl = call.query.get('token') ?? call.query.get('access_token');
  const basic = /^basic (.+)$/i.exec(header ?? '')?.[1];
  const pair = basic === undefined ? [] : Buffer.from(basic, 'base64').toString().split(':');
  const tokens = [/^(?:token|bearer) (.+)$/i.exec(header ?? '')?.[1], ...pair, inUrl].filter(token => typeof token === 'string');
  if (tokens.length === 0) return header === undefined ? { account: null } : { account: null, refusal: refuse(401, 'invalid username, password or token') };
  const account = world.accounts.find(one => tokens.includes(one.token));
  const problem = inUrl === null ? {} : { problem: 'a token in the URL' };
  return account === undefined ? { account: null, refusal: refuse(401, 'invalid username, password or token'), ...problem } : { account, ...problem };
}

function pageAnswer(call: Call, answer: Answer, fault: Fault | null, rule: PageRule): Answer {
  const page = cutPage(call, answer.list?.items ?? [], rule, fault);
  const link = fault?.kind === 'malformed-link' ? MALFORMED_LINK : linkHeader(call, page, rule, ['next', 'last', 'first', 'prev']);
  const files = call.path.endsWith('/files')
    ? { 'x-page': String(page.page), 'x-perpage': String(page.size), 'x-pagecount': String(page.pages), 'x-hasmore': String(page.hasNext) }
    : {};
  return {
    status: answer.status,
    body: pageBody(answer, page),
    headers: {
      ...answer.headers,
      ...files,
      'x-total-count': String(page.total),
      'access-control-expose-headers': 'X-Total-Count, Link',
      ...(link !== '' && { link }),
    },
  };
}

/** A coarse word covers its finer ones: `pull_request` takes every `pull_request_…`. */
function wants(hook: Hook, event: WebhookEvent): boolean {
  if (hook.events.includes(event.event) || hook.events.includes('*')) return true;
  if (event.event.startsWith('pull_request'))
    return hook.events.includes('pull_request') || (event.event.includes('_review_') && hook.events.includes('pull_request_review'));
  return event.event.startsWith('issue') && hook.events.includes('issues');
}

function sign(hook: Hook, event: WebhookEvent, id: string, families: readonly string[]): { headers: Record<string, string>; body: Buffer } {
  const text = printGo(event.payload);
  const body = Buffer.from(hook.contentType === 'json' ? text : `payload=${encodeURIComponent(text)}`);
  const word = EVENT_WORDS[event.event] ?? event.event;
  const [sha1, sha256] = hook.secret === null ? ['', ''] : [hmac('sha1', hook.secret, body), hmac('sha256', hook.secret, body)];
  const named = families.flatMap(family => [
    [`x-${family}-delivery`, id],
    [`x-${family}-event`, word],
    [`x-${family}-event-type`, event.event],
    ...(family === 'github' ? [] : [[`x-${family}-signature`, sha256]]),
  ]);
  return {
    body,
    headers: {
      'content-type': hook.contentType === 'json' ? 'application/json' : 'application/x-www-form-urlencoded',
      ...(Object.fromEntries(named) as Record<string, string>),
      'x-hub-signature': `sha1=${sha1}`,
      'x-hub-signature-256': `sha256=${sha256}`,
      'user-agent': 'Go-http-client/1.1',
    },
  };
}
