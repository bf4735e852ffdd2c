/**
 * Is an answer a list? Decided by the answer itself and by the descriptor, never by the published schema (PRV-4).
 */

export type Items =
  | { readonly kind: 'list'; readonly items: readonly unknown[] }
  | { readonly kind: 'single' }
  /** The descriptor names a member that is not a list here. */
  | { readonly kind: 'malformed'; readonly reason: string };

/** Members that only the envelope of a list has. */
const ENVELOPE_MARKS = ['total_count', 'totalResults', 'isLastPage', 'pagelen', 'next', 'next_cursor', 'pageInfo', 'page_info'];

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * `itemsPath`: members to walk to the list, with dots between (`values`, `data.nodes`). Without one, an array is a list, and so
 * is an object that looks like an envelope and has exactly one array.
 */
export const itemsOf = (value: unknown, itemsPath?: string): Items => {
  if (Array.isArray(value)) return { kind: 'list', items: value };
  if (itemsPath !== undefined && itemsPath !== '') return itemsAt(value, itemsPath);
  if (!isObject(value) || !ENVELOPE_MARKS.some(mark => Object.hasOwn(value, mark))) return { kind: 'single' };
  const arrays = Object.values(value).filter(member => Array.isArray(member));
  const [items] = arrays;
  return arrays.length === 1 && items !== undefined ? { kind: 'list', items } : { kind: 'single' };
};

function itemsAt(value: unknown, itemsPath: string): Items {
  const found = memberAt(value, itemsPath);
  return Array.isArray(found) ? { kind: 'list', items: found } : { kind: 'malformed', reason: `the answer has no list at ${itemsPath}` };
}

/** The member at a path with dots; undefined where it is not there. */
export const memberAt = (value: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((found, name) => (isObject(found) && Object.hasOwn(found, name) ? found[name] : undefined), value);
