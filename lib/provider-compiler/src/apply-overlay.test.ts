import { checkArguments, type OperationRow } from '@weir/operation-table';
import { verifies } from '@weir/requirements';
import { expect, test } from 'vitest';
import { compile, getOf, openApi, problemsOf, rowsOf } from '../tests/small-descriptions.ts';
import { applyOverlay } from './apply-overlay.ts';

const reason = 'the forge does it so';

test(`${verifies('PRV-2')} add, replace, remove and test, on members and in lists; the given description stays as it was`, () => {
  const before = { a: { b: [1, 2, 3] }, c: 'x', '/p': { '~': 1 } };
  const copy = structuredClone(before);
  const { value, problems } = applyOverlay(before, [
    { op: 'test', path: '/c', value: 'x', reason },
    { op: 'add', path: '/a/b/1', value: 9, reason },
    { op: 'add', path: '/a/b/-', value: 10, reason },
    { op: 'remove', path: '/a/b/0', reason },
    { op: 'replace', path: '/c', value: { deep: [1] }, reason },
    { op: 'test', path: '/c', value: { deep: [1] }, reason },
    { op: 'add', path: '/~1p/~0', value: 2, reason },
    { op: 'add', path: '/__proto__', value: 'own', reason },
  ]);
  expect(problems).toEqual([]);
  expect(JSON.stringify(value)).toBe('{"a":{"b":[9,2,3,10]},"c":{"deep":[1]},"/p":{"~":2},"__proto__":"own"}');
  expect(before).toEqual(copy);
});

test.each([
  ['no reason', { op: 'remove', path: '/a' }, 'the entry has no "reason"'],
  ['a blank reason', { op: 'remove', path: '/a', reason: '  ' }, 'the entry has no "reason"'],
  ['another operation', { op: 'move', from: '/a', path: '/b', reason }, '"op" is not add, replace, remove or test'],
  ['no path', { op: 'remove', reason }, 'the entry has no "path"'],
  ['no pointer', { op: 'remove', path: 'a', reason }, '"path" is not a JSON Pointer'],
  ['the whole', { op: 'replace', path: '', value: {}, reason }, '"path" is the whole description'],
  ['no value', { op: 'add', path: '/a', reason }, 'the entry has no "value"'],
  ['a member that is not there', { op: 'replace', path: '/gone', value: 1, reason }, 'there is no member "gone" to replace'],
  ['a place that is not there', { op: 'add', path: '/gone/x', value: 1, reason }, 'nothing stands at /gone/x'],
  ['a test that fails', { op: 'test', path: '/info/version', value: '2', reason }, 'the value of "version" is another one'],
  ['an entry of no list', { op: 'remove', path: '/servers/7', reason }, 'there is no entry 7 in the list'],
  ['an inherited member', { op: 'test', path: '/toString', value: 1, reason }, 'there is no member "toString" to test'],
])(`${verifies('PRV-2')} an entry that can't be applied is named: %s`, (_, entry, expected) => {
  const [problem] = problemsOf(compile(openApi({ '/a': getOf() }), { overlay: [{ op: 'test', path: '/openapi', value: '3.0.3', reason }, entry] }));
  expect(problem).toEqual({ operation: '', place: 'overlay/1', reason: expected, mend: expect.stringMatching(/\w/) as unknown });
});

test(`${verifies('PRV-2', 'PRV-4')} an overlay makes a path value keep its slashes`, () => {
  const description = openApi({ '/raw/{filepath}': getOf({ parameters: [{ name: 'filepath', in: 'path', required: true, schema: { type: 'string' } }] }) });
  const overlay = [{ op: 'add', path: '/paths/~1raw~1{filepath}/get/parameters/0/x-multi-segment', value: true, reason }];
  expect(rowsOf(compile(description, { overlay }))[0]?.parameters[0]?.style).toBe('segments');
  expect(problemsOf(compile(description, { overlay: {} }))[0]?.reason).toBe('an overlay is a list of entries');
});

test(`${verifies('PRV-4', 'PRV-12a')} null is sent where the description, or an overlay, says that a field may be null; else it is refused with a mend`, () => {
  const properties = { milestone: { type: 'integer' }, at: { type: 'string', nullable: true } };
  const description = openApi({
    '/a': { patch: { operationId: 'edit', requestBody: { content: { 'application/json': { schema: { type: 'object', properties } } } }, responses: {} } },
  });
  const overlay = [{ op: 'add', path: '/paths/~1a/patch/requestBody/content/application~1json/schema/properties/milestone/x-nullable', value: true, reason }];
  const check = (args: Record<string, unknown>, entries?: unknown) =>
    checkArguments(rowsOf(compile(description, entries === undefined ? {} : { overlay: entries }))[0] as OperationRow, args);
  expect(check({ at: null }).ok).toBe(true);
  expect(check({ milestone: null }, overlay).ok).toBe(true);
  expect(check({ milestone: null })).toMatchObject({
    problems: [{ argument: 'milestone', code: 'type', reason: expect.stringMatching(/not null: leave it out, or say by an overlay entry/) as unknown }],
  });
});
