/**
 * Checks one raw value (from a flag, the environment or a file) against the option's declaration.
 * Environment and flags give text; files give YAML values. Both end in the same typed value.
 */
import type { Setting, SettingType } from '@weir/contract';

export type SettingValue = string | number | boolean | readonly string[] | null;

export type Checked = { readonly ok: true; readonly value: SettingValue } | { readonly ok: false; readonly expected: string };

const good = (value: SettingValue): Checked => ({ ok: true, value });

/** What a value of this type looks like, for messages and the reference page. */
export function expectedForm(type: SettingType): string {
  switch (type.kind) {
    case 'string':
      return 'text';
    case 'boolean':
      return 'true or false';
    case 'integer':
      return `a whole number from ${type.min} to ${type.max}`;
    case 'number':
      return `a number from ${type.min} to ${type.max}`;
    case 'choice':
      return `one of ${type.values.join(', ')}`;
    case 'list':
      return 'a list of texts (in the environment separated by commas)';
    case 'globs':
      return `a list of globs, none empty, none starting with !, each of at most ${MAX_PATTERN} characters (in the environment separated by commas)`;
    case 'patterns':
      return `a list of patterns with * and ?, none empty, each of at most ${MAX_PATTERN} characters (in the environment separated by commas)`;
    case 'limit':
      return 'a limit; one that cannot be read is none, and a warning';
  }
}

const WORDS: Readonly<Record<string, boolean>> = { true: true, yes: true, '1': true, on: true, false: false, no: false, '0': false, off: false };

function numberIn(raw: unknown, min: number, max: number, whole: boolean): number | undefined {
  const value = typeof raw === 'string' && raw.trim() !== '' ? Number(raw) : raw;
  if (typeof value !== 'number' || !Number.isFinite(value) || value < min || value > max) return undefined;
  return whole && !Number.isInteger(value) ? undefined : value;
}

/** Characters of one glob or pattern, and how many there may be: matching costs their product with a path's length. */
const MAX_PATTERN = 500;
const MAX_PATTERNS = 500;

/** Commas inside braces belong to the glob. */
const COMMAS = /,(?![^{}]*\})/;

function patternsOf(raw: unknown, form: RegExp): readonly string[] | undefined {
  const entries = listOf(raw);
  return entries !== undefined && entries.length <= MAX_PATTERNS && entries.every(entry => entry.length <= MAX_PATTERN && form.test(entry))
    ? entries
    : undefined;
}

function listOf(raw: unknown): readonly string[] | undefined {
  if (typeof raw === 'string') {
    const entries = raw.split(COMMAS).map(entry => entry.trim());
    return entries.filter(entry => entry !== '');
  }
  return Array.isArray(raw) && raw.every(entry => typeof entry === 'string') ? raw : undefined;
}

const booleanOf = (raw: unknown): boolean | undefined => (typeof raw === 'string' ? WORDS[raw.toLowerCase()] : typeof raw === 'boolean' ? raw : undefined);

const choiceOf = (raw: unknown, values: readonly string[]): string | undefined => values.find(value => value === raw);

/** Whoever reads the limit finds that the word for another type is none. */
const limitText = (raw: unknown): string => (typeof raw === 'string' ? raw.trim() : typeof raw === 'number' ? String(raw) : typeof raw);

function convert(type: SettingType, raw: unknown): SettingValue | undefined {
  switch (type.kind) {
    case 'string':
      return typeof raw === 'string' && raw !== '' ? raw : undefined;
    case 'boolean':
      return booleanOf(raw);
    case 'integer':
      return numberIn(raw, type.min, type.max, true);
    case 'number':
      return numberIn(raw, type.min, type.max, false);
    case 'choice':
      return choiceOf(raw, type.values);
    case 'list':
      return listOf(raw);
    case 'globs':
      return patternsOf(raw, /^[^!]/);
    case 'patterns':
      return patternsOf(raw, /./s);
    case 'limit':
      return limitText(raw);
  }
}

/** Converts a raw value, or says what was expected. Never echoes the value: it may be a secret. */
export function checkValue(setting: Setting, raw: unknown): Checked {
  const value = convert(setting.type, raw);
  return value === undefined ? { ok: false, expected: expectedForm(setting.type) } : good(value);
}
