/**
 * What one request says, in words that fit all three protocols: the tools it offers, the calls in its history, and their results.
 * Each protocol reads its own body into this form; the scenario sees nothing else.
 */

export interface OfferedTool {
  readonly name: string;
  /** Responses alone has namespaces; everywhere else null. */
  readonly namespace: string | null;
  readonly kind: 'function' | 'custom' | 'tool_search';
  /** Names of the parameters that the schema declares. */
  readonly properties: readonly string[];
  readonly required: readonly string[];
}

export interface ToolResult {
  readonly callId: string;
  readonly text: string;
  /** Base64 of the images that stand in the result itself. */
  readonly images: readonly string[];
}

export interface Conversation {
  readonly model: string;
  readonly stream: boolean;
  /** A chat stream says its usage only when asked; the other protocols always do. */
  readonly wantsUsage: boolean;
  readonly wantsReasoning: boolean;
  /** Whether a reply may hold several calls. */
  readonly parallel: boolean;
  /** The JSON schema that the answer must have; null where it is free. */
  readonly schema: unknown;
  readonly tools: readonly OfferedTool[];
  /** Ids of the calls that the assistant made, in order. */
  readonly calls: readonly string[];
  readonly results: readonly ToolResult[];
  /** All text in messages of the user. */
  readonly userText: string;
  /** All text in messages of the assistant. */
  readonly assistantText: string;
  /** Base64 of the images in messages of the user. */
  readonly images: readonly string[];
}

/** A body as it was understood, and every rule of the vendor that it breaks; null when it could not be understood at all. */
export interface Reading {
  readonly conversation: Conversation | null;
  readonly violations: readonly string[];
}

const DATA_URL = /^data:image\/[a-z+.-]{1,20};base64,/;

/** @returns the base64 of a `data:` image, or the address as it is. */
export const imageData = (url: string): string => url.replace(DATA_URL, '');

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** The parameters that a tool's JSON schema declares, and those of them that it requires. */
export function parametersOf(schema: unknown): Pick<OfferedTool, 'properties' | 'required'> {
  const { properties, required } = isObject(schema) ? schema : {};
  return {
    properties: isObject(properties) ? Object.keys(properties) : [],
    required: Array.isArray(required) ? required.filter(name => typeof name === 'string') : [],
  };
}
