/** What `weir debug stream` prints: the client's server-sent events for a request and a recorded upstream stream. */
import { readFacts } from '@weir/tool-plan';
import { clientError } from './client-error.ts';
import { convertRequest } from './convert-request.ts';
import type { DebugInput } from './debug-convert.ts';
import { permanent } from './gateway-failure.ts';
import { type JsonObject, parseJson } from './json.ts';
import { openStream } from './open-stream.ts';
import type { TokenUsage } from './usage.ts';

export type DebugStream =
  | { readonly sse: string; readonly usage: TokenUsage | undefined; readonly failure: string | undefined }
  | { readonly error: { readonly status: number; readonly body: JsonObject } }
  | { readonly problem: string };

/** @param upstreamBytes the recorded answer of the upstream. */
export function debugStream(input: DebugInput, upstreamBytes: Uint8Array | string): DebugStream {
  const read = readFacts(input.facts, input.upstream);
  if ('problem' in read) return read;
  const body = parseJson(input.request);
  if (body === undefined) return { error: clientError(input.client, permanent('invalid_request', 'The body is not JSON.')) };
  const result = convertRequest({ client: input.client, upstream: input.upstream, facts: read.facts, body });
  if ('failure' in result) return { error: clientError(input.client, result.failure) };
  const machine = openStream(result.converted, { fallbackId: 'debug', createdAt: 0, estimatedInputTokens: Math.ceil(input.request.length / 4) });
  const sse = machine.push(upstreamBytes) + machine.end();
  return { sse, usage: machine.usage(), failure: machine.failure()?.code };
}
