/** Look-ups in a YAML tree that tolerate every shape: a wrong kind of node reads as an absent one. */
import type { Entry, MapTree, ScalarTree, Tree } from './yaml-tree.ts';

export const entryOf = (tree: Tree | undefined, ...keys: readonly string[]): Entry | undefined =>
  tree?.kind === 'map' ? tree.entries.find(entry => keys.includes(entry.key)) : undefined;

export const valueOf = (tree: Tree | undefined, key: string): Tree | undefined => entryOf(tree, key)?.value;

export const entriesOf = (tree: Tree | undefined): readonly Entry[] => (tree?.kind === 'map' ? tree.entries : []);

export const itemsOf = (tree: Tree | undefined): readonly Tree[] => (tree?.kind === 'list' ? tree.items : []);

export const mapOf = (tree: Tree | undefined): MapTree | undefined => (tree?.kind === 'map' ? tree : undefined);

export const scalarOf = (tree: Tree | undefined): ScalarTree | undefined => (tree?.kind === 'scalar' ? tree : undefined);

/** All scalars below a node, in order; mapping keys are not values. */
export const scalarsIn = (tree: Tree | undefined): readonly ScalarTree[] => {
  if (tree === undefined) return [];
  if (tree.kind === 'scalar') return [tree];
  return tree.kind === 'list' ? tree.items.flatMap(scalarsIn) : tree.entries.flatMap(entry => scalarsIn(entry.value));
};
