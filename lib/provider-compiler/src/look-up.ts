/**
 * Finds what a `$ref` names. References stay inside the description; nothing is fetched.
 */
import { localPointer, parsePointer, valueAt } from './json-pointer.ts';
import { asObject, type JsonObject } from './json-value.ts';

/** A value with the place where it stands, after references. */
export interface Located {
  readonly value: JsonObject;
  readonly place: string;
}

/** A description whose references are followed; `found` remembers what they named. */
export interface Referable {
  readonly root: JsonObject;
  readonly found: Map<string, Located | string>;
}

export const MEND_REFERENCE = 'put the definition into this description with an overlay entry; nothing is fetched';

/** The object that a reference names, or the reason why there is none. */
export function lookUp({ root, found }: Referable, reference: string): Located | string {
  const before = found.get(reference);
  if (before !== undefined) return before;
  const now = resolved(root, reference);
  found.set(reference, now);
  return now;
}

function resolved(root: JsonObject, reference: string): Located | string {
  const place = localPointer(reference);
  if (place === undefined) return `the reference ${JSON.stringify(reference.slice(0, 200))} leaves the description`;
  const value = asObject(valueAt(root, parsePointer(place) ?? []));
  return value === undefined ? `the reference ${JSON.stringify(reference.slice(0, 200))} names nothing in the description` : { value, place };
}
