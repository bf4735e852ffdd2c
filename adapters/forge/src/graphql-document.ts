/**
 * What the engine reads of a persisted GraphQL document (PRV-17a). Documents are ours, checked against the SDL when a provider
 * is compiled; here only their kind and the names of their variables matter.
 */
import type { OperationRow } from '@weir/operation-table';

const head = (text: string): RegExpExecArray | null =>
  /^(query|mutation)[ \t]{1,4}[A-Za-z]\w{0,127}[ \t]{0,4}(?:\(([^()]{0,4096})\))?[ \t]{0,4}\{/.exec(text.replace(/^[ \t]*#.*$/gm, '').trimStart());

/** A query is a read though it is a POST. A document of two operations, or of none that has a name, is unknown and never sent. */
export const documentKind = (text: string): 'query' | 'mutation' | 'unknown' => {
  const operations = text.match(/^(?:query|mutation|subscription)\b/gm) ?? [];
  const kind = head(text)?.[1];
  return operations.length === 1 && (kind === 'query' || kind === 'mutation') ? kind : 'unknown';
};

export const documentVariables = (text: string): ReadonlySet<string> => new Set((head(text)?.[2] ?? '').match(/(?<=\$)[A-Za-z]\w*(?=[ \t]*:)/g) ?? []);

/** A row that stands for the document: what is not said of it has the meaning of a call without parameters. */
export const documentRow = (name: string): OperationRow => ({
  ...{ id: `graphql/${name}`, method: 'POST', path: '/graphql', parameters: [], success: [200], errors: [], produces: ['application/json'] },
  ...{ responseShape: 'object', pagination: 'none', deprecated: false, cloudOnly: false, notifies: false },
});
