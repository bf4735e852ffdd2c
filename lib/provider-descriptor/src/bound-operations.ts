/**
 * The operations that a descriptor binds: what a bump of its description may break (PRV-7).
 */
import { type ProviderDescriptor, VERBS } from '@weir/contract';
import type { OperationTable } from '@weir/operation-table';
import { callsOf } from './calls-of.ts';
import { resolveOperation } from './resolve-operation.ts';

/** Id of an operation of the table -> what binds it: verbs, `policy.allowed_mutations`, `pagination`. */
export type BoundOperations = ReadonlyMap<string, readonly string[]>;

/** Calls of every verb, mutations that the policy names by operation, and where the server's page maximum is read. */
export function boundOperations(descriptor: ProviderDescriptor, table: OperationTable): BoundOperations {
  const bound = new Map<string, readonly string[]>();
  for (const [reference, by] of referencesOf(descriptor)) {
    const { row } = resolveOperation(table, reference);
    if (row !== undefined) bound.set(row.id, [...new Set([...(bound.get(row.id) ?? []), by])]);
  }
  return bound;
}

type Reference = readonly [operation: string, by: string];

const referencesOf = ({ capabilities, policy, pagination }: ProviderDescriptor): readonly Reference[] => [
  ...VERBS.flatMap(verb => {
    const binding = capabilities[verb];
    return binding === undefined ? [] : callsOf(binding).flatMap(({ op }): readonly Reference[] => (op === undefined ? [] : [[op, verb]]));
  }),
  ...policy.allowed_mutations.map((operation): Reference => [operation, 'policy.allowed_mutations']),
  ...(pagination.per_page_max_from === undefined ? [] : [[pagination.per_page_max_from.op, 'pagination'] as const]),
];
