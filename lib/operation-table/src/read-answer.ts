/**
 * The value of a successful answer: JSON, text or nothing. The row's response shape is a hint and refuses nothing (PRV-12a).
 */
import { parseJson } from './error-text.ts';
import { essenceOf } from './media-kind.ts';
import type { OperationRow } from './operation-row.ts';

export type Answer = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly reason: string };

const JSON_TYPE = /^(?:application|text)\/(?:[\w.-]+\+)?json$/;
/** Vendor types that end in `+json` and carry the file or the diff itself. */
const RAW_TYPE = /\.(?:raw|diff|patch|sha|base64)\+json$/;

const NOT_JSON: Answer = { ok: false, reason: 'the answer is not JSON, or it is cut off' };

/** `null` for an empty body, whatever the status. */
export const readAnswer = (row: OperationRow, contentType: string, bodyText: string): Answer => {
  const type = essenceOf(contentType);
  const start = bodyText.slice(0, 256).trimStart().toLowerCase();
  if (start === '' && bodyText.trim() === '') return { ok: true, value: null };
  if (JSON_TYPE.test(type) && !RAW_TYPE.test(type)) return readDeclaredJson(type, start, bodyText);
  return expectsJson(row) ? readUndeclaredJson(type, start, bodyText) : { ok: true, value: bodyText };
};

/** Some vendors answer a text in a type of their own that ends in `+json`; plain JSON that can't be read is broken. */
function readDeclaredJson(type: string, start: string, bodyText: string): Answer {
  const vendorText = type !== 'application/json' && !/^[[{"]/.test(start);
  return readJson(bodyText) ?? (vendorText ? { ok: true, value: bodyText } : NOT_JSON);
}

/** The row expects JSON and the answer is called otherwise: a page of a proxy, JSON under a wrong name, or a diff that was asked for. */
function readUndeclaredJson(type: string, start: string, bodyText: string): Answer {
  if (type === 'text/html' || (type === '' && /^<(?:!doctype|html)/.test(start))) return { ok: false, reason: 'an HTML page came instead of the answer' };
  const looksJson = /^[[{]/.test(start) && (type === '' || type === 'text/plain');
  const read = looksJson ? readJson(bodyText) : undefined;
  return read ?? (looksJson && type === '' ? NOT_JSON : { ok: true, value: bodyText });
}

const readJson = (text: string): Answer | undefined => {
  const parsed = parseJson(text);
  return parsed === undefined ? undefined : { ok: true, value: parsed.value };
};

/** Only where the row says so: an operation that answers with files may answer with a page. */
const expectsJson = ({ responseShape, produces }: OperationRow): boolean => {
  if (responseShape === 'text' || responseShape === 'binary') return false;
  if (produces.length === 0) return responseShape === 'object' || responseShape === 'array';
  return produces.every(type => JSON_TYPE.test(essenceOf(type)));
};
