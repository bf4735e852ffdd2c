/** One protocol's events, taken one by one. A reader keeps the state of one answer. */
import type { JsonObject } from './json.ts';
import type { UpstreamEvent } from './stream-event.ts';
import type { TokenUsage } from './usage.ts';

export interface UpstreamReader {
  /** @param wire the parsed data of one event; undefined for a mark that is no JSON, which `mark` then is. */
  take(wire: JsonObject | undefined, mark: string): readonly UpstreamEvent[];
  /** What the end of the stream means: a finish where the upstream had said everything, else nothing. */
  end(): readonly UpstreamEvent[];
  /** What is known so far, also of an answer that broke off. */
  usage(): TokenUsage | undefined;
}
