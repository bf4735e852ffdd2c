/** Finds operations by words: ids, paths, categories and a few synonyms of our own; no vendor prose is searched. */
import type { OperationRow, OperationTable } from '@weir/operation-table';

/** Words that people use for the same thing on different forges. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  pr: ['pull', 'merge', 'pulls', 'pullrequests'],
  mr: ['merge', 'pull'],
  comment: ['note', 'notes', 'comments'],
  thread: ['discussion', 'discussions', 'review'],
  file: ['contents', 'content', 'src', 'blob'],
  repo: ['repository', 'project', 'projects', 'repos', 'repositories'],
  add: ['create', 'post'],
  remove: ['delete'],
  edit: ['update', 'patch', 'put'],
  show: ['get'],
  hook: ['webhook', 'webhooks', 'hooks'],
};

const words = (text: string): readonly string[] =>
  text
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(word => word !== '');

const METHOD_WORDS: Readonly<Record<string, string>> = {
  GET: 'get list show',
  POST: 'create add post',
  PUT: 'update set replace put',
  PATCH: 'update edit patch',
  DELETE: 'delete remove',
};

const stem = (word: string): string => word.replace(/(?:ies)$/, 'y').replace(/s$/, '');

/** Points of one row for one wanted word: its own name weighs most, then its path, then what it belongs to. */
function points(row: OperationRow, wanted: string): number {
  const alternatives = [wanted, ...(SYNONYMS[wanted] ?? [])].map(stem);
  const has = (text: string): boolean => words(text).some(word => alternatives.includes(stem(word)));
  return (
    (has(row.id) ? 4 : 0) +
    (has(row.path) ? 3 : 0) +
    (has(METHOD_WORDS[row.method] ?? '') ? 1 : 0) +
    (has(`${row.category ?? ''} ${row.subcategory ?? ''}`) ? 2 : 0)
  );
}

/** The best rows, best first; those that miss a word come after those that have all. Shorter paths win ties. */
export function searchOperations(table: OperationTable, query: string, most: number): readonly OperationRow[] {
  const wanted = words(query);
  const scored = table.operations.map(row => {
    const each = wanted.map(word => points(row, word));
    return { row, missed: each.filter(value => value === 0).length, total: each.reduce((sum, value) => sum + value, 0) };
  });
  const order = (a: (typeof scored)[number], b: (typeof scored)[number]): number =>
    a.missed - b.missed || b.total - a.total || a.row.path.length - b.row.path.length || (a.row.id < b.row.id ? -1 : 1);
  return scored
    .filter(({ total }) => total > 0)
    .sort(order)
    .slice(0, most)
    .map(({ row }) => row);
}
