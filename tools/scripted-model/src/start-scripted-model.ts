/**
 * A deterministic Chat Completions server for tests, development and the demo; never part of the product.
 * It checks each request strictly and answers only from what stands in the request.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerFor } from './answer.ts';
import { type Completion, complete } from './completion.ts';
import { findPlants, type Plant } from './find-plants.ts';
import { MODES, type Mode } from './modes.ts';
import { readRequest, type ScriptedRequest, textOf } from './request-schema.ts';
import { sendStream, sendWhole } from './send-reply.ts';

export interface ScriptedModelOptions {
  /** 0 takes a free one. */
  readonly port?: number;
  /** Milliseconds before each answer; for a demo that should not look instant. */
  readonly latencyMs?: number;
  /** Milliseconds that `scripted-slow` waits before its first byte. */
  readonly slowMs?: number;
  /** When set, every request needs it as bearer. */
  readonly key?: string;
}

/** What one call asked, in the order of arrival. */
export interface SeenRequest {
  readonly status: number;
  /** Why it was turned away; null when it fitted the protocol. */
  readonly problem: string | null;
  readonly body: unknown;
  readonly plants: readonly Plant[];
}

export interface ScriptedModel {
  /** Root of the API, ends in `/v1`. */
  readonly baseUrl: string;
  readonly origin: string;
  readonly requests: readonly SeenRequest[];
  /** Connections that are open right now. */
  readonly connections: () => Promise<number>;
  readonly close: () => Promise<void>;
}

const MAX_BODY_BYTES = 64_000_000;
const SLOW_MS = 120_000;
const KIND: Readonly<Record<number, string>> = { 401: 'authentication_error', 404: 'not_found_error' };

/** A request that is turned away, in the words of the protocol. */
interface Refusal {
  readonly status: number;
  readonly message: string;
  readonly code: string | null;
}
const refuse = (status: number, message: string, code: string | null = null): Refusal => ({ status, message, code });

function sendJson(reply: ServerResponse, status: number, value: unknown): void {
  reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

const sendRefusal = (reply: ServerResponse, { status, message, code }: Refusal) =>
  sendJson(reply, status, { error: { message, type: KIND[status] ?? 'invalid_request_error', param: null, code } });

/** The body, or undefined when it is too large; the rest is then left unread. */
async function readBody(incoming: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let total = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    total += chunk.length;
    if (total > MAX_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function parse(body: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(body) };
  } catch {
    // The caller turns what is no JSON into a refusal.
    return undefined;
  }
}

/** Everything about a request but its fields. */
function checkOutside(incoming: IncomingMessage, key: string | undefined): Refusal | undefined {
  if (incoming.method !== 'POST' || incoming.url?.split('?', 1)[0] !== '/v1/chat/completions')
    return refuse(404, `Invalid URL (${incoming.method} ${incoming.url})`);
  if (key !== undefined && incoming.headers.authorization === undefined) return refuse(401, 'You did not provide an API key.');
  if (key !== undefined && incoming.headers.authorization !== `Bearer ${key}`) return refuse(401, 'Incorrect API key provided.', 'invalid_api_key');
  const type = incoming.headers['content-type']?.split(';', 1)[0]?.trim();
  return type === 'application/json' ? undefined : refuse(400, `Content-Type must be application/json, not ${type ?? 'absent'}.`);
}

function readFields(body: unknown): { readonly request: ScriptedRequest; readonly mode: Mode } | Refusal {
  const read = readRequest(body);
  if ('problem' in read) return refuse(400, read.problem);
  const mode = MODES.get(read.request.model);
  if (mode === undefined)
    return refuse(404, `The model '${read.request.model}' does not exist. There are: ${[...MODES.keys()].join(', ')}.`, 'model_not_found');
  return { request: read.request, mode };
}

function answer(reply: ServerResponse, request: ScriptedRequest, mode: Mode, completion: Completion): void {
  if (mode.instead !== undefined) reply.writeHead(mode.instead.status, { 'content-type': mode.instead.type, ...mode.instead.headers }).end(mode.instead.body);
  else if (request.stream === true && mode.ignoresStream !== true) sendStream(reply, mode, completion, request.stream_options?.include_usage === true);
  else sendWhole(reply, mode, completion);
}

/** Waits, or returns false when the client has gone away in the meantime. */
function pause(reply: ServerResponse, milliseconds: number): Promise<boolean> {
  if (milliseconds === 0) return Promise.resolve(true);
  return new Promise(resolve => {
    const timer = setTimeout(() => resolve(true), milliseconds);
    reply.once('close', () => {
      clearTimeout(timer);
      resolve(false);
    });
  });
}

/** What is done with one request; each call appends to the record. */
function createService(options: ScriptedModelOptions, requests: SeenRequest[]) {
  const turnAway = (reply: ServerResponse, refusal: Refusal, body: unknown) => {
    requests.push({ status: refusal.status, problem: refusal.message, body, plants: [] });
    sendRefusal(reply, refusal);
  };
  const waitOf = (mode: Mode) => (mode.slow === true ? (options.slowMs ?? SLOW_MS) : (options.latencyMs ?? 0));

  return async (incoming: IncomingMessage, reply: ServerResponse): Promise<void> => {
    const text = await readBody(incoming);
    const parsed = text === undefined ? undefined : parse(text);
    const outside = checkOutside(incoming, options.key);
    if (outside !== undefined) return turnAway(reply, outside, parsed?.value);
    if (text === undefined) return turnAway(reply, refuse(413, 'The request is too large.'), undefined);
    if (parsed === undefined) return turnAway(reply, refuse(400, 'We could not parse the JSON body of your request.'), undefined);
    const read = readFields(parsed.value);
    if ('status' in read) return turnAway(reply, read, parsed.value);
    const id = `chatcmpl-scripted-${requests.length + 1}`;
    const prompt = textOf(read.request, 'user');
    const plants = findPlants(prompt);
    requests.push({ status: read.mode.instead?.status ?? 200, problem: null, body: parsed.value, plants });
    if (await pause(reply, waitOf(read.mode))) answer(reply, read.request, read.mode, complete(read.request, read.mode, answerFor(prompt, plants), id));
  };
}

export async function startScriptedModel(options: ScriptedModelOptions = {}): Promise<ScriptedModel> {
  const requests: SeenRequest[] = [];
  const serve = createService(options, requests);
  const server = createServer((incoming, reply) => {
    serve(incoming, reply).catch((error: unknown) => {
      // A client that goes away while it sends is no fault of this server; everything else is a bug and ends it.
      if (incoming.errored === null) server.emit('error', error);
    });
  });
  await once(server.listen(options.port ?? 0, '127.0.0.1'), 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    baseUrl: `${origin}/v1`,
    requests,
    connections: () => new Promise((resolve, reject) => server.getConnections((error, count) => (error ? reject(error) : resolve(count)))),
    close: async () => {
      const closed = once(server.close(), 'close');
      server.closeAllConnections();
      await closed;
    },
  };
}
