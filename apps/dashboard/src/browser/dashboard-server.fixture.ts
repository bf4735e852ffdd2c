/**
 * Serves the built dashboard as the server does: its content security policy, its session, its API with seeds, its feed. A test changes what it
 * answers and sends events; what the pages write is kept.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { API_ROUTES, type ApiRoute } from '@weir/contract';
import type * as api from '../api/resources.ts';
import * as seeds from './seeds.fixture.ts';

const DIST = path.resolve(import.meta.dirname, '../../dist');
const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.html': 'text/html',
  '.woff2': 'font/woff2',
  '.svg': 'image/svg+xml',
};
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

export interface Written {
  readonly method: string;
  readonly path: string;
  readonly key: string | undefined;
  readonly body: unknown;
}

export interface World {
  role: api.Role | null;
  reviews: readonly api.ReviewRow[];
  findings: readonly api.FindingDetail[];
  files: readonly api.DiffFile[];
  inbox: api.Inbox;
  deadLetters: readonly api.DeadLetterRow[];
  /** Answered instead of the seeds, by path below the API. */
  /** Answers need not fit the contract: those of a newer server. */
  unchecked: boolean;
  readonly problems: Map<string, { readonly status: number; readonly body: unknown }>;
}

export interface DashboardServer {
  readonly address: string;
  readonly world: World;
  readonly written: Written[];
  /** The position of the next write is passed when it is sent. */
  event(): string;
  cutFeeds(): void;
  lastEventIds(): readonly string[];
  close(): Promise<void>;
}

interface Query {
  get(name: string): string | null;
}
type Answer = (query: Query, world: World) => unknown;

const cursorPage = <Row>(rows: readonly Row[], query: Query, fallback: number): { items: Row[]; next: string | null } => {
  const from = Number(query.get('cursor') ?? 0);
  const to = from + Number(query.get('limit') ?? fallback);
  return { items: rows.slice(from, to), next: to < rows.length ? String(to) : null };
};

const REPLAYED = { position: null, outcome: 'stored', reason: null };

const IN_FLIGHT = new Set(['queued', 'fetching', 'gathering', 'generating', 'posting']);
const totals = (rows: readonly api.ReviewRow[]): api.ReviewTotals => {
  const inFlight = rows.filter(({ status }) => IN_FLIGHT.has(status ?? '')).length;
  return {
    all: rows.length,
    inFlight,
    needsMe: rows.filter(({ status }) => status === 'refused' || status === 'failed').length,
    ended: rows.length - inFlight,
    endedToday: rows.length - inFlight,
    openBlockers: rows.reduce((sum, { open }) => sum + (open?.blocker ?? 0), 0),
  };
};

function reviewList(query: Query, { reviews }: World): api.ReviewList {
  const statuses = query.get('status')?.split(',');
  const text = (query.get('text') ?? '').toLowerCase();
  const fitting = reviews.filter(
    ({ status, repository, change, archived }) =>
      String(archived) === (query.get('archived') ?? 'false') &&
      (statuses === undefined || statuses.includes(status ?? '')) &&
      `${repository}#${change?.number} ${change?.title}`.toLowerCase().includes(text) &&
      repository?.includes(query.get('repository') ?? ''),
  );
  return { ...cursorPage(fitting, query, 50), totals: totals(reviews) };
}

const list =
  <Row>(rows: readonly Row[]): Answer =>
  query =>
    cursorPage(rows, query, 100);

/** The route of the contract that a call is for. A call of none, or one that its schemas refuse, is the page's fault. */
function routeOf(method: string, pathname: string): ApiRoute {
  const parts = pathname.split('/');
  const fits = ({ path: template }: ApiRoute): boolean => {
    const names = template.split('/');
    return names.length === parts.length && names.every((name, index) => name.startsWith('{') || name === parts[index]);
  };
  const routes = API_ROUTES.filter(route => route.method === method && fits(route)).toSorted((a, b) => a.path.split('{').length - b.path.split('{').length);
  const [route] = routes;
  if (route === undefined) throw new Error(`The API has no ${method} ${pathname}.`);
  return route;
}

const READS: readonly (readonly [RegExp, (match: RegExpExecArray) => Answer])[] = [
  [/^\/inbox$/u, () => (_, world) => world.inbox],
  [/^\/reviews$/u, () => reviewList],
  [/^\/reviews\/why$|^\/reviews\/[0-9a-f]+\/why$|^\/spend\/why$/u, () => query => ({ ...seeds.WHY, figure: query.get('figure') })],
  [
    /^\/reviews\/[0-9a-f]+\/diff$/u,
    () => (query, world) => ({ ...cursorPage(world.files, query, 20), round: 3, head: '1f7ab3d', files: world.files.length, warnings: [] }),
  ],
  [/^\/reviews\/[0-9a-f]+\/events$/u, () => list(seeds.EVENTS)],
  [
    /^\/reviews\/([0-9a-f]+)$/u,
    match => (_, world) => {
      const row = world.reviews.find(({ id }) => id === match[1]);
      return row && { ...seeds.detailOf(row), findings: world.findings };
    },
  ],
  [/^\/repositories$/u, () => list(seeds.REPOSITORIES)],
  [/^\/accounts$/u, () => list(seeds.ACCOUNTS)],
  [/^\/providers$/u, () => list(seeds.PROVIDERS)],
  [
    /^\/models$/u,
    () =>
      (query, { role }) =>
        cursorPage(seeds.modelsFor(role ?? 'viewer'), query, 100),
  ],
  [/^\/specialists$/u, () => list(seeds.SPECIALISTS)],
  [/^\/spend$/u, () => () => seeds.SPEND],
  [
    /^\/events$/u,
    () => query =>
      cursorPage(
        seeds.EVENTS.toReversed().filter(({ type }) => type.includes(query.get('type') ?? '')),
        query,
        100,
      ),
  ],
  [/^\/deliveries$/u, () => list(seeds.DELIVERIES)],
  [/^\/dead-letters$/u, () => (query, world) => cursorPage(world.deadLetters, query, 100)],
  [/^\/settings$/u, () => list(seeds.SETTINGS)],
  [/^\/first-run$/u, () => () => ({ steps: seeds.FIRST_RUN })],
];

const readBody = async (request: IncomingMessage): Promise<unknown> => {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text === '' ? undefined : JSON.parse(text);
};

const json = (response: ServerResponse, status: number, body: unknown): void => {
  response.writeHead(status, { 'content-type': status < 400 ? 'application/json' : 'application/problem+json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(body));
};

function sendFile(response: ServerResponse, pathname: string): void {
  const wanted = path.join(DIST, path.normalize(pathname));
  const file = wanted.startsWith(DIST) && existsSync(wanted) && statSync(wanted).isFile() ? wanted : path.join(DIST, 'index.html');
  response.writeHead(200, {
    'content-type': TYPES[path.extname(file)] ?? 'application/octet-stream',
    'content-security-policy': POLICY,
    'x-content-type-options': 'nosniff',
  });
  response.end(readFileSync(file));
}

function read(world: World, pathname: string, query: Query): { readonly status: number; readonly body: unknown } {
  const problem = world.problems.get(pathname);
  if (problem !== undefined) return problem;
  if (pathname === '/session') return { status: 200, body: { principal: world.role && { subject: 'u1', name: 'j.lee', role: world.role }, signIn: null } };
  if (world.role === null) return { status: 401, body: { title: 'No session.', code: 'UNAUTHENTICATED' } };
  for (const [pattern, answer] of READS) {
    const match = pattern.exec(pathname);
    const body = match === null ? undefined : answer(match)(query, world);
    if (body !== undefined) return { status: 200, body };
  }
  return { status: 404, body: { title: 'There is no such thing.', code: 'NOT_FOUND', next: 'Look at the list.' } };
}

export const freshWorld = (): World => ({
  role: 'admin',
  reviews: seeds.REVIEWS,
  findings: seeds.FINDINGS,
  files: seeds.FILES,
  inbox: seeds.INBOX,
  deadLetters: seeds.DEAD_LETTERS,
  unchecked: false,
  problems: new Map(),
});

export async function startDashboard(): Promise<DashboardServer> {
  const world = freshWorld();
  const written: Written[] = [];
  const feeds = new Set<ServerResponse>();
  const lastIds: string[] = [];
  let place = 10;

  const openFeed = (request: IncomingMessage, response: ServerResponse, query: Query): void => {
    lastIds.push(String(request.headers['last-event-id'] ?? query.get('after') ?? ''));
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    response.write(': open\n\n');
    feeds.add(response);
    response.on('close', () => feeds.delete(response));
  };
  const write = async (request: IncomingMessage, response: ServerResponse, { pathname, route }: { pathname: string; route: ApiRoute }): Promise<void> => {
    const key = request.headers['idempotency-key'];
    const body = await readBody(request);
    route.body?.parse(body);
    written.push({ method: request.method ?? '', path: pathname, key: typeof key === 'string' ? key : undefined, body });
    if (pathname === '/session') world.role = null;
    const problem = world.problems.get(pathname);
    if (problem !== undefined) return json(response, problem.status, problem.body);
    if (world.role === 'viewer') return json(response, 403, { title: 'Only an administrator may do that.', code: 'FORBIDDEN' });
    if (route.answer === null) return void response.writeHead(204).end();
    json(response, 200, route.answer.parse(route.id === 'replayDelivery' ? REPLAYED : { position: `900-${place + 1}` }));
  };

  const server = createServer((request, response) => {
    const address = new URL(request.url ?? '/', 'http://dashboard');
    if (!address.pathname.startsWith('/api/v1')) return sendFile(response, address.pathname);
    const pathname = decodeURIComponent(address.pathname.slice('/api/v1'.length));
    const route = routeOf(request.method ?? '', address.pathname.slice('/api/v1'.length));
    const asked = route.query.safeParse(Object.fromEntries(address.searchParams));
    if (!asked.success) return json(response, 400, { title: `The query does not fit: ${asked.error.message}`, code: 'REQUEST_INVALID' });
    if (request.method !== 'GET') return void write(request, response, { pathname, route });
    if (pathname === '/feed' && world.role !== null) return openFeed(request, response, address.searchParams);
    const { status, body } = read(world, pathname, address.searchParams);
    json(response, status, status === 200 && !world.unchecked ? route.answer?.parse(body) : body);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    world,
    written,
    event() {
      place += 1;
      for (const feed of feeds) feed.write(`id: 900-${place}\nevent: event\ndata: {}\n\n`);
      return `900-${place}`;
    },
    cutFeeds: () => {
      for (const feed of feeds) feed.destroy();
    },
    lastEventIds: () => lastIds,
    close: () => {
      server.closeAllConnections();
      return new Promise(resolve => server.close(() => resolve()));
    },
  };
}
