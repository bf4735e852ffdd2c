/**
 * Which pagination an operation most likely has, from the names of its parameters and the style that the descriptor gives for the forge.
 */
import type { OperationParameter, OperationRow, PaginationStyle } from '@weir/operation-table';
import type { SchemaFacts } from './schema-facts.ts';

export interface PaginationDefault {
  readonly style: Exclude<PaginationStyle, 'none'>;
  /** Name of the parameter that moves the forge's pages: an operation that has it is paged in the forge's style. */
  readonly pageParameter?: string;
  readonly perPageParameter?: string;
}

/** Parameters that tell a style, in the order of trust. A `since` that is a date is a filter; one that is a number is a page. */
const MARKS: readonly (readonly [style: PaginationStyle, names: readonly string[]])[] = [
  ['start', ['start']],
  ['cursor', ['cursor', 'after', 'before', 'page_token']],
  ['offset', ['offset', '$skip']],
  ['since', ['since']],
];

/** Usual names of the parameter that sizes a page. */
const PAGE_SIZES = ['per_page', 'limit', 'pagelen'];

/** Styles whose next page the answer itself names, whatever the parameters are called. */
const SELF_NAMING: readonly PaginationStyle[] = ['link', 'next-url'];

export interface PageFacts {
  readonly method: OperationRow['method'];
  readonly parameters: readonly OperationParameter[];
  /** Facts of the success, with fields, where the style needs them. */
  readonly answer: SchemaFacts | undefined;
}

/** The hint; `none` where nothing speaks for pages. */
export function paginationHint({ method, parameters, answer }: PageFacts, forge: PaginationDefault): PaginationStyle {
  if (method !== 'GET') return 'none';
  if (forge.style === 'next-url' && isEnvelope(answer)) return 'next-url';
  const query = new Map(parameters.filter(parameter => parameter.in === 'query').map(parameter => [parameter.name, parameter]));
  if (forge.pageParameter !== undefined && query.has(forge.pageParameter)) return forge.style;
  const style = query.has('page') ? 'page' : markedStyle(query, forge);
  return style !== 'none' && SELF_NAMING.includes(forge.style) ? forge.style : style;
}

/** Bitbucket's envelope: the entries and the URL of the next page. */
const isEnvelope = (answer: SchemaFacts | undefined): boolean => answer !== undefined && answer.fields.has('next') && answer.fields.has('values');

/** The style that a parameter beside the one for the page's size tells. */
function markedStyle(query: ReadonlyMap<string, OperationParameter>, { perPageParameter = 'per_page' }: PaginationDefault): PaginationStyle {
  if (![perPageParameter, ...PAGE_SIZES].some(name => query.has(name))) return 'none';
  const mark = MARKS.find(([style, names]) => names.some(name => query.has(name) && (style !== 'since' || query.get(name)?.type === 'integer')));
  return mark?.[0] ?? 'none';
}
