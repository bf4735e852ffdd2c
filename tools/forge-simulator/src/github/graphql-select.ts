/** Answers a selection from plain objects: a field is a value, or a function of its arguments. */
import { isRecord } from '../http/fields.ts';
import type { GraphqlDocument, GraphqlValue, Selection } from './graphql-document.ts';

export interface GraphqlNode {
  readonly __typename: string;
  readonly [field: string]: unknown;
}

/** What GitHub lists under `errors`; thrown by resolvers, collected by the endpoint. */
export class GraphqlError extends Error {
  readonly type: string;

  constructor(type: string, message: string) {
    super(message);
    this.type = type;
  }
}

export interface SelectionScene {
  readonly document: GraphqlDocument;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Rejects with a GraphqlError of type `undefinedField` for a field that the node has not. */
export async function select(node: GraphqlNode, selections: readonly Selection[], scene: SelectionScene): Promise<Record<string, unknown>> {
  const out: Record<string, unknown> = {};
  for (const selection of selections) {
    if (selection.kind === 'field') out[selection.alias] = await field(node, selection, scene);
    else if (selection.kind === 'spread') Object.assign(out, await select(node, scene.document.fragments.get(selection.name) ?? [], scene));
    else if (selection.name === node.__typename || selection.name === 'Node' || selection.name === 'Actor' || selection.name === 'Comment')
      Object.assign(out, await select(node, selection.selections, scene));
  }
  return out;
}

async function field(node: GraphqlNode, selection: Selection, scene: SelectionScene): Promise<unknown> {
  if (!(selection.name in node)) throw new GraphqlError('undefinedField', `Field '${selection.name}' doesn't exist on type '${node.__typename}'`);
  const held = node[selection.name];
  const values = Object.fromEntries(Object.entries(selection.values).map(([name, value]) => [name, bind(value, scene)]));
  const value: unknown = typeof held === 'function' ? await (held as (values: Record<string, unknown>) => unknown)(values) : held;
  return descend(value, selection, scene);
}

async function descend(value: unknown, selection: Selection, scene: SelectionScene): Promise<unknown> {
  if (Array.isArray(value)) return Promise.all(value.map(one => descend(one, selection, scene)));
  if (!isRecord(value) || !('__typename' in value)) return value;
  if (selection.selections.length === 0)
    throw new GraphqlError(
      'selectionMismatch',
      `Field must have selections (field '${selection.name}' returns ${String(value['__typename'])} but has no selections. Did you mean '${selection.name} { ... }'?)`,
    );
  return select(value as GraphqlNode, selection.selections, scene);
}

function bind(value: GraphqlValue, scene: SelectionScene): unknown {
  if (Array.isArray(value)) return value.map(one => bind(one, scene));
  if (!isRecord(value)) return value;
  if (typeof value['variable'] === 'string') return scene.variables[value['variable']];
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, bind(one as GraphqlValue, scene)]));
}

/** A connection over a list: `first`/`after` with opaque cursors, at most 100 a page. */
export function connection(typename: string, items: readonly GraphqlNode[]): (values: Record<string, unknown>) => GraphqlNode {
  return values => {
    const first = values['first'] ?? values['last'];
    if (typeof first !== 'number')
      throw new GraphqlError(
        'MISSING_PAGINATION_BOUNDARIES',
        `You must provide a \`first\` or \`last\` value to properly paginate the \`${typename}\` connection.`,
      );
    if (first < 1 || first > 100)
      throw new GraphqlError(
        'EXCESSIVE_PAGINATION',
        `Requesting ${first} records on the \`${typename}\` connection exceeds the \`first\` limit of 100 records.`,
      );
    const start = typeof values['after'] === 'string' ? Number(Buffer.from(values['after'], 'base64').toString().replace('cursor:', '')) : 0;
    const from = values['last'] === undefined ? start : Math.max(0, items.length - first);
    const page = items.slice(from, from + first);
    const cursor = (at: number): string => Buffer.from(`cursor:${at}`).toString('base64');
    return {
      __typename: `${typename}Connection`,
      totalCount: items.length,
      nodes: page,
      edges: page.map((node, at) => ({ __typename: `${typename}Edge`, cursor: cursor(from + at + 1), node })),
      pageInfo: {
        __typename: 'PageInfo',
        hasNextPage: from + page.length < items.length,
        hasPreviousPage: from > 0,
        startCursor: page.length > 0 ? cursor(from + 1) : null,
        endCursor: page.length > 0 ? cursor(from + page.length) : null,
      },
    };
  };
}
