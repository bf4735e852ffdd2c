/** GitHub: who is asking, other users, permissions, apps and their installation tokens. */
import { randomBytes, verify } from 'node:crypto';
import { type Answer, type Call, json, list, type RouteTable } from '../http/call.ts';
import type { Site } from '../http/dialect.ts';
import { isRecord } from '../http/fields.ts';
import type { RepositoryGuard } from '../http/repository-route.ts';
import { type Account, allows, type Permission } from '../state/account.ts';
import type { App, World } from '../state/world.ts';
import { iso, need, nodeId, refuse } from './github-words.ts';
import { printOwnUser, printPermissions, printRepository, printUser } from './print-account.ts';

type Json = Record<string, unknown>;
const TOKEN_LIFE_MS = 3_600_000;
const JWT_LIFE_S = 600;

/** The old permission word: maintain counts as write, triage as read. */
const legacy = (held: Permission): string => (held === 'maintain' ? 'write' : held === 'triage' ? 'read' : held);

export function accountRoutes(world: World, site: Site, guard: RepositoryGuard): RouteTable {
  const user = (login: string | undefined): Account => need(world.accounts.find(account => account.login === login && account.kind !== 'organization'));
  return {
    'GET /user': call =>
      call.account === null
        ? refuse(401, 'Requires authentication')
        : call.account.kind === 'bot'
          ? refuse(403, 'Resource not accessible by integration')
          : json(printOwnUser(site, call.account)),
    'GET /users/{username}': call => json(printOwnUser(site, user(call.params['username']))),
    'GET /rate_limit': () =>
      json({
        resources: { core: freshBudget(world, 5000), search: freshBudget(world, 30), graphql: freshBudget(world, 5000) },
        rate: freshBudget(world, 5000),
      }),
    'GET /repos/{owner}/{repo}': guard('read', (call, repository) => json(printRepository(site, repository, world.permission(repository, call.account)))),
    'GET /repos/{owner}/{repo}/collaborators/{username}/permission': guard('write', (call, repository) => {
      const account = user(call.params['username']);
      const held = world.permission(repository, account);
      return json({ permission: legacy(held), role_name: held, user: { ...printUser(site, account), role_name: held, permissions: printPermissions(held) } });
    }),
    'GET /repos/{owner}/{repo}/collaborators': guard('write', (_, repository) =>
      list(
        world.accounts
          .filter(account => allows(repository.permissions.get(account.id) ?? 'none', 'read'))
          .map(account => ({ ...printUser(site, account), permissions: printPermissions(world.permission(repository, account)) })),
      ),
    ),
    'GET /app': call => asApp(world, call, app => json(printApp(site, app))),
    'POST /app-manifests/{code}/conversions': call => convertManifest(world, site, call),
    'GET /app/installations': call => asApp(world, call, app => list(app.installation === null ? [] : [printInstallation(site, app)])),
    'GET /app/installations/{installation_id}': call =>
      asApp(world, call, app => (String(app.installation) === call.params['installation_id'] ? json(printInstallation(site, app)) : refuse(404, 'Not Found'))),
    'POST /app/installations/{installation_id}/access_tokens': call => asApp(world, call, app => mint(world, call, app)),
    'GET /repos/{owner}/{repo}/installation': call => asApp(world, call, app => json(printInstallation(site, app))),
    'GET /installation/repositories': call => {
      if (call.account?.kind !== 'bot')
        return refuse(403, 'You must authenticate with an installation access token in order to list repositories for an installation.');
      const held = world.repositories.filter(repository => world.may(repository, call.account, 'read'));
      return list(
        held.map(repository => printRepository(site, repository, 'write')),
        (page, total) => ({ total_count: total, repository_selection: 'all', repositories: page }),
      );
    },
  };
}

const freshBudget = (world: World, limit: number): Json => ({ limit, used: 0, remaining: limit, reset: Math.floor(world.now().getTime() / 1000) + 3600 });

/** Runs with the app whose private key signed the bearer JWT; GitHub takes no older token than ten minutes. */
function asApp(world: World, call: Call, handle: (app: App) => Answer): Answer {
  const jwt = /^bearer (.+)$/i.exec(call.headers['authorization'] ?? '')?.[1] ?? '';
  const app = appOfJwt(world, jwt);
  return app === null ? refuse(401, 'A JSON web token could not be decoded') : handle(app);
}

export function appOfJwt(world: World, jwt: string): App | null {
  const [head = '', claims = '', signature = ''] = jwt.split('.');
  const payload = decodePart(claims);
  const header = decodePart(head);
  if (header?.['alg'] !== 'RS256' || payload === null) return null;
  const app = world.apps.find(one => String(one.id) === String(payload['iss']));
  const now = Math.floor(world.now().getTime() / 1000);
  const [issued, ends] = [Number(payload['iat']), Number(payload['exp'])];
  if (app === undefined || !(ends > now) || ends - issued > JWT_LIFE_S + 60 || issued > now + 60) return null;
  return verify('sha256', Buffer.from(`${head}.${claims}`), app.publicKey, Buffer.from(signature, 'base64url')) ? app : null;
}

function decodePart(part: string): Json | null {
  const text = Buffer.from(part, 'base64url').toString();
  if (!text.startsWith('{')) return null;
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function mint(world: World, call: Call, app: App): Answer {
  if (String(app.installation) !== call.params['installation_id']) return refuse(404, 'Not Found');
  const token = `simulated-installation-${randomBytes(16).toString('hex')}`;
  const expires = new Date(world.now().getTime() + TOKEN_LIFE_MS);
  world.minted.set(token, { app, expires });
  return json(
    {
      token,
      expires_at: iso(expires),
      permissions: { contents: 'write', checks: 'write', issues: 'write', metadata: 'read', pull_requests: 'write', statuses: 'write' },
      repository_selection: 'all',
    },
    201,
  );
}

/** Needs no credential; a code is worth its app's secrets once. */
function convertManifest(world: World, site: Site, call: Call): Answer {
  const code = call.params['code'] ?? '';
  const conversion = world.conversions.get(code);
  if (conversion === undefined) return refuse(404, 'Not Found');
  world.conversions.delete(code);
  const { app, privateKey } = conversion;
  const secrets = { client_secret: randomBytes(20).toString('hex'), webhook_secret: app.hook?.secret ?? null, pem: privateKey };
  return json({ ...printApp(site, app), ...secrets }, 201);
}

const printApp = (site: Site, app: App): Json => ({
  id: app.id,
  slug: app.slug,
  node_id: nodeId('A', app.id),
  client_id: `Iv1.${app.id}`,
  owner: printUser(site, app.by),
  name: app.slug,
  description: '',
  external_url: site.url,
  html_url: `${site.url}/apps/${app.slug}`,
  created_at: '2020-01-01T00:00:00Z',
  updated_at: '2020-01-01T00:00:00Z',
  permissions: { contents: 'write', metadata: 'read', pull_requests: 'write' },
  events: ['pull_request'],
});

const printInstallation = (site: Site, app: App): Json => ({
  id: app.installation,
  account: printUser(site, app.by),
  access_tokens_url: `${site.apiUrl}/app/installations/${app.installation}/access_tokens`,
  repositories_url: `${site.apiUrl}/installation/repositories`,
  html_url: `${site.url}/settings/installations/${app.installation}`,
  app_id: app.id,
  app_slug: app.slug,
  target_id: app.by.id,
  target_type: 'User',
  repository_selection: 'all',
  permissions: { contents: 'write', metadata: 'read', pull_requests: 'write' },
  events: ['pull_request'],
  single_file_name: null,
  suspended_at: null,
  suspended_by: null,
});
