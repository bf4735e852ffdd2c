/**
 * The overlay of a provider: JSON Patch (RFC 6902; add, replace, remove, test) over the published description, each entry
 * with the reason that it exists for. The description that was given is not changed: containers on an entry's way are copied once.
 */
import { type CompileProblem } from './compile-problem.ts';
import { parsePointer } from './json-pointer.ts';
import { asObject, asString, type JsonObject, setOwn } from './json-value.ts';

/** Most entries of an overlay. */
export const MAX_OVERLAY_ENTRIES = 1_024;

const OPERATIONS = ['add', 'replace', 'remove', 'test'];
const INDEX = /^(0|[1-9]\d{0,8})$/;

type Container = Record<string, unknown> | unknown[];

/** The document while it is being patched: `own` are containers made here, which may be written. */
interface Patching {
  root: unknown;
  readonly own: WeakSet<object>;
}

export interface Overlaid {
  readonly value: unknown;
  readonly problems: readonly CompileProblem[];
}

/** Applies the entries in order; stops at the first that can't be applied, since the later ones count on it. */
export function applyOverlay(description: unknown, overlay: unknown): Overlaid {
  if (!Array.isArray(overlay)) return { value: description, problems: [overlayProblem('overlay', 'an overlay is a list of entries', 'write a JSON array')] };
  if (overlay.length > MAX_OVERLAY_ENTRIES) {
    return { value: description, problems: [overlayProblem('overlay', `the overlay has more than ${MAX_OVERLAY_ENTRIES} entries`, 'split or shorten it')] };
  }
  const patching: Patching = { root: description, own: new WeakSet() };
  for (const [index, entry] of overlay.entries()) {
    const fault = applyEntry(patching, entry);
    if (fault !== undefined) return { value: description, problems: [overlayProblem(`overlay/${index}`, ...fault)] };
  }
  return { value: patching.root, problems: [] };
}

const overlayProblem = (place: string, reason: string, mend: string): CompileProblem => ({ operation: '', place, reason, mend });

/** Reason and mend. */
type Fault = readonly [reason: string, mend: string];

function applyEntry(patching: Patching, entry: unknown): Fault | undefined {
  const { op, path, value } = asObject(entry) ?? {};
  const fault = entryFault(asObject(entry) ?? {});
  if (fault !== undefined) return fault;
  const segments = parsePointer(String(path));
  const last = segments?.at(-1);
  if (segments === undefined) return ['"path" is not a JSON Pointer', 'write it as /paths/~1name/get'];
  if (last === undefined) return ['"path" is the whole description', 'name a place inside it'];
  const parent = writableParent(patching, segments.slice(0, -1));
  if (parent === undefined) return [`nothing stands at ${String(path)}`, 'the description has changed; look for the new place or remove the entry'];
  return Array.isArray(parent) ? applyToList(parent, last, String(op), value) : applyToObject(parent, last, String(op), value);
}

function entryFault(entry: JsonObject): Fault | undefined {
  if (!OPERATIONS.includes(asString(entry['op']) ?? '')) return ['"op" is not add, replace, remove or test', 'use one of the four'];
  if ((asString(entry['reason']) ?? '').trim() === '') return ['the entry has no "reason"', 'say in "reason" why the description is changed'];
  if (asString(entry['path']) === undefined) return ['the entry has no "path"', 'give a JSON Pointer'];
  return entry['op'] !== 'remove' && !Object.hasOwn(entry, 'value') ? ['the entry has no "value"', 'give the value'] : undefined;
}

/** The container at a place, copied on the way down where it still belongs to the caller. */
function writableParent(patching: Patching, segments: readonly string[]): Container | undefined {
  patching.root = ownCopy(patching, patching.root);
  let here = patching.root;
  for (const segment of segments) {
    if (!isContainer(here) || !hasMember(here, segment)) return undefined;
    const child = ownCopy(patching, (here as Record<string, unknown>)[segment]);
    if (Array.isArray(here)) here[Number(segment)] = child;
    else setOwn(here, segment, child);
    here = child;
  }
  return isContainer(here) ? here : undefined;
}

const isContainer = (value: unknown): value is Container => typeof value === 'object' && value !== null;

const hasMember = (container: Container, segment: string): boolean => (!Array.isArray(container) || INDEX.test(segment)) && Object.hasOwn(container, segment);

function ownCopy(patching: Patching, value: unknown): unknown {
  if (!isContainer(value) || patching.own.has(value)) return value;
  const copy: Container = Array.isArray(value) ? [...value] : Object.fromEntries(Object.entries(value));
  patching.own.add(copy);
  return copy;
}

function applyToObject(parent: Record<string, unknown>, key: string, op: string, value: unknown): Fault | undefined {
  if (op !== 'add' && !Object.hasOwn(parent, key))
    return [`there is no member "${key}" to ${op}`, 'the description has changed; check whether the entry is still needed'];
  if (op === 'test')
    return sameJson(parent[key], value)
      ? undefined
      : [`the value of "${key}" is another one`, 'the description has changed; check whether the entry is still needed'];
  if (op === 'remove') delete parent[key];
  else setOwn(parent, key, value);
  return undefined;
}

function applyToList(parent: unknown[], key: string, op: string, value: unknown): Fault | undefined {
  const index = key === '-' && op === 'add' ? parent.length : INDEX.test(key) ? Number(key) : -1;
  if (index < 0 || index > parent.length || (op !== 'add' && index === parent.length))
    return [`there is no entry ${key} in the list`, 'count from 0, or add with "-"'];
  if (op === 'test')
    return sameJson(parent[index], value) ? undefined : [`entry ${key} is another one`, 'the description has changed; check whether the entry is still needed'];
  if (op === 'add') parent.splice(index, 0, value);
  else if (op === 'remove') parent.splice(index, 1);
  else parent[index] = value;
  return undefined;
}

/** Most pairs that one `test` compares. */
const MAX_COMPARED = 10_000;

/** Equality of two JSON values, without regard to the order of members; false beyond the bound. */
function sameJson(left: unknown, right: unknown): boolean {
  const pairs: [unknown, unknown][] = [[left, right]];
  let compared = 0;
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const [a, b] = pair;
    compared += 1;
    if (compared > MAX_COMPARED) return false;
    if (a === b) continue;
    if (!isContainer(a) || !isContainer(b) || Array.isArray(a) !== Array.isArray(b)) return false;
    const keys = Object.keys(a);
    if (keys.length !== Object.keys(b).length) return false;
    for (const key of keys) {
      if (!Object.hasOwn(b, key)) return false;
      pairs.push([(a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]]);
    }
  }
  return true;
}
