/**
 * `extends`: another provider's descriptor, taken whole, then narrowed or overridden key by key (page 30).
 * Works on parsed trees, before defaults are filled in.
 */
type Tree = Readonly<Record<string, unknown>>;

/** Deeper trees are no descriptors; what is below is taken from the child unmerged. */
const MAX_DEPTH = 16;

export const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The parent's tree with the child's on top: maps merge key by key, lists and values replace, null takes a key away. A verb
 * that the child declares unsupported loses its binding, and one that it binds is no longer unsupported.
 */
export const mergeDescriptor = (parent: Tree, child: Tree): Tree => {
  const merged = mergeTrees(parent, child, 0);
  return {
    ...merged,
    capabilities: withoutKeys(merged['capabilities'], child['unsupported']),
    unsupported: withoutKeys(merged['unsupported'], child['capabilities']),
  };
};

function mergeTrees(parent: Tree, child: Tree, depth: number): Tree {
  const merged = new Map(Object.entries(parent));
  for (const [key, value] of Object.entries(child)) {
    const before = merged.get(key);
    if (value === null) merged.delete(key);
    else merged.set(key, isTree(before) && isTree(value) && depth < MAX_DEPTH ? mergeTrees(before, value, depth + 1) : withoutNulls(value));
  }
  return Object.fromEntries(merged);
}

/** A null in a map that the parent does not have takes nothing away and must not stay. */
const withoutNulls = (value: unknown): unknown => (isTree(value) ? Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null)) : value);

function withoutKeys(map: unknown, taken: unknown): unknown {
  if (!isTree(map) || !isTree(taken)) return map ?? {};
  return Object.fromEntries(Object.entries(map).filter(([key]) => !(key in taken) || taken[key] === null));
}
