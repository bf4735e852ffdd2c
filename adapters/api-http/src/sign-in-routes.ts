/**
 * The ways in: the one-time link, and the identity provider. Opening a link shows a button and changes nothing, since programs open
 * links too; the button's POST uses it up.
 */
import { AppError } from '@weir/kernel';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { RouteParts } from './api-route.ts';
import { dropCookie, flowCookie, readCookie, sessionCookie, setCookie } from './cookies.ts';
import { linkPage } from './sign-in-page.ts';
import { createSignInLimit } from './sign-in-limit.ts';

/** Where a sign-in by the identity provider begins. */
export const SIGN_IN_PATH = '/sign-in';
export const LINK_PATH = '/sign-in/link';
const CALLBACK_PATH = '/sign-in/callback';
/** base64url, as the secrets are made. */
const SECRET = /^[\w-]{20,100}$/;
const MAX_FORM_BYTES = 1_000;

const unusable = (): AppError => new AppError('SIGN_IN_REQUIRED', 'This link is unknown, used or too old.', { next: 'Print another one: weir login-link.' });

export function addSignInRoutes(app: FastifyInstance, { settings, site }: RouteParts): void {
  const { identity, provider, now } = settings;
  const limit = createSignInLimit(now);
  const session = sessionCookie(site.https);
  const enter = (reply: FastifyReply, cookies: readonly string[]): FastifyReply =>
    reply
      .header('set-cookie', [...cookies])
      .header('cache-control', 'no-store')
      .redirect('/', 303);

  void app.register(async forms => {
    forms.removeAllContentTypeParsers();
    forms.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string', bodyLimit: MAX_FORM_BYTES }, (_request, body, done) =>
      done(null, new URLSearchParams(body.toString())),
    );
    forms.get<{ Params: { secret: string } }>(`${LINK_PATH}/:secret`, async ({ params }, reply) => {
      if (!SECRET.test(params.secret)) throw unusable();
      return reply.type('text/html; charset=utf-8').header('cache-control', 'no-store').send(linkPage(LINK_PATH, params.secret));
    });
    forms.post(LINK_PATH, async (request, reply) => {
      limit(request.ip);
      site.assertOwnPage(request);
      const secret = request.body instanceof URLSearchParams ? (request.body.get('secret') ?? '') : '';
      const opened = SECRET.test(secret) ? await identity.useLink(secret) : null;
      if (opened === null) throw unusable();
      return enter(reply, [setCookie(session, opened)]);
    });
  });

  if (provider === null) return;
  const flow = flowCookie(site.https);
  const callbackOf = (request: FastifyRequest): string => `${settings.publicOrigin ?? `http://${request.headers.host ?? ''}`}${CALLBACK_PATH}`;
  app.get(SIGN_IN_PATH, async (request, reply) => {
    limit(request.ip);
    const begun = await provider.begin(callbackOf(request));
    return reply.header('set-cookie', setCookie(flow, begun.flow)).header('cache-control', 'no-store').redirect(begun.location, 303);
  });
  app.get(CALLBACK_PATH, async (request, reply) => {
    limit(request.ip);
    const held = readCookie(request.headers.cookie, flow);
    if (held === null) throw new AppError('SIGN_IN_REQUIRED', 'This sign-in was not begun in this browser, or took too long.', { next: 'Sign in again.' });
    const opened = await provider.finish({ callback: callbackOf(request), query: request.url.split('?', 2)[1] ?? '', flow: held });
    return enter(reply, [dropCookie(flow), setCookie(session, opened)]);
  });
}
