import { expect, test } from 'vitest';
import { threadsFromComments } from './threads-from-comments.ts';

const loose = (id: string, more: object = {}): object => ({
  comment: { id, url: null, body: id, author: { id: '1', login: 'ada', kind: 'person' }, createdAt: `2026-01-01T00:00:0${id}Z`, updatedAt: null },
  parent: null,
  group: null,
  ref: { id, root: id, review: null, path: 'a.ts', side: 'new', line: 1 },
  resolved: null,
  outdated: null,
  ...more,
});
const idsOf = (result: unknown): string[][] =>
  (result as { threads: { comments: { id: string }[] }[] }).threads.map(thread => thread.comments.map(one => one.id));

test('replies follow their parents to the first comment, at any depth', () => {
  expect(idsOf(threadsFromComments([loose('3', { parent: '2' }), loose('1'), loose('2', { parent: '1' }), loose('4')]))).toEqual([['1', '2', '3'], ['4']]);
});

test('comments of one group are one thread, the oldest first', () => {
  expect(idsOf(threadsFromComments([loose('2', { group: 'g' }), loose('1', { group: 'g' })]))).toEqual([['1', '2']]);
});

test('a parent that is gone, and a circle, lose no comment', () => {
  expect(idsOf(threadsFromComments([loose('1', { parent: '9' })]))).toEqual([['1']]);
  expect(
    idsOf(threadsFromComments([loose('1', { parent: '2' }), loose('2', { parent: '1' })]))
      .flat()
      .sort(),
  ).toEqual(['1', '2']);
});

test('one resolved comment resolves the thread; where none says so it is unknown', () => {
  const resolvedOf = (list: object[]): unknown => (threadsFromComments(list) as { threads: { resolved: unknown }[] }).threads[0]?.resolved;
  expect(resolvedOf([loose('1', { resolved: true }), loose('2', { parent: '1', resolved: false })])).toBe(true);
  expect(resolvedOf([loose('1')])).toBeNull();
});

test('what is no list of comments is refused', () => {
  expect(() => threadsFromComments({})).toThrow();
  expect(() => threadsFromComments([{}])).toThrow();
});
