/**
 * One request from a client's protocol to its route's: decode, plan, encode. The outcome is a pass-through, a new body,
 * or the failure that the client gets; the plan explains all three.
 */
import { type CapabilityFacts, planTools, type ToolCompatibilityPlan, type WireProtocol } from '@weir/tool-plan';
import type { Conversion } from './conversion.ts';
import { decodeRequest } from './decode-request.ts';
import { createDiagnostics, type Diagnostic } from './diagnostics.ts';
import { explainDroppedFields } from './dropped-fields.ts';
import { encodeChat } from './encode-chat.ts';
import { encodeMessages } from './encode-messages.ts';
import { encodeResponses } from './encode-responses.ts';
import { type GatewayFailure, permanent, RequestProblem } from './gateway-failure.ts';
import { asObject, type JsonObject, present } from './json.ts';
import type { ModelRequest } from './model-request.ts';
import { declaredTools, type Prepared, prepareItems } from './prepared.ts';
import { writeFormat } from './write-format.ts';

export interface ConvertInput {
  readonly client: WireProtocol;
  readonly upstream: WireProtocol;
  readonly facts: CapabilityFacts;
  /** The parsed JSON body of the client. */
  readonly body: unknown;
  /** Exact model id upstream; the client's where it is undefined. */
  readonly model?: string;
  /** Tag of the route, without a colon; the same for all its requests, since it seals reasoning. */
  readonly route?: string;
}

export interface ConvertedRequest {
  readonly request: ModelRequest;
  readonly plan: ToolCompatibilityPlan;
  readonly diagnostics: readonly Diagnostic[];
  /** The client's bytes can go as they are but for `changes` (MOD-4). */
  readonly passthrough: boolean;
  /** Top-level fields that a pass-through sets: `model` when it differs, `stream_options` when usage would be missing. */
  readonly changes: JsonObject;
  /** The whole upstream body, pass-through or not. */
  readonly body: JsonObject;
  /** The upstream sends a usage chunk that the client did not ask for. */
  readonly hideUsageChunk: boolean;
  readonly upstream: WireProtocol;
  readonly route: string;
}

export type Conversions = { readonly converted: ConvertedRequest } | { readonly failure: GatewayFailure; readonly plan: ToolCompatibilityPlan | undefined };

const ENCODERS: Readonly<Record<WireProtocol, (conversion: Conversion, prepared: Prepared) => JsonObject>> = {
  responses: encodeResponses,
  chat: encodeChat,
  messages: encodeMessages,
};

export function convertRequest(input: ConvertInput): Conversions {
  let plan: ToolCompatibilityPlan | undefined;
  try {
    const request = decodeRequest(input.client, input.body);
    plan = planOf(request, input);
    if (plan.failure !== undefined) return { failure: permanent(plan.failure.code, plan.failure.message), plan };
    return { converted: convert(request, plan, input) };
  } catch (error) {
    if (error instanceof RequestProblem) return { failure: permanent(error.code, error.message), plan };
    throw error;
  }
}

/** The plan alone: what `weir models explain` shows. @throws RequestProblem as `decodeRequest` does. */
export function planOf(request: ModelRequest, { client, upstream, facts }: Pick<ConvertInput, 'client' | 'upstream' | 'facts'>): ToolCompatibilityPlan {
  return planTools({
    client,
    upstream,
    facts,
    declared: declaredTools(request.tools, request.items),
    used: request.items.flatMap(item => (item.type === 'call' ? [item.tool] : [])),
    choice: request.choice,
  });
}

function convert(request: ModelRequest, plan: ToolCompatibilityPlan, input: ConvertInput): ConvertedRequest {
  const { client, upstream, facts, route = upstream } = input;
  const diagnostics = createDiagnostics();
  const conversion: Conversion = { request, plan, facts, upstream, route, diagnostics };
  const native = client === upstream;
  if (!native) explainDroppedFields(conversion);
  const prepared = prepareItems(conversion);
  const passthrough = native && prepared.unchanged && isUnchanged(request, plan, facts);
  if (passthrough) writeFormat(request.answerFormat, facts);
  const fields = passthrough ? {} : ENCODERS[upstream](conversion, prepared);
  const model = input.model ?? request.model;
  const usage = usageChange(request, input);
  const changes = present({ model: model === request.model ? undefined : model, stream_options: usage });
  return {
    request,
    plan,
    diagnostics: diagnostics.list(),
    passthrough,
    changes,
    body: native ? merge(request.wire, { ...fields, ...changes }) : present({ model, ...fields, stream: request.stream, stream_options: usage }),
    hideUsageChunk: upstream === 'chat' && !request.wantsUsageChunk,
    upstream,
    route,
  };
}

/** Nothing outside the items has to change: no tool, no empty list of tools, no switch that the route does not know. */
const isUnchanged = (request: ModelRequest, plan: ToolCompatibilityPlan, facts: CapabilityFacts): boolean =>
  plan.unchanged && !request.emptyTools && (request.parallelCalls === undefined || facts.parallel_calls);

/** `stream_options` where a chat stream would else end without usage (MOD-4); undefined where nothing is to be said. */
function usageChange(request: ModelRequest, { client, upstream, facts }: ConvertInput): JsonObject | undefined {
  if (upstream !== 'chat' || !request.stream || !facts.stream_usage) return undefined;
  if (client !== 'chat') return { include_usage: true };
  return request.wantsUsageChunk ? undefined : { ...asObject(request.wire['stream_options']), include_usage: true };
}

/** The body with some fields replaced in their places; a field that is undefined goes. */
function merge(wire: JsonObject, fields: JsonObject): JsonObject {
  const kept = Object.entries(wire).map(([key, value]): [string, unknown] => [key, Object.hasOwn(fields, key) ? fields[key] : value]);
  const added = Object.entries(fields).filter(([key]) => !Object.hasOwn(wire, key));
  return present(Object.fromEntries([...kept, ...added]));
}
