/**
 * Reads the hand-extracted facts: one operation a line, `METHOD /path ?query : body`.
 * A value is `name=type`, `name!=type` when required; a type is a word, `a|b|c` for an enum, `[]type` for a list,
 * `type?` when null is allowed. `: -` says that a body is taken but not described.
 */
import type { OperationRule, ParameterRule, Schema } from './operation-rule.ts';

const WORDS = new Set(['string', 'integer', 'number', 'boolean', 'object', 'array', 'any']);
const FORM_TYPES = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'];

/** Throws on a line that can't be read: the facts are ours. */
export function readFacts(facts: string): readonly OperationRule[] {
  return facts
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '' && !line.startsWith('#'))
    .map(readLine);
}

function readLine(line: string): OperationRule {
  const [left = '', right] = line.split(' : ');
  const [method, template, ...query] = left.trim().split(/\s+/);
  if (method === undefined || template === undefined || !template.startsWith('/')) throw new Error(`facts: can't read ${line}`);
  const fields = right === undefined || right.trim() === '-' ? [] : right.trim().split(/\s+/).map(readValue);
  return {
    id: `${method} ${template}`,
    method,
    template,
    path: [...template.matchAll(/\{([^}*]+)\*?\}/g)].map(match => ({ name: match[1] ?? '', required: true, schema: { type: 'string' } })),
    query: query.map(word => readValue(word.replace(/^\?/, ''))),
    body: right === undefined ? null : { required: fields.some(field => field.required), types: FORM_TYPES, schema: bodySchema(fields) },
    resolve: reference => {
      throw new Error(`facts hold no ${reference}`);
    },
  };
}

function bodySchema(fields: readonly ParameterRule[]): Schema {
  if (fields.length === 0) return {};
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(field => [field.name, field.schema])),
    required: fields.filter(field => field.required).map(field => field.name),
  };
}

function readValue(word: string): ParameterRule {
  const at = word.indexOf('=');
  if (at < 1) throw new Error(`facts: can't read ${word}`);
  const required = word[at - 1] === '!';
  const name = word.slice(0, required ? at - 1 : at);
  return { name, required, schema: readType(word.slice(at + 1)) };
}

function readType(word: string): Schema {
  if (word.endsWith('?')) return { ...readType(word.slice(0, -1)), nullable: true };
  if (word.startsWith('[]')) return { type: 'array', items: readType(word.slice(2)) };
  if (word === 'any') return {};
  return WORDS.has(word) ? { type: word } : { type: 'string', enum: word.split('|') };
}
