/**
 * Is a value what its parameter or field takes? Strict: a numeric string is a number only where it comes from a command line.
 */
import type { ProblemCode } from './argument-problem.ts';
import type { BodyField, OperationParameter, ValueType } from './operation-row.ts';

/** The part of a parameter or a field that a value is held against. */
export type ExpectedValue = Pick<OperationParameter, 'type' | 'items' | 'enum' | 'minimum' | 'maximum'> & Pick<BodyField, 'nullable'>;

export type ValueVerdict = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly code: ProblemCode; readonly reason: string };

/** Entries of one array. */
export const MAX_ENTRIES = 1_000;
/** Levels of a JSON value; the same bound as a schema's (PRV-4). */
export const MAX_JSON_DEPTH = 32;
/** Members and entries of a JSON value, all levels together. */
export const MAX_JSON_NODES = 100_000;

const refuse = (code: ProblemCode, reason: string): ValueVerdict => ({ ok: false, code, reason });

/** The value, read from the command line's text where `fromCommandLine`, or why it is refused. `null` needs `nullable`. */
export const checkValue = (expected: ExpectedValue, given: unknown, fromCommandLine: boolean): ValueVerdict => {
  const value = fromCommandLine ? readText(expected, given) : given;
  if (value === null && expected.nullable === true) return { ok: true, value };
  if (!HAS_TYPE[expected.type](value)) return refuse('type', value === null ? notNull(expected.type) : `must be ${WORDS[expected.type]}`);
  if (Array.isArray(value)) return checkEntries(expected, value);
  return checkScalar(expected, value) ?? { ok: true, value };
};

/** Most descriptions say of no field that it may be null, also where the provider takes it. */
const notNull = (type: ValueType): string =>
  `must be ${WORDS[type]}, not null: leave it out, or say by an overlay entry that it is nullable, if the provider takes null`;

const isPlainObject = (value: unknown): value is Record<string, unknown> => {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};

const HAS_TYPE: Readonly<Record<ValueType, (value: unknown) => boolean>> = {
  string: value => typeof value === 'string',
  integer: value => Number.isSafeInteger(value),
  number: value => Number.isFinite(value),
  boolean: value => typeof value === 'boolean',
  array: value => Array.isArray(value) && isJson(value),
  object: value => isPlainObject(value) && isJson(value),
  any: value => isJson(value),
};

const WORDS: Readonly<Record<ValueType, string>> = {
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  any: 'a JSON value of bounded size',
};

function checkEntries(expected: ExpectedValue, entries: readonly unknown[]): ValueVerdict {
  if (entries.length > MAX_ENTRIES) return refuse('too-large', `has more than ${MAX_ENTRIES} entries`);
  const type = expected.items ?? 'any';
  for (const entry of entries) {
    if (!HAS_TYPE[type](entry)) return refuse('type', `must be a list whose entries are each ${WORDS[type]}`);
    const problem = checkScalar(expected, entry);
    if (problem !== undefined) return problem;
  }
  return { ok: true, value: entries };
}

/** The closed set and the range; of a list they hold for each entry. */
function checkScalar({ enum: allowed, minimum, maximum }: ExpectedValue, value: unknown): ValueVerdict | undefined {
  if (allowed !== undefined && !allowed.some(one => one === value)) return refuse('enum', `must be one of ${allowed.slice(0, 32).join(', ')}`);
  if (typeof value !== 'number') return undefined;
  if (minimum !== undefined && value < minimum) return refuse('range', `must be at least ${minimum}`);
  if (maximum !== undefined && value > maximum) return refuse('range', `must be at most ${maximum}`);
  return undefined;
}

/** Is it data that JSON can hold, within bounds? Dates, functions, cycles and numbers that are not finite are not. */
export const isJson = (root: unknown): boolean => {
  const waiting: { value: unknown; depth: number }[] = [{ value: root, depth: 0 }];
  let nodes = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    nodes += 1;
    const { value, depth } = next;
    if (typeof value !== 'object' || value === null) {
      if (!isJsonScalar(value)) return false;
      continue;
    }
    const children = Array.isArray(value) ? Array.from(value) : isPlainObject(value) ? Object.values(value) : undefined;
    if (children === undefined || depth === MAX_JSON_DEPTH || nodes + waiting.length + children.length > MAX_JSON_NODES) return false;
    for (const child of children) waiting.push({ value: child, depth: depth + 1 });
  }
  return true;
};

const isJsonScalar = (value: unknown): boolean => value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);

const READERS: Partial<Record<ValueType, (text: string) => unknown>> = {
  integer: text => (/^-?\d{1,16}$/.test(text) ? Number(text) : text),
  number: text => (/^-?\d{1,300}(?:\.\d{1,300})?$/.test(text) ? Number(text) : text),
  boolean: text => (text === 'true' ? true : text === 'false' ? false : text),
};

/** A command line knows only text: one text is a list of one, and each entry is read as the row's type. */
function readText({ type, items, enum: allowed }: ExpectedValue, given: unknown): unknown {
  if (type === 'array') {
    const reader = READERS[items ?? 'any'];
    const entries: unknown[] = Array.isArray(given) ? given : typeof given === 'string' ? [given] : [];
    if (entries.length === 0) return given;
    return entries.map(entry => (typeof entry === 'string' && reader !== undefined ? reader(entry) : entry));
  }
  if (typeof given !== 'string') return given;
  if (type === 'any') return allowed?.find(one => String(one) === given) ?? given;
  return READERS[type]?.(given) ?? given;
}
