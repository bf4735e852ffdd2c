/**
 * Ids of operations: the vendor's where it is short, clean and unique, else one made from method and path. Unique in a table
 * whatever the order of the description.
 */
import { compareText } from './json-value.ts';

/** Longest id, the limit of tool names (PRV-2a). */
export const MAX_ID = 64;

const CLEAN = /^[A-Za-z0-9_./-]{1,64}$/;

/** `GET /repos/{owner}/pulls/{n}` becomes `get/repos/_/pulls/_`; a long one loses its front and ends with a hash of the whole. */
export function madeId(method: string, path: string): string {
  const plain = `${method.toLowerCase()}${path.replace(/\{[^{}]*\}/g, '_').replace(/[^A-Za-z0-9_./-]/g, '-')}`;
  return plain.length <= MAX_ID ? plain : hashedId(method, path, plain);
}

function hashedId(method: string, path: string, plain: string): string {
  const tail = `-${fingerprint(`${method} ${path}`)}`;
  if (plain.length + tail.length <= MAX_ID) return plain + tail;
  const head = `${method.toLowerCase()}/..`;
  const room = MAX_ID - head.length - tail.length;
  const kept = plain.slice(-room);
  // Starts at a segment where one starts inside what is kept.
  return `${head}${kept.slice(Math.max(0, kept.indexOf('/')))}${tail}`;
}

/** FNV-1a over the code units, as 8 hex digits. Tells names apart; protects nothing. */
function fingerprint(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}

export interface Identifiable {
  readonly method: string;
  readonly path: string;
  /** The vendor's id, where there is one. */
  readonly vendorId: string | undefined;
}

/**
 * An id for each operation, in the order given.
 * @param byPath true where the vendor's ids are not stable: all are then made.
 */
export function assignIds(operations: readonly Identifiable[], byPath: boolean): readonly string[] {
  const claims = new Map<string, number>();
  for (const { vendorId } of operations) if (vendorId !== undefined) claims.set(vendorId, (claims.get(vendorId) ?? 0) + 1);
  const vendors = operations.map(({ vendorId }) =>
    !byPath && vendorId !== undefined && CLEAN.test(vendorId) && claims.get(vendorId) === 1 ? vendorId : undefined,
  );
  const taken = new Set(vendors.filter(id => id !== undefined));
  const made = new Map<string, number>();
  for (const [index, { method, path }] of operations.entries()) {
    if (vendors[index] === undefined) made.set(madeId(method, path), (made.get(madeId(method, path)) ?? 0) + 1);
  }
  return operations.map(({ method, path }, index) => {
    const id = vendors[index] ?? madeId(method, path);
    const clash = vendors[index] === undefined && (taken.has(id) || made.get(id) !== 1);
    return clash ? hashedId(method, path, id) : id;
  });
}

/** Table order. */
export const byId = (left: { readonly id: string }, right: { readonly id: string }): number => compareText(left.id, right.id);
