/**
 * What an endpoint says about a failure, fit for people: one line, bounded, without control characters. The key is gone from it before.
 * Shapes seen in the field: {error: {message}}, {error: "…"}, {message}, {detail: "…"}, {detail: [{msg}]}, plain text, a web page.
 */
import { field, stringField } from './json-field.ts';

const MAX_MESSAGE_CHARACTERS = 300;

/** The part of a payload that describes a failure; undefined when it describes none. */
export function errorPart(payload: unknown): unknown {
  const error = field(payload, 'error');
  if (error !== undefined && error !== null) return error;
  return field(payload, 'object') === 'error' ? payload : undefined;
}

function sentenceOf(body: string): string {
  const payload = parsed(body);
  const error = errorPart(payload) ?? payload;
  const detail = field(payload, 'detail');
  const first = Array.isArray(detail) ? stringField(detail[0], 'msg') : detail;
  const sentence = [error, stringField(error, 'message'), first].find(candidate => typeof candidate === 'string' && candidate !== '');
  if (typeof sentence === 'string') return sentence;
  return body.trimStart().startsWith('<') ? 'a web page instead of JSON' : body;
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    // Not JSON: the text speaks for itself.
    return undefined;
  }
}

export function endpointMessage(body: string): string {
  const line = sentenceOf(body)
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim();
  return line.length > MAX_MESSAGE_CHARACTERS ? `${line.slice(0, MAX_MESSAGE_CHARACTERS)}…` : line;
}
