/**
 * Which operations a descriptor takes: the categories and operations that it includes (all, where it names none), without those that it excludes.
 */
import { type CompileProblem } from './compile-problem.ts';
import { asArray, asObject, asString } from './json-value.ts';
import type { PublishedOperation } from './operation-reading.ts';

export interface Selection {
  readonly includeCategories?: readonly string[];
  /** Ids, or `METHOD /path`. */
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
}

export interface Selectable {
  readonly id: string;
  readonly published: PublishedOperation;
}

export interface Selected<T extends Selectable> {
  readonly taken: readonly T[];
  readonly left: readonly T[];
  readonly problems: readonly CompileProblem[];
  /** Entries of `exclude` that name nothing. */
  readonly stale: readonly string[];
}

export function selectOperations<T extends Selectable>(all: readonly T[], { includeCategories, include, exclude = [] }: Selection): Selected<T> {
  const everything = includeCategories === undefined && include === undefined;
  const categories = new Set(includeCategories);
  const included = new Set(include);
  const excluded = new Set(exclude);
  const named = (set: ReadonlySet<string>, { id, published }: T): boolean => set.has(id) || set.has(published.label);
  const wanted = (one: T): boolean => (everything || categories.has(categoryOf(one.published) ?? '') || named(included, one)) && !named(excluded, one);
  const names = new Set(all.flatMap(one => [one.id, one.published.label]));
  const known = new Set(all.map(one => categoryOf(one.published)));
  return {
    taken: all.filter(wanted),
    left: all.filter(one => !wanted(one)),
    problems: [
      ...[...included].filter(name => !names.has(name)).map(name => unknownName('include', name)),
      ...[...categories].filter(name => !known.has(name)).map(name => unknownName('include_categories', name)),
    ],
    stale: exclude.filter(name => !names.has(name)),
  };
}

const unknownName = (list: string, name: string): CompileProblem => ({
  operation: '',
  place: `operations/${list}`,
  reason: `the description has no ${list === 'include' ? 'operation' : 'category'} "${name}"`,
  mend: list === 'include' ? 'name it by its id or as METHOD /path' : 'use a category of the description',
});

/** The vendor's category of an operation, else its first tag. */
export const categoryOf = ({ operation }: PublishedOperation): string | undefined =>
  asString(asObject(operation['x-github'])?.['category']) ?? asString(asArray(operation['tags'])[0]);
