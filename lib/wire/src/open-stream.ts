/** The stream machine that belongs to a converted request. */
import type { ConvertedRequest } from './convert-request.ts';
import { createPassthroughStream } from './passthrough-stream.ts';
import { createStream, type StreamInput, type StreamMachine } from './stream-machine.ts';

export interface StreamFrame {
  /** Id of the answer where the upstream gives none. */
  readonly fallbackId: string;
  /** Seconds since 1970. */
  readonly createdAt: number;
  readonly estimatedInputTokens: number;
}

/** The stream machine of a converted request: the pass-through where the request passed through. */
export function openStream(converted: ConvertedRequest, frame: StreamFrame): StreamMachine {
  const { request, passthrough, hideUsageChunk } = converted;
  if (passthrough) return createPassthroughStream({ protocol: request.protocol, hideUsageChunk });
  return createStream(streamInput(converted, frame));
}

/** What `createStream` and `convertAnswer` need, from the converted request. */
export const streamInput = ({ request, plan, upstream, route }: ConvertedRequest, frame: StreamFrame): StreamInput => ({
  ...frame,
  client: request.protocol,
  upstream,
  plan,
  route,
  model: request.model,
  wantsUsage: request.wantsUsageChunk,
});
