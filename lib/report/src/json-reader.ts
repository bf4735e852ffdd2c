/**
 * Reads parsed JSON of unknown shape: a value of the wrong type is an absent value, never an error.
 */
import { AppError } from '@weir/kernel';

/** Nested arrays and objects of an imported report; the deepest known reports have under 20. */
export const MAX_JSON_DEPTH = 100;

export type JsonObject = Readonly<Record<string, unknown>>;

export const asObject = (value: unknown): JsonObject | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;

/** The own field of an object; undefined for anything else, inherited names included. */
export const field = (value: unknown, name: string): unknown => {
  const object = asObject(value);
  return object !== undefined && Object.hasOwn(object, name) ? object[name] : undefined;
};

/** Follows field names from object to object. */
export const at = (value: unknown, ...names: readonly string[]): unknown => names.reduce(field, value);

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** A text with at least one character. */
export const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** A whole number from `min` up that JavaScript holds exactly. */
export const wholeOf = (value: unknown, min: number): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= min ? value : undefined;

/** The deepest nesting of a JSON text, found without parsing it. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const character = text.charCodeAt(i);
    if (quoted) {
      if (character === 0x5c) i++;
      else if (character === 0x22) quoted = false;
    } else if (character === 0x22) quoted = true;
    else if (character === 0x7b || character === 0x5b) deepest = Math.max(deepest, ++depth);
    else if (character === 0x7d || character === 0x5d) depth--;
  }
  return deepest;
}

/**
 * Parses JSON; undefined when the text is not JSON.
 * @throws AppError IMPORT_INVALID when it is nested deeper than MAX_JSON_DEPTH.
 */
export function parseJson(text: string, name: string): { readonly value: unknown } | undefined {
  if (depthOf(text) > MAX_JSON_DEPTH) throw new AppError('IMPORT_INVALID', `${name} is nested deeper than ${MAX_JSON_DEPTH} levels.`);
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    // Not JSON is an answer here: the caller tries lines, then names the formats that it reads.
    return undefined;
  }
}
