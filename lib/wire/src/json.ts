/**
 * Reading of untrusted JSON without schemas: a value of the wrong type is as good as none.
 * Writers never assign by key, so that a field called `__proto__` stays an ordinary field.
 */

export type JsonObject = Readonly<Record<string, unknown>>;

/** Deepest nesting of a request or an event; writers recurse, so a deeper one would exhaust the stack. */
export const MAX_DEPTH = 200;

export const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value);
export const asObject = (value: unknown): JsonObject | undefined => (isObject(value) ? value : undefined);
export const asText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
export const asFlag = (value: unknown): boolean | undefined => (typeof value === 'boolean' ? value : undefined);
export const asNumber = (value: unknown): number | undefined => (typeof value === 'number' && Number.isFinite(value) ? value : undefined);
/** A whole number that is not negative; anything else counts as missing. */
export const asCount = (value: unknown): number | undefined => (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined);
export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const objectsOf = (value: unknown): readonly JsonObject[] => asList(value).filter(isObject);

/** The object without the named fields, in the same order. */
export const without = (object: JsonObject, fields: ReadonlySet<string>): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([key]) => !fields.has(key)));

/** The object without fields that are undefined, in the same order. */
export const present = (object: JsonObject): JsonObject => Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));

/** The JSON value of a text; undefined when it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Walks with a stack of its own, so that the walk itself cannot be exhausted. */
export function isTooDeep(value: unknown): boolean {
  let level: unknown[] = typeof value === 'object' && value !== null ? [value] : [];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) return true;
    const next: unknown[] = [];
    for (const parent of level) {
      for (const child of Object.values(parent as object)) if (typeof child === 'object' && child !== null) next.push(child);
    }
    level = next;
  }
  return false;
}
