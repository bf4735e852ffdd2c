/**
 * A call up to its upstream's status: the route is resolved, the tools are planned, the budget is reserved, and the request is sent.
 * Both doors of the gateway, the one for clients and the one for Weir itself, go this way.
 */
import { AppError } from '@weir/kernel';
import type { HttpResponse } from '@weir/ports';
import { type ConvertedRequest, convertRequest, type GatewayFailure, isObject, parseJson, permanent, transient } from '@weir/wire';
import { type CallStop, createCallStop } from './call-stop.ts';
import { type CallCharge, reserveCall, type Spent } from './charge-book.ts';
import type { CallEvent } from './gateway-event.ts';
import type { GatewayCall } from './gateway-call.ts';
import type { GatewayWorld } from './gateway-world.ts';
import { outputBound } from './output-bound.ts';
import type { PlanBook } from './plan-book.ts';
import { type PlannedRoute, refuseRoute, type RouteBook } from './route-book.ts';
import type { Upstream } from './send-upstream.ts';
import { refuseByCap } from './spend-gate.ts';
import { servedNothing, type UpstreamRefusal } from './upstream-refusal.ts';
import { upstreamBody } from './upstream-body.ts';
import type { Deadlines } from './upstream-request.ts';

/** Characters of a body for one token; for reservations and estimates alone. */
export const CHARS_PER_TOKEN = 4;

export interface CallRules {
  readonly deadlines: Deadlines;
  /** Repeats of the gateway's own, before the first byte. */
  readonly repeats: number;
}

/** A call whose upstream has answered with success. */
export interface OpenedCall {
  readonly callRef: string;
  readonly planned: PlannedRoute;
  readonly converted: ConvertedRequest;
  readonly response: HttpResponse;
  readonly stop: CallStop;
  readonly estimatedInputTokens: number;
  /** Charges the call, reports it and lets go of everything; once, at every ending. */
  end(ending: Ending): Promise<void>;
}

export interface Ending {
  readonly outcome: CallEvent['outcome'];
  readonly code: string | null;
  readonly spent: Spent;
}

/** `refusal` is there where the upstream refused, or could not be asked. */
export type CallOpening = { readonly opened: OpenedCall } | { readonly failure: GatewayFailure; readonly callRef: string; readonly refusal?: UpstreamRefusal };

export interface Switchboard {
  readonly routes: RouteBook;
  readonly upstream: Upstream;
  readonly plans: PlanBook;
  readonly world: GatewayWorld;
}

/** Rejects with the signal's reason when the client has gone. */
export async function openCall(call: GatewayCall, rules: CallRules, board: Switchboard): Promise<CallOpening> {
  const { world } = board;
  const callRef = world.newId();
  const beganAt = world.now();
  const log = (fields: Partial<CallEvent>): void => world.report({ ...emptyEvent(call, callRef), ms: world.now() - beganAt, ...fields });
  const fail = (failure: GatewayFailure, route?: PlannedRoute): CallOpening => {
    log({ code: failure.code, ...(route === undefined ? {} : routeFields(route)) });
    return { failure, callRef };
  };
  const prepared = await prepare(call, board);
  if ('failure' in prepared) return fail(prepared.failure, prepared.planned);
  const { planned, converted } = prepared;
  board.plans.keep(callRef, { planned, plan: converted.plan, diagnostics: converted.diagnostics, passthrough: converted.passthrough, client: call.protocol });
  const capped = await refuseByCap(call.principal, callRef, world);
  if (capped !== undefined) return fail(capped, planned);
  const estimatedInputTokens = Math.ceil(call.body.length / CHARS_PER_TOKEN);
  const estimate = { inputTokens: estimatedInputTokens, outputTokens: outputBound(converted, planned.route) };
  const reserved = await reserveCall({ callRef, principal: call.principal, route: planned.route, estimate }, world);
  if ('failure' in reserved) return fail(reserved.failure, planned);
  const base = { ...routeFields(planned), passthrough: converted.passthrough, stream: converted.request.stream };
  return sendCall({
    call,
    rules,
    board,
    callRef,
    planned,
    converted,
    charge: reserved.charge,
    estimatedInputTokens,
    log: fields => log({ ...base, ...fields }),
  });
}

interface ReadyCall extends Pick<OpenedCall, 'callRef' | 'planned' | 'converted' | 'estimatedInputTokens'> {
  readonly call: GatewayCall;
  readonly rules: CallRules;
  readonly board: Switchboard;
  readonly charge: CallCharge;
  readonly log: (fields: Partial<CallEvent>) => void;
}

async function sendCall({ call, rules, board, charge, log, ...ready }: ReadyCall): Promise<CallOpening> {
  const { world } = board;
  const { callRef, planned, converted } = ready;
  const stop = createCallStop(call.signal, call.principal, world);
  const beganAt = world.now();
  let firstByteMs: number | null = null;
  let credentialRef: string | null = null;
  const end = async ({ outcome, code, spent }: Ending): Promise<void> => {
    stop.release();
    log({ outcome, code, firstByteMs, ...tokensOf(spent) });
    await charge.settle(spent, credentialRef);
  };
  const body = upstreamBody(converted, planned.route, call.body);
  const order = { route: planned.route, body, stream: converted.request.stream, client: call.protocol, headers: call.headers, ...rules, opened: charge.open };
  try {
    const outcome = await board.upstream.send(order, stop.signal);
    firstByteMs = world.now() - beganAt;
    if ('response' in outcome) {
      credentialRef = outcome.credentialRef;
      return { opened: { ...ready, response: outcome.response, stop, end } };
    }
    const { refusal } = outcome;
    credentialRef = refusal.credentialRef;
    await end({ outcome: 'failed', code: refusal.failure.code, spent: servedNothing(refusal) ? 'nothing' : 'unknown' });
    return { failure: refusal.failure, callRef, refusal };
  } catch (error) {
    const failure = stop.failure() ?? (error instanceof AppError ? storeFailure(error) : undefined);
    await end({ outcome: stop.gone() ? 'gone' : 'failed', code: failure?.code ?? null, spent: 'unknown' });
    if (failure === undefined || stop.gone()) throw error;
    return { failure, callRef };
  }
}

const storeFailure = ({ code, message, retry }: AppError): GatewayFailure =>
  retry === 'later' ? transient(code.toLowerCase(), message) : permanent(code.toLowerCase(), message);

type Preparing =
  | { readonly planned: PlannedRoute; readonly converted: ConvertedRequest }
  | { readonly failure: GatewayFailure; readonly planned?: PlannedRoute };

/** Everything that can be known before any upstream byte. */
async function prepare({ protocol, body, principal, binding }: GatewayCall, { routes }: Pick<Switchboard, 'routes'>): Promise<Preparing> {
  const parsed = readBody(body);
  if ('failure' in parsed) return parsed;
  const finding = await routes.resolve(parsed.model, binding);
  if ('failure' in finding) return finding;
  const planned = finding.found;
  const refused = refuseRoute(principal, planned.route);
  if (refused !== undefined) return { failure: refused, planned };
  const { route, facts, tag } = planned;
  const conversion = convertRequest({ client: protocol, upstream: route.protocol, facts, body: parsed.body, model: route.model, route: tag });
  return 'failure' in conversion ? { failure: conversion.failure, planned } : { planned, converted: conversion.converted };
}

/** The body as JSON that names a model. */
export function readBody(bytes: Uint8Array): { readonly body: unknown; readonly model: string } | { readonly failure: GatewayFailure } {
  const body = parseJson(new TextDecoder().decode(bytes));
  if (body === undefined) return { failure: permanent('invalid_json', 'The body is not JSON.') };
  const model = isObject(body) ? body['model'] : undefined;
  if (typeof model !== 'string' || model === '') return { failure: permanent('invalid_request', 'The body names no model.') };
  return { body, model };
}

const routeFields = ({ route }: PlannedRoute): Pick<CallEvent, 'route' | 'modelProvider'> => ({ route: route.ref, modelProvider: route.modelProvider });

const emptyEvent = ({ protocol, principal }: GatewayCall, callRef: string): CallEvent => ({
  event: 'call',
  callRef,
  client: protocol,
  route: null,
  modelProvider: null,
  virtualKey: principal.kind === 'key' ? principal.key.id : null,
  passthrough: false,
  stream: false,
  outcome: 'failed',
  code: null,
  ms: 0,
  firstByteMs: null,
  inputTokens: null,
  outputTokens: null,
});

function tokensOf(spent: Spent): Pick<CallEvent, 'inputTokens' | 'outputTokens'> {
  if (spent === 'unknown') return { inputTokens: null, outputTokens: null };
  if (spent === 'nothing') return { inputTokens: 0, outputTokens: 0 };
  const { input, cachedInput = 0, cacheWrite = 0, output, reasoning = 0 } = spent;
  return { inputTokens: input + cachedInput + cacheWrite, outputTokens: output + reasoning };
}
