/**
 * A model vendor for tests that speaks Responses, Chat Completions and Messages, checks each request against the vendor's rules, and leads an
 * agent through a scenario. It shares no code with the gateway that it tests.
 */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chat } from './chat/chat.ts';
import type { Conversation } from './conversation.ts';
import { FAULTS, type Fault, type FaultName, faultOf, type Instead } from './faults.ts';
import { countTokensRequest } from './messages/request.ts';
import { messages } from './messages/messages.ts';
import { judge, nextTurn, replyFor } from './next-reply.ts';
import type { Protocol } from './protocol.ts';
import { createRecorder, type Recorder, type Recording, type SeenRequest } from './recording.ts';
import { responses } from './responses/responses.ts';
import { ruleProblems } from './rule-problems.ts';
import type { Scenario } from './scenario.ts';
import { sendStream, sendWhole } from './send.ts';
import { type ServedUsage, usageOf } from './usage.ts';

export interface ScriptedUpstreamOptions {
  /** 0 takes a free one. */
  readonly port?: number;
  /** Needed on every request: as bearer, for Messages also as `x-api-key`. */
  readonly key: string;
}

export interface ScriptedUpstream {
  readonly origin: string;
  /** Begins a new run; every request from now on belongs to it. `faults` are played in place of its first turns, one each. */
  readonly begin: (scenario: Scenario, faults?: readonly FaultName[]) => Recording;
  /** Connections that are open right now. */
  readonly connections: () => Promise<number>;
  readonly close: () => Promise<void>;
}

const PROTOCOLS: readonly Protocol[] = [responses, chat, messages];
const MAX_BODY_BYTES = 64_000_000;
const COUNTED_TOKENS = 1_234;

async function readBody(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let total = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    total += chunk.length;
    if (total > MAX_BODY_BYTES) throw new Error('The request is larger than the scripted upstream takes.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // What is no JSON breaks the first rule of each schema, and is told so.
    return undefined;
  }
}

const sendJson = (response: ServerResponse, status: number, value: unknown): void =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));

function outsideProblems(protocol: Protocol, headers: IncomingHttpHeaders, key: string): readonly string[] {
  const bearer = headers.authorization === `Bearer ${key}`;
  const known = bearer || (protocol.name === 'messages' && headers['x-api-key'] === key);
  const type = headers['content-type']?.split(';', 1)[0]?.trim();
  return [
    ...(known ? [] : ['Incorrect API key provided.']),
    ...(type === 'application/json' ? [] : [`Content-Type must be application/json, not ${type ?? 'absent'}.`]),
  ];
}

/** A run in progress: its script, its record, and the faults that are still to come. */
interface Run {
  readonly scenario: Scenario;
  readonly recorder: Recorder;
  readonly faults: FaultName[];
}

/** @returns whether the fault has taken the place of the reply. */
function playInstead(response: ServerResponse, fault: Fault, instead: Instead | undefined): boolean {
  if (instead === undefined) return fault.neverBegins === true;
  response.writeHead(instead.status, { 'content-type': instead.type, ...instead.headers }).end(instead.body);
  return true;
}

/** What a reply will have cost when it is told whole. A page is no word of the vendor's that it served nothing. */
function servedBy(fault: Fault, instead: Instead | undefined, usage: ServedUsage): SeenRequest['served'] {
  if (instead !== undefined) return instead.type === 'text/html' ? 'unknown' : null;
  if (fault.neverBegins === true) return null;
  return fault.events !== undefined || fault.hidesUsage === true ? 'unknown' : usage;
}

/** Whether the agent can act on the reply. */
const isTold = (fault: Fault): boolean => fault.instead === undefined && fault.neverBegins !== true && fault.events === undefined;

const toldBy = (fault: Fault, conversation: Conversation, usage: ServedUsage): ServedUsage | null =>
  fault.hidesUsage === true || !conversation.wantsUsage ? null : usage;

/** Answers one understood request, and records what was served. */
async function answer(run: Run, protocol: Protocol, conversation: Conversation, body: unknown, response: ServerResponse): Promise<void> {
  const { recorder, scenario, faults } = run;
  const number = recorder.requests.length + 1;
  const turn = nextTurn(conversation, scenario, (step, place) => `${protocol.callPrefix}_${step}_${place}_${number}`);
  const name = faultOf(conversation.model) ?? (turn.asker === 'agent' ? faults.shift() : undefined) ?? null;
  const fault: Fault = name === null ? {} : FAULTS[name];
  const usage = usageOf(number, { ...protocol.counts(conversation), full: turn.full });
  const instead = fault.instead?.(protocol);
  const served = servedBy(fault, instead, usage);
  recorder.note(judge(conversation, scenario));
  const entry = recorder.add({
    number,
    protocol: protocol.name,
    model: conversation.model,
    status: instead?.status ?? 200,
    violations: [],
    fault: name,
    asker: turn.asker,
    step: isTold(fault) ? turn.step : null,
    last: isTold(fault) && turn.last,
    served,
    body,
  });
  if (playInstead(response, fault, instead)) return;
  response.once('close', () => {
    if (!response.writableFinished) entry.brokeOff();
  });
  const send = conversation.stream ? sendStream : sendWhole;
  await send(response, protocol, replyFor(turn, conversation, String(number), toldBy(fault, conversation, usage)), fault);
}

function refuse(run: Run, protocol: Protocol, violations: readonly string[], body: unknown, response: ServerResponse): void {
  const number = run.recorder.requests.length + 1;
  const model = typeof body === 'object' && body !== null && 'model' in body ? String(body.model) : '';
  run.recorder.add({ number, protocol: protocol.name, model, status: 400, violations, fault: null, asker: null, step: null, last: false, served: null, body });
  sendJson(response, 400, protocol.failure(400, violations.join(' '), null));
}

/** The small endpoints beside the three that answer with a model's words. */
function serveRest(incoming: IncomingMessage, path: string, body: unknown, response: ServerResponse): void {
  if (incoming.method === 'GET' && path === '/v1/models') return sendJson(response, 200, { object: 'list', data: [{ id: 'scripted', object: 'model' }] });
  if (incoming.method !== 'POST' || path !== '/v1/messages/count_tokens')
    return sendJson(response, 404, { error: { message: `Invalid URL (${incoming.method} ${path})`, type: 'invalid_request_error', code: null } });
  const parsed = countTokensRequest.safeParse(body);
  if (parsed.success) sendJson(response, 200, { input_tokens: COUNTED_TOKENS });
  else sendJson(response, 400, messages.failure(400, ruleProblems(parsed.error).join(' '), null));
}

export async function startScriptedUpstream({ port = 0, key }: ScriptedUpstreamOptions): Promise<ScriptedUpstream> {
  let run: Run | undefined;
  const serve = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = incoming.url?.split('?', 1)[0] ?? '';
    const body = parse(await readBody(incoming));
    const protocol = PROTOCOLS.find(candidate => candidate.path === path && incoming.method === 'POST');
    if (protocol === undefined || run === undefined) return serveRest(incoming, path, body, response);
    const { conversation, violations } = protocol.read(body, incoming.headers);
    const problems = [...outsideProblems(protocol, incoming.headers, key), ...violations];
    if (conversation === null || problems.length > 0) refuse(run, protocol, problems, body, response);
    else await answer(run, protocol, conversation, body, response);
  };
  const server = createServer((incoming, response) => {
    serve(incoming, response).catch((error: unknown) => {
      // A client that goes away while it sends is no fault of this server; everything else is a bug and ends it.
      if (incoming.errored === null) server.emit('error', error);
    });
  });
  await once(server.listen(port, '127.0.0.1'), 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    begin: (scenario, faults = []) => {
      run = { scenario, recorder: createRecorder(scenario), faults: [...faults] };
      return run.recorder;
    },
    connections: () => new Promise((resolve, reject) => server.getConnections((error, count) => (error ? reject(error) : resolve(count)))),
    close: async () => {
      const closed = once(server.close(), 'close');
      server.closeAllConnections();
      await closed;
    },
  };
}
