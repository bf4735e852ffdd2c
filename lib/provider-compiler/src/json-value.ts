/**
 * Guards over parsed JSON. A description is untrusted input: nothing is assumed of its shape, own members only are read.
 */
export type JsonObject = Readonly<Record<string, unknown>>;
export type Scalar = string | number | boolean;

export const asObject = (value: unknown): JsonObject | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;

export const asArray = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const asString = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

export const isScalar = (value: unknown): value is Scalar =>
  typeof value === 'string' || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value));

/** Entries in the order of their keys, so that no result hangs on the order in which a vendor wrote them. */
export const sortedEntries = (value: unknown): readonly (readonly [string, unknown])[] => {
  const object = asObject(value);
  return object === undefined ? [] : Object.entries(object).sort(byKey);
};

const byKey = ([left]: readonly [string, unknown], [right]: readonly [string, unknown]): number => compareText(left, right);

/** Order by code units: the same on every machine and in every locale. */
export const compareText = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);

/** Sets an own member, also where the key is `__proto__`. */
export function setOwn(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  else target[key] = value;
}
