/** What would become of a request, without sending it (MOD-18): its route and the disposition of each tool. Names and reasons, no payloads. */
import type { ModelRows, UpstreamProtocol } from '@weir/contract';
import { convertRequest, type GatewayFailure, type PlanRow, planRows } from '@weir/wire';
import { readBody } from './open-call.ts';
import { type PlanDocument, planDocument } from './plan-book.ts';
import { findRoute, type RouteScope } from './route-book.ts';

export interface PlanQuestion {
  /** What the client speaks. */
  readonly protocol: UpstreamProtocol;
  readonly body: Uint8Array;
  readonly binding?: string;
}

/** `tools` of a refused request say which one was at fault, where that is known. */
export type PlanAnswer = { readonly plan: PlanDocument } | { readonly failure: GatewayFailure; readonly tools: readonly PlanRow[] };

export function planRoute({ protocol, body, binding }: PlanQuestion, rows: ModelRows, hash: RouteScope['hash']): PlanAnswer {
  const parsed = readBody(body);
  if ('failure' in parsed) return { failure: parsed.failure, tools: [] };
  const finding = findRoute(parsed.model, rows, { binding, hash });
  if ('failure' in finding) return { failure: finding.failure, tools: [] };
  const { route, facts, tag } = finding.found;
  const conversion = convertRequest({ client: protocol, upstream: route.protocol, facts, body: parsed.body, model: route.model, route: tag });
  if ('failure' in conversion) return { failure: conversion.failure, tools: planRows(conversion.plan) };
  const { plan, diagnostics, passthrough } = conversion.converted;
  return { plan: planDocument({ planned: finding.found, client: protocol, plan, diagnostics, passthrough }) };
}
