/** One request in the intermediate form, with the body that it came from. */
import type { ToolChoice, ToolDeclaration, WireProtocol } from '@weir/tool-plan';
import type { Item } from './item.ts';
import type { JsonObject } from './json.ts';

export type AnswerFormat =
  | { readonly kind: 'json_object' }
  | {
      readonly kind: 'json_schema';
      readonly name: string;
      readonly schema: JsonObject;
      readonly strict: boolean | undefined;
      readonly description: string | undefined;
    };

/** Settings that all three protocols know in some form. */
export interface SamplingSettings {
  readonly maxOutputTokens: number | undefined;
  readonly temperature: number | undefined;
  readonly topP: number | undefined;
  readonly stop: readonly string[];
  readonly effort: string | undefined;
  readonly verbosity: string | undefined;
  readonly cacheKey: string | undefined;
}

export interface ModelRequest {
  readonly protocol: WireProtocol;
  readonly model: string;
  readonly stream: boolean;
  readonly items: readonly Item[];
  /** Top-level declarations; those of the input stand in its items. */
  readonly tools: readonly ToolDeclaration[];
  /** `tools` was there and empty: it goes, with tool_choice and the parallel switch (MOD-13). */
  readonly emptyTools: boolean;
  readonly choice: ToolChoice | undefined;
  readonly parallelCalls: boolean | undefined;
  readonly answerFormat: AnswerFormat | undefined;
  readonly settings: SamplingSettings;
  /** A chat client asked for the usage chunk itself. */
  readonly wantsUsageChunk: boolean;
  /** The body as it came. */
  readonly wire: JsonObject;
}
