/**
 * The hermetic server of one forge: reads a request, holds it against the description, routes it, pages, answers.
 * Every request is logged, every breach of the description is a violation; nothing here knows one forge from another.
 */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Description } from '../description/load-description.ts';
import type { Problem } from '../description/problem.ts';
import type { World } from '../state/world.ts';
import { type Answer, type Call, type Handler, Refusal } from './call.ts';
import type { Dialect, ForgeServices, Site } from './dialect.ts';
import { faultAnswer } from './fault-answers.ts';
import { type Fault, Faults } from './faults.ts';
import { Fields } from './fields.ts';
import { TemplateIndex } from './path-template.ts';
import { type ParsedBody, parseBody, readRaw } from './read-body.ts';
import { answerBytes, sendAnswer } from './send-answer.ts';

export interface SeenRequest {
  readonly method: string;
  /** Path and query as they were sent. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly account: string | null;
  /** The description's name for the operation. */
  readonly operation: string | null;
  /** Null while unanswered, and for a connection that was reset. */
  status: number | null;
  fault: Fault['kind'] | null;
}

export interface Violation extends Problem {
  readonly request: string;
  readonly operation: string | null;
}

/** Problems that make a vendor refuse the request; it overlooks the others. */
const REFUSED: ReadonlySet<Problem['kind']> = new Set(['missing-field', 'bad-field', 'missing-body']);

const PAGE_HEADER = /^(?:link|x-(?:next-|prev-)?page|x-total(?:-count|-pages)?)$/;

export class ForgeServer {
  readonly requests: SeenRequest[] = [];
  readonly violations: Violation[] = [];
  readonly faults = new Faults();
  readonly #dialect: Dialect;
  readonly #world: World;
  readonly #description: () => Description;
  readonly #server: Server;
  #routes = new TemplateIndex<Handler>([]);

  constructor(dialect: Dialect, world: World, description: () => Description) {
    this.#dialect = dialect;
    this.#world = world;
    this.#description = description;
    this.#server = createServer((message, response) => {
      this.#serve(message, response).catch((error: unknown) => {
        // A bug of the simulator: loud in the answer and in the list that tests look at.
        this.violations.push({
          kind: 'not-simulated',
          place: '',
          detail: String(error instanceof Error ? error.stack : error),
          request: `${message.method} ${message.url}`,
          operation: null,
        });
        if (!response.headersSent) response.writeHead(500, { 'content-type': 'text/plain' });
        response.end('the simulator failed');
      });
    });
  }

  async listen(port: number): Promise<string> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, '127.0.0.1', resolve);
    });
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  mount(site: Site, services: ForgeServices): void {
    const routes = this.#dialect.routes(this.#world, site, services);
    this.#routes = new TemplateIndex(
      Object.entries(routes).map(([key, target]) => ({ method: key.slice(0, key.indexOf(' ')), text: key.slice(key.indexOf(' ') + 1), target })),
    );
  }

  async close(): Promise<void> {
    await new Promise<void>(resolve => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }

  async #serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const raw = await readRaw(message);
    const { call, parsed } = this.#read(message, raw);
    const fault = this.faults.take(call.method, call.url.pathname + call.url.search);
    const seen: SeenRequest = {
      method: call.method,
      path: call.url.pathname + call.url.search,
      headers: call.headers,
      body: raw,
      account: null,
      operation: null,
      status: null,
      fault: fault?.kind ?? null,
    };
    this.requests.push(seen);
    if (!(await goesOn(fault, message))) return;
    const replaced = fault === null ? null : faultAnswer(fault, call.url, this.#dialect.words, this.#world.now());
    const answer = replaced ?? (await this.#answer({ call, parsed, seen: this.requests.length - 1, fault }));
    if (fault?.kind === 'reset-after') return void message.socket.destroy();
    const finished = this.#finish(call, answer, fault);
    seen.status = finished.status;
    await sendAnswer(response, finished, fault);
  }

  #read(message: IncomingMessage, raw: Buffer): { readonly call: Call; readonly parsed: ParsedBody } {
    const headers: Record<string, string> = {};
    for (const [name, value] of Object.entries(message.headers)) if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : value;
    const url = new URL(message.url ?? '/', `http://${headers['host'] ?? '127.0.0.1'}`);
    const parsed = parseBody(raw, headers['content-type'] ?? '');
    const path = url.pathname.startsWith(`${this.#dialect.apiPrefix}/`) ? url.pathname.slice(this.#dialect.apiPrefix.length) : url.pathname;
    const call = {
      method: message.method ?? 'GET',
      url,
      path,
      query: url.searchParams,
      headers,
      raw,
      body: parsed.value,
      fields: new Fields(parsed.value),
      params: {},
      account: null,
    };
    return { call, parsed };
  }

  async #answer(arrival: { readonly call: Call; readonly parsed: ParsedBody; readonly seen: number; readonly fault: Fault | null }): Promise<Answer> {
    const { parsed, fault } = arrival;
    const credentials = this.#dialect.authenticate(arrival.call, this.#world);
    const call = { ...arrival.call, account: credentials.account };
    const checked = this.#check(call, credentials.problem);
    this.requests[arrival.seen] = Object.assign(this.requests[arrival.seen] as SeenRequest, {
      account: credentials.account?.login ?? null,
      operation: checked.operation,
    });
    const early = this.#dialect.gate?.(call) ?? credentials.refusal;
    if (early !== undefined && early !== null) return early;
    const route = this.#routes.find(call.method, call.path);
    if (route === undefined) return this.#unrouted(call, checked.known);
    if (parsed.problem !== null) return this.#dialect.unreadable();
    const refused = checked.problems.filter(problem => REFUSED.has(problem.kind));
    if (refused.length > 0) return this.#dialect.invalid(refused, call);
    const answer = await runRoute(route.target, { ...call, params: route.params });
    return answer.list === undefined ? answer : this.#dialect.page(call, answer, fault);
  }

  /** Checks what is under the API's prefix; a route of the forge's own pages is in no description. */
  #check(
    call: Call,
    credentialProblem: string | undefined,
  ): { readonly known: boolean; readonly operation: string | null; readonly problems: readonly Problem[] } {
    const outside = call.path === call.url.pathname && this.#dialect.apiPrefix !== '';
    const unlisted = this.#routes.find(call.method, call.path)?.text === '/graphql';
    const checked = outside || unlisted ? { known: false, operation: null, problems: [] } : this.#description().check(call);
    const extra = outside ? [] : (this.#dialect.checkHeaders?.(call) ?? []);
    const problems = [
      ...checked.problems,
      ...extra,
      ...(credentialProblem === undefined ? [] : [{ kind: 'credential', place: '', detail: credentialProblem } as const]),
    ];
    for (const problem of problems) this.#violate(call, checked.operation, problem);
    return { ...checked, problems };
  }

  #violate(call: Call, operation: string | null, problem: Problem): void {
    this.violations.push({ ...problem, request: `${call.method} ${call.url.pathname}${call.url.search}`, operation });
  }

  #unrouted(call: Call, known: boolean): Answer {
    if (!known) return this.#dialect.notFound();
    this.#violate(call, null, { kind: 'not-simulated', place: call.path, detail: 'the description has it, the simulator does not' });
    return { status: 501, body: { message: `not simulated: ${call.method} ${call.path}` } };
  }

  #finish(call: Call, answer: Answer, fault: Fault | null): Answer {
    const conditional = this.#dialect.conditional && call.method === 'GET' && answer.status === 200;
    const etag = conditional ? `W/"${createHash('sha256').update(answerBytes(answer).bytes).digest('hex')}"` : null;
    const unchanged = etag !== null && call.headers['if-none-match'] === etag;
    const said = this.#dialect.headers(call, unchanged ? { status: 304 } : answer, this.#world);
    const headers: Record<string, string> = { ...said, ...answer.headers, ...(etag !== null && { etag }) };
    spoilHeaders(headers, fault);
    if (unchanged) return { status: 304, headers };
    return { ...answer, headers };
  }
}

/** A secondary limit leaves calls to make; a page without headers tells of no other. */
function spoilHeaders(headers: Record<string, string>, fault: Fault | null): void {
  for (const name of Object.keys(headers)) {
    if (fault?.kind === 'secondary-limit' && name.startsWith('x-ratelimit-remaining')) headers[name] = '4321';
    if (fault?.kind === 'no-page-headers' && PAGE_HEADER.test(name)) delete headers[name];
  }
}

async function runRoute(handle: Handler, call: Call): Promise<Answer> {
  try {
    return await handle(call);
  } catch (error) {
    if (error instanceof Refusal) return error.answer;
    throw error;
  }
}

/** What a fault does before there is an answer. False where there is none. */
async function goesOn(fault: Fault | null, message: IncomingMessage): Promise<boolean> {
  if (fault?.kind === 'reset-before') message.socket.destroy();
  if (fault?.kind === 'meanwhile') await fault.happens();
  return fault?.kind !== 'reset-before' && fault?.kind !== 'hang';
}
