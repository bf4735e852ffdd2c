/** The part of a process that people look at: the pages, and the API that they read. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { type ApiServer, LINK_PATH, readStaticFiles, SIGN_IN_PATH, startApiServer } from '@weir/api-http';
import { API_ROUTES, openApiDocument } from '@weir/contract';
import { createIdentity, sqlAnswerStore, sqlApiTokens, sqlSessionStore, sqlSignInLinks } from '@weir/identity';
import { createProviderSignIn } from '@weir/oidc';
import { dashboardApi } from '../dashboard/handlers.ts';
import { WEIR_VERSION } from '../version.ts';
import { dashboardPlace } from './dashboard-place.ts';
import { operatorReviews } from './operator-reviews.ts';
import type { ServerWorld } from './server-world.ts';
import { signInSettings } from './sign-in-settings.ts';

export interface Dashboard extends ApiServer {
  /** What a person opens: with an identity provider the address, else a link that signs the local admin in once, within a quarter of an hour. */
  readonly entrance: string;
}

/** What of a process it needs. */
export type DashboardParts = Pick<ServerWorld, 'storage' | 'stores' | 'box' | 'settings' | 'http'> & {
  readonly bus: Pick<ServerWorld['bus'], 'deadLetters'>;
  readonly providers: Pick<ServerWorld['providers'], 'forgeOf'>;
  readonly log: Pick<ServerWorld['log'], 'bug'>;
};

/**
 * @param pages folder of the built pages
 * Throws AppError CONFIG_INVALID for an address that cannot, or must not, be listened on, and the failures of the store.
 */
export async function startDashboard(world: DashboardParts, port: number, pages: string | undefined = builtPages()): Promise<Dashboard> {
  const { storage, stores, box, bus, providers, settings, http, log } = world;
  const now = Date.now;
  const provider = signInSettings(settings);
  const place = dashboardPlace({
    host: settings.get<string>('dashboard.host'),
    publicUrl: settings.get<string | null>('dashboard.publicUrl'),
    insecure: settings.get<boolean>('dashboard.insecure'),
    hasProvider: provider !== null,
  });
  const [sessions, links] = [sqlSessionStore(storage.sql, now), sqlSignInLinks(storage.sql, now)];
  const reviews = operatorReviews({ stores, sql: storage.sql, box });
  const { handlers, feed } = dashboardApi({ stores, reviews, providers, settings, now, models: storage.models, deadLetters: bus.deadLetters });
  const signIn = provider === null ? null : SIGN_IN_PATH;
  const server = await startApiServer({
    ...{ ...place, port, routes: API_ROUTES, feeds: { readFeed: feed }, now, onBug: log.bug },
    handlers: { ...handlers, readSession: async ({ principal }) => ({ body: { principal: personOf(principal), signIn } }) },
    identity: createIdentity({ sessions, tokens: sqlApiTokens(storage.sql, now), links }),
    provider: provider === null ? null : createProviderSignIn({ settings: provider, http, openSession: sessions.open, now }),
    answers: sqlAnswerStore(storage.sql, now),
    staticFiles: pages === undefined ? new Map() : await readStaticFiles(pages),
    openApi: openApiDocument(WEIR_VERSION),
  });
  const origin = place.publicOrigin ?? server.origin;
  return { ...server, entrance: provider === null ? `${origin}${LINK_PATH}/${await links.make()}` : origin };
}

function personOf<Person extends { readonly subject: string; readonly name: string; readonly role: string }>(principal: Person | null) {
  return principal === null ? null : { subject: principal.subject, name: principal.name, role: principal.role };
}

/** Beside the built program; from sources, where a build has left them. Without them the server says that it has none. */
const builtPages = (): string | undefined =>
  ['dashboard', '../../dist/dashboard'].map(place => path.resolve(import.meta.dirname, place)).find(place => existsSync(place));
