/** The body that goes upstream: the client's own bytes where nothing has to change (MOD-4), else the converted one in the model's dialect. */
import type { ParameterProfile } from '@weir/contract';
import type { ResolvedRoute } from '@weir/model-routes';
import { type ConvertedRequest, isObject, type JsonObject } from '@weir/wire';

/** @param bytes of the client. */
export function upstreamBody(converted: ConvertedRequest, { protocol, profile }: ResolvedRoute, bytes: Uint8Array): string | Uint8Array {
  const extra = Object.entries(profile.extra).filter(([field]) => !Object.hasOwn(converted.body, field));
  const native = converted.request.protocol === protocol;
  if (converted.passthrough && Object.keys(converted.changes).length === 0 && extra.length === 0) return bytes;
  const body = native ? converted.body : inDialect(converted.body, protocol, profile);
  return JSON.stringify(extra.length === 0 ? body : { ...body, ...Object.fromEntries(extra) });
}

/** What the conversion made, in the words of the model's profile (REV-30). A client of the same protocol chooses its own words. */
function inDialect(body: JsonObject, protocol: ResolvedRoute['protocol'], profile: ParameterProfile): JsonObject {
  const efforts = (effort: unknown): boolean => typeof effort === 'string' && profile.reasoningEffort.includes(effort);
  const fields = Object.entries(body).flatMap(([field, value]): [string, unknown][] => {
    if (field === 'temperature' && profile.temperature === 'refused') return [];
    if (protocol === 'chat' && field === 'max_tokens') return [[profile.outputTokens, value]];
    if (field === 'reasoning_effort' && !efforts(value)) return [];
    if (field === 'reasoning' && isObject(value) && !efforts(value['effort'])) return [];
    return [[field, value]];
  });
  return Object.fromEntries(fields);
}
