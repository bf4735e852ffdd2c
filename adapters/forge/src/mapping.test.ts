import { expect, test } from 'vitest';
import { createMappingCompiler, ExpressionError, MAX_EXPRESSION_LENGTH } from './mapping.ts';

const compile = createMappingCompiler({ person: '{id: id(id), login: login}', comment: "{by: as('person', user), text: body}" });
const run = (expression: string, answer: unknown) => compile(expression)({ answer });

test.each([
  ["answer[*].as('comment', @)", [{ user: { id: 7, login: 'ada' }, body: 'x' }], [{ by: { id: '7', login: 'ada' }, text: 'x' }]],
  ["pick(answer, {open: 'o'}, 'unknown')", 'closed', 'unknown'],
  ["pick(answer, {open: 'o'})", 'open', 'o'],
  ["answer.title[:4] == 'WIP:'", { title: 'WIP: x' }, true],
  ['flag(answer.draft)', {}, false],
  ["answer.a == 'x' && answer.b ? 'both' : 'not'", { a: 'x', b: 0 }, 'both'],
])('%s', (expression, answer, value) => expect(run(expression, answer)).toEqual({ ok: true, value }));

test.each([
  ['id(answer.id)', {}],
  ['id(answer.id)', { id: { a: 1 } }],
  ['id(answer.id)', { id: 1.5 }],
  ['id(answer.id)', { id: '' }],
  ["pick(answer, {open: 'o'})", 'toString'],
  ["pick(answer, {open: 'o'}, 'unknown')", { a: 1 }],
  ['flag(answer)', 'true'],
  ['word(answer)', 5],
  ["join('/', [answer.a, answer.b])", { a: 'x' }],
  ['answer.a == answer.b', { a: [1], b: [1] }],
])('a value of a wrong kind is an error: %s of %j', (expression, answer) => expect(run(expression, answer)).toMatchObject({ ok: false }));

test.each([
  ['pad_left(answer, `1000000000`)', 'pad_left'],
  ["replace(answer, 'a', 'b')", 'replace'],
  ['to_string(answer)', 'to_string'],
  ['let $a = answer in $a', 'let'],
  ["as('nobody', answer)", 'shape'],
  ['as(answer, answer)', 'shape'],
  ['answer.__proto__', '__proto__'],
  ['!answer.draft', '!(a.b)'],
  ['answer[', 'Syntax'],
  ['a'.repeat(MAX_EXPRESSION_LENGTH + 1), 'characters'],
  [`${'('.repeat(200)}a${')'.repeat(200)}.${'a.'.repeat(100)}a`, 'large'],
])('refused when it is loaded: %s', (expression, word) => {
  expect(() => compile(expression)).toThrow(ExpressionError);
  expect(() => compile(expression)).toThrow(word);
});

test('a shape can use those above it and no other, so none can call itself', () => {
  expect(() => createMappingCompiler({ a: "as('a', @)" })).toThrow(ExpressionError);
  expect(() => createMappingCompiler({ a: "as('b', @)", b: '@' })).toThrow(ExpressionError);
});

test('the work of an evaluation is bounded, whatever the answer', () => {
  const nested = compile('answer[*].{a: $.answer[*].{b: $.answer[*].{c: @}}}');
  expect(nested({ answer: Array.from({ length: 400 }, (_, index) => index) })).toMatchObject({ ok: false, reason: expect.stringContaining('steps') });
  const text = compile("answer[*].{a: split($.answer[0], 'a')}");
  expect(text({ answer: ['a'.repeat(100_000), ...Array.from({ length: 1_000 }, () => 'x')] })).toMatchObject({ ok: false });
});

test('nesting that uses the stack up is an error value', () => {
  let deep: unknown = 1;
  for (let level = 0; level < 100_000; level += 1) deep = { a: deep };
  expect(compile("merge(answer, {b: 'x'})")({ answer: deep }).ok).toBe(true);
  expect(compile("answer == 'x'")({ answer: deep })).toEqual({ ok: true, value: false });
});

test('an evaluation leaves nothing for the next', () => {
  const failing = compile('id(answer)');
  expect(failing({ answer: null }).ok).toBe(false);
  expect(failing({ answer: 1 })).toEqual({ ok: true, value: '1' });
});
