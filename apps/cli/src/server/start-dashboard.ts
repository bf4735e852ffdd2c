/** The part of a process that people look at: the pages, and the API that they read. It listens on this machine alone. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { type ApiServer, LINK_PATH, readStaticFiles, startApiServer, type StaticFiles } from '@weir/api-http';
import { API_ROUTES, openApiDocument } from '@weir/contract';
import { createIdentity, sqlAnswerStore, sqlApiTokens, sqlSessionStore, sqlSignInLinks } from '@weir/identity';
import { dashboardApi } from '../dashboard/handlers.ts';
import { WEIR_VERSION } from '../version.ts';
import { operatorReviews } from './operator-reviews.ts';
import type { ServerWorld } from './server-world.ts';

/** Until an identity provider can be set, who reaches the address is not asked for more than a link; so no other machine reaches it. */
const HOST = '127.0.0.1';

export interface Dashboard extends ApiServer {
  /** Signs the local admin in, once, within a quarter of an hour. */
  readonly signInLink: string;
}

/** Throws AppError CONFIG_INVALID for a port that cannot be listened on, and the failures of the store. */
export async function startDashboard(world: ServerWorld, port: number): Promise<Dashboard> {
  const { storage, stores, box, bus, providers, settings, log } = world;
  const now = Date.now;
  const links = sqlSignInLinks(storage.sql, now);
  const reviews = operatorReviews({ stores, sql: storage.sql, box });
  const { handlers, feed } = dashboardApi({ stores, reviews, providers, settings, now, models: storage.models, deadLetters: bus.deadLetters });
  const server = await startApiServer({
    ...{ host: HOST, port, publicOrigin: null, routes: API_ROUTES, feeds: { readFeed: feed }, now, onBug: log.bug },
    handlers: { ...handlers, readSession: async ({ principal }) => ({ body: { principal: personOf(principal), signIn: null } }) },
    identity: createIdentity({ sessions: sqlSessionStore(storage.sql, now), tokens: sqlApiTokens(storage.sql, now), links }),
    answers: sqlAnswerStore(storage.sql, now),
    staticFiles: await builtPages(),
    openApi: openApiDocument(WEIR_VERSION),
  });
  return { ...server, signInLink: `${server.origin}${LINK_PATH}/${await links.make()}` };
}

function personOf<Person extends { readonly subject: string; readonly name: string; readonly role: string }>(principal: Person | null) {
  return principal === null ? null : { subject: principal.subject, name: principal.name, role: principal.role };
}

/** Beside the built program; from sources, where a build has left them. Without them the server says that it has none. */
async function builtPages(): Promise<StaticFiles> {
  const folder = ['dashboard', '../../dist/dashboard'].map(place => path.resolve(import.meta.dirname, place)).find(place => existsSync(place));
  return folder === undefined ? new Map() : readStaticFiles(folder);
}
