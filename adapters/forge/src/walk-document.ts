/**
 * All pages of a connection of a persisted GraphQL document, joined (PRV-11, PRV-17a).
 */
import type { ProviderDescriptor } from '@weir/contract';
import type { CallAnswer, ExecuteCall } from './execute-call.ts';
import type { CallPlanner } from './plan-call.ts';
import { failed, type Outcome } from './provider-failure.ts';
import type { CallContext } from './provider-options.ts';

export type WalkDocument = (name: string, variables: Readonly<Record<string, unknown>>, context: CallContext) => Promise<Outcome<CallAnswer>>;

export interface DocumentParts {
  readonly descriptor: ProviderDescriptor;
  readonly planner: CallPlanner;
  readonly execute: ExecuteCall;
  readonly now: () => number;
}

interface Connection {
  readonly nodes: readonly unknown[];
  /** Undefined on the last page. */
  readonly next: string | undefined;
}

interface DocumentPage extends Connection {
  readonly answer: CallAnswer;
}

/** The last answer, with the nodes of all pages as its value. */
export const createDocumentWalk =
  ({ descriptor, planner, execute, now }: DocumentParts): WalkDocument =>
  async (name, variables, context) => {
    const pages = descriptor.graphql?.documents[name]?.pages;
    if (pages === undefined) return failed('UnknownOperation', `the document ${name} has no pages`);
    const { connection: connectionPath } = pages;
    const { max_pages: maxPages, max_items: maxItems } = descriptor.pagination;
    const until = now() + descriptor.timeouts.walk_ms;
    const nodes: unknown[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < maxPages; page += 1) {
      const read = await readPage(cursor === undefined ? variables : { ...variables, [pages.cursor]: cursor }, cursor);
      if (!read.ok) return read;
      for (const node of read.value.nodes) nodes.push(node);
      if (nodes.length > maxItems) return failed('BoundExceeded', `the list has more than ${maxItems} entries`);
      cursor = read.value.next;
      if (cursor === undefined) return { ok: true, value: { ...read.value.answer, value: nodes } };
      if (now() > until) return failed('BoundExceeded', `the walk over its pages takes longer than ${descriptor.timeouts.walk_ms / 1_000} s`);
    }
    return failed('BoundExceeded', `${maxPages} pages are read and the list goes on`);

    async function readPage(given: Readonly<Record<string, unknown>>, asked: string | undefined): Promise<Outcome<DocumentPage>> {
      const planned = planner.planDocument(name, given);
      const answered = planned.ok ? await execute(planned.value, context) : planned;
      if (!answered.ok) return answered;
      const connection = readConnection(answered.value.value, connectionPath, asked);
      return connection.ok ? { ok: true, value: { ...connection.value, answer: answered.value } } : connection;
    }
  };

const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? (value as Readonly<Record<string, unknown>>)[name] : undefined;

function readConnection(data: unknown, path: string, asked: string | undefined): Outcome<Connection> {
  const broken = failed('Unavailable', `the answer has no connection at ${path}`);
  let found: unknown = data;
  for (const name of path.split('.')) {
    found = member(found, name);
    // What the document names is not there, or the credential may not see it: the vendor's null is its 404.
    if (found === null) return failed('NotFound', `there is no ${name}`);
  }
  const nodes = member(found, 'nodes');
  const info = member(found, 'pageInfo');
  if (!Array.isArray(nodes) || info === undefined) return broken;
  const more = member(info, 'hasNextPage');
  if (more === false) return { ok: true, value: { nodes, next: undefined } };
  const next = member(info, 'endCursor');
  if (more !== true || typeof next !== 'string' || next === '' || next === asked) return failed('Unavailable', 'there is more, but no new cursor to ask with');
  return { ok: true, value: { nodes, next } };
}
