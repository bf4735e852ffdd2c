/**
 * Starts a simulated forge on this machine: real paths, real git, strict about what it is asked.
 * One call gives its addresses, its accounts, its logs and its switches; `close` leaves nothing behind.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { bitbucketDialect } from './bitbucket/bitbucket-dialect.ts';
import { loadDescription } from './description/load-description.ts';
import { giteaDialect } from './gitea/gitea-dialect.ts';
import { githubDialect } from './github/github-dialect.ts';
import { gitlabDialect } from './gitlab/gitlab-dialect.ts';
import type { DeliveryRecord, Dialect, ForgeKind } from './http/dialect.ts';
import type { Faults } from './http/faults.ts';
import { ForgeServer, type SeenRequest, type Violation } from './http/forge-server.ts';
import { Seed } from './state/seed.ts';
import { World } from './state/world.ts';
import { WebhookSender } from './webhooks/webhook-sender.ts';

export interface ForgeOptions {
  readonly kind: ForgeKind;
  /** 0, the default, takes a free port. */
  readonly port?: number;
  /** A description file to check requests against, or false for the package's own facts. Default: the specs folder, else the facts. */
  readonly spec?: string | false;
  /** Most items on a page, where the forge lets its operator choose (Gitea, Forgejo: 50). */
  readonly pageMaximum?: number;
  /** The forge's clock. */
  readonly now?: () => Date;
}

export interface Forge {
  readonly kind: ForgeKind;
  /** Origin of the forge, without a slash at the end. */
  readonly url: string;
  /** What a client's base URL is: the origin and the API's prefix. */
  readonly apiUrl: string;
  /** A second origin, where downloads redirect to; its requests are logged apart. */
  readonly downloadUrl: string;
  readonly seed: Seed;
  readonly world: World;
  readonly requests: readonly SeenRequest[];
  readonly downloads: readonly { readonly path: string; readonly headers: Readonly<Record<string, unknown>> }[];
  /** Requests that broke the published description. A test asserts that there are none. */
  readonly violations: readonly Violation[];
  readonly deliveries: readonly DeliveryRecord[];
  readonly faults: Faults;
  /** What requests are checked against. */
  readonly checkedAgainst: () => 'published' | 'facts';
  /** The secret of an account. */
  token(login: string): string;
  /** Waits until every webhook was delivered. */
  settled(): Promise<void>;
  redeliver(deliveryId: number): boolean;
  close(): Promise<void>;
}

const DIALECTS: Readonly<Record<ForgeKind, (pageMaximum?: number) => Dialect>> = {
  github: () => githubDialect(),
  gitlab: () => gitlabDialect(),
  gitea: pageMaximum => giteaDialect('gitea', pageMaximum),
  forgejo: pageMaximum => giteaDialect('forgejo', pageMaximum),
  'bitbucket-cloud': () => bitbucketDialect(),
};

export async function startForge(options: ForgeOptions): Promise<Forge> {
  const dialect = DIALECTS[options.kind](options.pageMaximum);
  const world = new World(dialect.numbering, options.now ?? (() => new Date()), dialect.draftPrefix ?? null);
  const description = () => loadDescription(dialect.description, options.spec);
  const server = new ForgeServer(dialect, world, description);
  const url = await server.listen(options.port ?? 0);
  const store = await startDownloads(world);
  const site = { url, apiUrl: `${url}${dialect.apiPrefix}`, downloadUrl: store.url };
  const sender = new WebhookSender(dialect, site, world);
  server.mount(site, {
    ping: hook => pingHook(world, hook.id),
    redeliver: id => sender.redeliver(id),
    deliveries: hook => sender.deliveries.filter(delivery => delivery.hook === hook.id),
    test: (happening, hook) => sender.tell(happening, [hook]),
  });
  return {
    kind: options.kind,
    ...site,
    seed: new Seed(world),
    world,
    requests: server.requests,
    downloads: store.downloads,
    violations: server.violations,
    deliveries: sender.deliveries,
    faults: server.faults,
    checkedAgainst: () => description().origin,
    token: login => world.account(login).token,
    settled: () => sender.settled(),
    redeliver: id => sender.redeliver(id),
    close: async () => {
      await Promise.all([server.close(), store.close()]);
      await sender.settled();
      await world.close();
    },
  };
}

function pingHook(world: World, hookId: number): void {
  for (const repository of world.repositories)
    for (const hook of repository.hooks) if (hook.id === hookId) world.happen({ kind: 'ping', repository, by: repository.owner, hook });
}

interface Downloads {
  readonly url: string;
  readonly downloads: { readonly path: string; readonly headers: Readonly<Record<string, unknown>> }[];
  readonly close: () => Promise<void>;
}

/** The other origin: serves archives by `/<owner>/<name>/<format>/<commit>` to anyone, and remembers which headers arrived. */
async function startDownloads(world: World): Promise<Downloads> {
  const downloads: Downloads['downloads'] = [];
  const server: Server = createServer((message, response) => {
    downloads.push({ path: message.url ?? '', headers: message.headers });
    const [, owner, name, format, commit = ''] = (message.url ?? '').split('/');
    const repository = world.repositories.find(one => one.fullName === `${owner}/${name}`);
    if (repository === undefined || (format !== 'tar.gz' && format !== 'zip')) return void response.writeHead(404).end();
    repository.git.archive(commit, format, `${owner}-${name}-${commit.slice(0, 7)}`).then(
      bytes =>
        response.writeHead(200, { 'content-type': format === 'zip' ? 'application/zip' : 'application/x-gzip', 'content-length': bytes.length }).end(bytes),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const close = (): Promise<void> =>
    new Promise(resolve => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, downloads, close };
}
