import { verifies } from '@weir/requirements';
import { expect, test } from 'vitest';
import { compile, getOf, jsonBody, openApi, postOf } from '../tests/small-descriptions.ts';
import { structuralDiff } from './structural-diff.ts';

const text = { type: 'string' };

function diff(before: Record<string, unknown>, after: Record<string, unknown>, bound?: ReadonlySet<string>) {
  const [from, to] = [compile(openApi(before)), compile(openApi(after))];
  if (!from.ok || !to.ok) throw new Error(JSON.stringify([from, to]));
  return structuralDiff(from.table, to.table, bound === undefined ? {} : { bound });
}

const kinds = (before: object, after: object) => diff({ '/a': before }, { '/a': after }).breaking.map(change => `${change.kind} ${change.name}`);
const query = (...parameters: object[]) => getOf({ parameters: parameters.map(one => ({ in: 'query', schema: text, ...one })) });
const body = (schema: object, more: object = {}) => postOf({ ...jsonBody({ type: 'object', ...schema }, { ...more }) });

test(`${verifies('PRV-7')} equal tables, new operations, new optional parts and wider types break nothing`, () => {
  const before = { '/a/{x}': query({ name: 'q', schema: { type: 'integer', enum: [1] } }) };
  const after = {
    '/a/{renamed}': query({ name: 'q', schema: { type: 'integer', enum: [1, 2] } }, { name: 'more' }),
    '/b': postOf({ operationId: 'two' }),
  };
  expect(diff(before, after)).toEqual({ breaking: [], added: ['two'], compared: 1 });
  expect(kinds(query({ name: 'q', schema: { type: 'integer' } }), query({ name: 'q' }))).toEqual([]);
  expect(kinds(body({ properties: { a: { type: 'integer' } } }), body({ properties: { a: { type: 'number' }, b: text } }))).toEqual([]);
  expect(kinds(query({ name: 'q' }), query({ name: 'q', schema: { type: 'array', items: text } }))).toEqual([]);
});

test.each([
  ['a parameter gone', query({ name: 'q' }), query(), ['parameter-gone q']],
  ['a parameter required', query({ name: 'q' }), query({ name: 'q', required: true }), ['parameter-required q']],
  ['a new required parameter', query(), query({ name: 'q', required: true }), ['parameter-required q']],
  ['a type narrowed', query({ name: 'q' }), query({ name: 'q', schema: { type: 'integer' } }), ['type-narrowed q']],
  [
    'entries narrowed',
    query({ name: 'q', schema: { type: 'array', items: text } }),
    query({ name: 'q', schema: { type: 'array', items: { type: 'integer' } } }),
    ['type-narrowed q'],
  ],
  ['an enum where there was none', query({ name: 'q' }), query({ name: 'q', schema: { type: 'string', enum: ['a'] } }), ['enum-narrowed q']],
  ['a value of an enum gone', query({ name: 'q', schema: { enum: ['a', 'b'] } }), query({ name: 'q', schema: { enum: ['a'] } }), ['enum-narrowed q']],
  [
    'another style',
    query({ name: 'q', schema: { type: 'array', items: text } }),
    query({ name: 'q', explode: false, schema: { type: 'array', items: text } }),
    ['style-narrowed q'],
  ],
  [
    'another type, whose style is no change of its own',
    query({ name: 'q', schema: { type: 'array', items: text } }),
    query({ name: 'q', schema: { type: 'integer' } }),
    ['type-narrowed q'],
  ],
  [
    'another style with a wider type',
    query({ name: 'q', schema: { type: 'array', items: text } }),
    query({ name: 'q', explode: false, schema: {} }),
    ['style-narrowed q'],
  ],
  ['a status gone', getOf({ responses: { 200: {}, 202: {} } }), getOf({ responses: { 202: {} } }), ['success-gone 200']],
  ['a field gone', body({ properties: { a: text, b: text } }), body({ properties: { b: text } }), ['field-gone a']],
  ['a field gone from an open body', body({ properties: { a: text, b: text } }), body({ properties: { b: text }, additionalProperties: true }), []],
  ['a field required', body({ properties: { a: text } }), body({ properties: { a: text }, required: ['a'] }), ['field-required a']],
  ['a new required field', body({ properties: { a: text } }), body({ properties: { a: text, b: text }, required: ['b'] }), ['field-required b']],
  ['a field of another type', body({ properties: { a: { type: 'integer' } } }), body({ properties: { a: text } }), ['type-narrowed a']],
  ['the body required', body({ properties: { a: text } }), body({ properties: { a: text } }, { required: true }), ['body-required ']],
  ['the body gone', body({ properties: { a: text } }), postOf(), ['field-gone a']],
  ['another content type', body({}), postOf({ requestBody: { content: { 'text/plain': { schema: text } } } }), ['content-type-gone application/json']],
])(`${verifies('PRV-7')} breaking: %s`, (_, before, after, expected) => {
  expect(kinds(before, after)).toEqual(expected);
});

test(`${verifies('PRV-7')} an operation that is gone, and one that moved, are told apart; a bound set narrows the report`, () => {
  const before = { '/a': getOf({ operationId: 'moved' }), '/b': getOf({ operationId: 'gone' }), '/c': getOf({ operationId: 'kept' }) };
  const after = { '/new/a': getOf({ operationId: 'moved' }), '/c': getOf({ operationId: 'kept' }) };
  expect(diff(before, after).breaking).toEqual([
    { id: 'moved', method: 'GET', path: '/a', kind: 'path-changed', name: '', detail: 'it is GET /new/a now' },
    { id: 'gone', method: 'GET', path: '/b', kind: 'operation-gone', name: '', detail: 'the operation is gone' },
  ]);
  expect(diff(before, after, new Set(['kept', 'gone']))).toMatchObject({ breaking: [{ id: 'gone' }], compared: 2 });
});
