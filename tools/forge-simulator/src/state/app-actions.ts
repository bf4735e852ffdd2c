/** Apps of GitHub: made by hand or from a manifest, and installed on every repository. */
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { uuidOf } from './account.ts';
import type { App, World } from './world.ts';

type NewApp = Pick<App, 'slug' | 'publicKey' | 'hook'> & { readonly by: string };

export function addApp(world: World, { slug, publicKey, hook, by }: NewApp): App {
  const bot = world.addAccount({ login: `${slug}[bot]`, kind: 'bot' });
  const app: App = { id: world.id('app'), slug, publicKey, hook, bot, by: world.account(by), installation: null };
  world.apps.push(app);
  return app;
}

/** From now on its bot writes in every repository, and its hook hears of each. */
export function installApp(world: World, app: App): number {
  const installation = world.id('installation');
  app.installation = installation;
  for (const repository of world.repositories) {
    repository.permissions.set(app.bot.id, 'write');
    if (app.hook === null) continue;
    const { url, secret, events } = app.hook;
    const id = world.id('hook');
    const at = world.now();
    const more = { signingToken: null, contentType: 'json' as const, active: true, createdAt: at, updatedAt: at, fields: {} };
    repository.hooks.push({ ...more, id, uuid: uuidOf(`hook ${id}`), url, secret, events: [...events] });
  }
  return installation;
}

/** Permissions and events that the forge knows, and what an event takes. */
const PERMISSIONS = new Set(['checks', 'contents', 'issues', 'metadata', 'pull_requests', 'repository_hooks', 'statuses']);
const EVENTS: Readonly<Record<string, string>> = {
  check_run: 'checks',
  issue_comment: 'issues',
  issues: 'issues',
  pull_request: 'pull_requests',
  pull_request_review: 'pull_requests',
  pull_request_review_comment: 'pull_requests',
  pull_request_review_thread: 'pull_requests',
  push: 'contents',
  repository: 'metadata',
  status: 'statuses',
};

interface Manifest {
  readonly name?: string;
  readonly url?: string;
  readonly redirect_url?: string;
  readonly hook_attributes?: { readonly url?: string };
  readonly default_permissions?: Readonly<Record<string, string>>;
  readonly default_events?: readonly string[];
}

function checkManifest({ url, redirect_url, hook_attributes, default_permissions = {}, default_events = [] }: Manifest): void {
  const addresses = [url, redirect_url, ...(hook_attributes === undefined ? [] : [hook_attributes.url])];
  if (addresses.some(address => address === undefined || !URL.canParse(address))) throw new Error('the manifest lacks an address');
  const strange = Object.entries(default_permissions).filter(([name, level]) => !PERMISSIONS.has(name) || !['read', 'write'].includes(level));
  const unheard = default_events.filter(event => default_permissions[EVENTS[event] ?? ''] === undefined);
  if (strange.length + unheard.length > 0) throw new Error(`the manifest asks for ${JSON.stringify({ strange, unheard })}`);
}

export function takeManifest(world: World, { manifest, state, by }: { readonly manifest: string; readonly state: string; readonly by: string }): string {
  const asked = JSON.parse(manifest) as Manifest;
  checkManifest(asked);
  const { publicKey, privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2_048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  });
  const slug = (asked.name ?? `app-${world.apps.length + 1}`).toLowerCase().replace(/[^a-z0-9]+/g, '-');
  const url = asked.hook_attributes?.url;
  const hook = url === undefined ? null : { url, secret: randomBytes(20).toString('hex'), events: asked.default_events ?? [] };
  const code = randomBytes(20).toString('hex');
  world.conversions.set(code, { app: addApp(world, { slug, publicKey, hook, by }), privateKey });
  const back = new URL(asked.redirect_url ?? '');
  back.searchParams.set('code', code);
  back.searchParams.set('state', state);
  return back.href;
}
