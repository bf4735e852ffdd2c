/**
 * What a failed answer says, as one readable line. Vendors send texts, lists of texts, lists of objects, objects of lists,
 * nested `error` objects and HTML pages; none of them comes out as `[Object]`.
 */
import { essenceOf } from './media-kind.ts';

/** Characters of an error body that are read (PRV-8: 8 KiB). */
export const MAX_ERROR_CHARACTERS = 8_192;
/** Characters of a message. */
export const MAX_MESSAGE_CHARACTERS = 600;
const MAX_DEPTH = 5;
const MAX_PARTS = 20;

export interface ErrorText {
  /** Empty where the answer says nothing. */
  readonly message: string;
  /** Machine-readable codes of the answer and of its entries, in lower case. */
  readonly codes: ReadonlySet<string>;
}

/** Reads at most the first 8 KiB; a JSON text that is cut there still yields its message. */
export const readErrorText = (bodyText: string, contentType: string): ErrorText => {
  const text = bodyText.slice(0, MAX_ERROR_CHARACTERS);
  const start = text.trimStart();
  if (essenceOf(contentType) === 'text/html' || /^<(?:!doctype|html)/i.test(start)) return { message: cleanText(pageTitle(start)), codes: new Set() };
  if (!/^[[{"]/.test(start)) return { message: cleanText(start), codes: new Set() };
  const value = parseJson(text);
  if (value === undefined) return { message: cleanText(messageOfCutJson(text)), codes: new Set() };
  return errorTextOf(value.value);
};

/** The same of a value that is parsed already. */
export const errorTextOf = (value: unknown): ErrorText => ({ message: cleanText(describeError(value, 0)), codes: codesOf(value) });

/** The value in a box, since `null` and `false` are values; undefined where the text is not JSON. */
export const parseJson = (text: string): { readonly value: unknown } | undefined => {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
};

/** One line without control and direction characters, cut at the bound with an ellipsis. */
export const cleanText = (text: string, limit = MAX_MESSAGE_CHARACTERS): string => {
  const line = text
    .slice(0, MAX_ERROR_CHARACTERS)
    .replace(/[\p{Cc}\p{Surrogate}\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim();
  return line.length <= limit ? line : `${line.slice(0, limit - 1).replace(/[\ud800-\udbff]$/, '')}…`;
};

function pageTitle(html: string): string {
  const lower = html.toLowerCase();
  const open = lower.indexOf('<title');
  const start = open === -1 ? -1 : lower.indexOf('>', open) + 1;
  const end = start <= 0 ? -1 : lower.indexOf('<', start);
  return end === -1 ? '' : html.slice(start, end);
}

/** The text may end inside the message; an escape that is cut is dropped. */
function messageOfCutJson(text: string): string {
  const inside = /"(?:message|error_description|error|title|detail)"\s{0,8}:\s{0,8}"((?:[^"\\]|\\.)*)/s.exec(text)?.[1];
  const value = inside === undefined ? undefined : parseJson(`"${inside.replace(/\\u[0-9a-f]{0,3}$/i, '')}"`)?.value;
  return typeof value === 'string' ? value : '';
}

/** Members that hold what happened, the most telling first. Others are read only where none of these is there. */
const TELLING = ['message', 'title', 'error', 'error_description', 'detail', 'errors', 'fields'];
/** Members that say nothing to a reader; as names of a list of complaints they do. */
const SILENT: ReadonlySet<string> = new Set([
  'documentation_url',
  'url',
  'status',
  'type',
  'exceptionName',
  'id',
  'request_id',
  'trace_id',
  'locations',
  'extensions',
]);

type Members = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Members => typeof value === 'object' && value !== null && !Array.isArray(value);

function describeError(value: unknown, depth: number): string {
  if (!isObject(value)) return describe(value, depth);
  const parts: string[] = [];
  for (const key of TELLING) {
    if (!Object.hasOwn(value, key)) continue;
    const member = value[key];
    const part = key === 'error' && isObject(member) && depth < MAX_DEPTH ? describeError(member, depth + 1) : describe(member, depth + 1);
    if (part !== '' && !parts.some(known => known.includes(part))) parts.push(part);
  }
  return parts.length === 0 ? describe(value, depth) : parts.join(': ');
}

function describe(value: unknown, depth: number): string {
  if (typeof value === 'string') return value.slice(0, MAX_MESSAGE_CHARACTERS);
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return '';
  if (Array.isArray(value))
    return value
      .slice(0, MAX_PARTS)
      .map(entry => describe(entry, depth + 1))
      .filter(notEmpty)
      .join('; ');
  return describeEntry(value as Members, depth);
}

const notEmpty = (text: string): boolean => text !== '';

const textOf = (value: unknown): string => (typeof value === 'string' ? value.slice(0, MAX_MESSAGE_CHARACTERS) : '');

/** `field: message`, or `Resource.field code`, or every member with its name. */
function describeEntry(entry: Members, depth: number): string {
  const message = textOf(entry['message']) || textOf(entry['detail']);
  const field = textOf(entry['field']) || textOf(entry['context']) || (Array.isArray(entry['path']) ? entry['path'].slice(0, MAX_PARTS).join('.') : '');
  if (message !== '') return field === '' ? message : `${field}: ${message}`;
  const code = textOf(entry['code']);
  if (code !== '') return `${[textOf(entry['resource']), field].filter(notEmpty).join('.')} ${code}`.trim();
  return Object.entries(entry)
    .filter(([key, member]) => typeof member === 'object' || !SILENT.has(key))
    .slice(0, MAX_PARTS)
    .map(([key, member]) => [key, describe(member, depth + 1)] as const)
    .filter(([, text]) => notEmpty(text))
    .map(([key, text]) => `${key}: ${text}`)
    .join(', ');
}

function codesOf(value: unknown): Set<string> {
  const codes = new Set<string>();
  const entries: unknown[] = [value, ...(isObject(value) && Array.isArray(value['errors']) ? value['errors'].slice(0, MAX_PARTS) : [])];
  for (const entry of entries) {
    if (!isObject(entry)) continue;
    for (const key of ['code', 'type']) if (typeof entry[key] === 'string') codes.add(entry[key].slice(0, 64).toLowerCase());
  }
  return codes;
}
