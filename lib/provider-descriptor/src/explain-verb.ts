/**
 * What `explain VERB` prints: which operations, with what arguments, in what order, and whether the policy lets them pass (PRV-1).
 */
import type { ProviderDescriptor, Verb } from '@weir/contract';
import type { OperationRow, OperationTable } from '@weir/operation-table';
import { callsOf } from './calls-of.ts';
import { resolveOperation } from './resolve-operation.ts';

export interface ExplainedCall {
  readonly name: string;
  /** Method and path of an operation; `GraphQL <document>` for a document; the reference itself where it names nothing. */
  readonly target: string;
  readonly operation: string | null;
  readonly docs: string | null;
  /** Argument -> expression; those of `common_args` that the operation takes are among them. */
  readonly args: Readonly<Record<string, string>>;
  readonly when: string | null;
  readonly each: string | null;
  readonly allow: readonly string[];
  readonly allPages: boolean;
  /** Null where a document's kind is not known here. */
  readonly mutates: boolean | null;
}

export type VerbExplanation =
  | {
      readonly kind: 'bound';
      readonly verb: Verb;
      readonly calls: readonly ExplainedCall[];
      readonly result: string;
      readonly quirk: string | null;
      readonly note: string | null;
      readonly policy: 'reads' | 'allowed' | 'denied' | 'read-only';
    }
  | { readonly kind: 'unsupported'; readonly verb: Verb; readonly instead: string }
  | { readonly kind: 'unbound'; readonly verb: Verb };

export const explainVerb = (descriptor: ProviderDescriptor, table: OperationTable, verb: Verb): VerbExplanation => {
  const binding = descriptor.capabilities[verb];
  const instead = descriptor.unsupported[verb];
  if (binding === undefined) return instead === undefined ? { kind: 'unbound', verb } : { kind: 'unsupported', verb, instead };
  const calls = callsOf(binding).map(call => explainCall(descriptor, table, call));
  return {
    kind: 'bound',
    verb,
    calls,
    result: binding.result,
    quirk: binding.quirk ?? null,
    note: binding.note ?? null,
    policy: policyOf(descriptor, verb, calls),
  };
};

function explainCall(descriptor: ProviderDescriptor, table: OperationTable, call: ReturnType<typeof callsOf>[number]): ExplainedCall {
  const row = call.op === undefined ? undefined : resolveOperation(table, call.op).row;
  const taken = new Set(row?.parameters.map(parameter => parameter.name));
  const common = Object.entries(descriptor.common_args).filter(([name]) => taken.has(name));
  return {
    name: call.name,
    ...targetOf(call, row),
    args: { ...Object.fromEntries(common), ...call.args },
    when: call.when ?? null,
    each: call.each ?? null,
    allow: call.allow,
    allPages: call.all_pages,
  };
}

const READS = ['GET', 'HEAD', 'OPTIONS'];

function targetOf(call: ReturnType<typeof callsOf>[number], row: OperationRow | undefined): Pick<ExplainedCall, 'target' | 'operation' | 'docs' | 'mutates'> {
  if (row === undefined)
    return { target: call.document === undefined ? (call.op ?? '') : `GraphQL ${call.document}`, operation: null, docs: null, mutates: null };
  return { target: `${row.method} ${row.path}`, operation: row.id, docs: row.docs ?? null, mutates: !READS.includes(row.method) };
}

function policyOf({ policy }: ProviderDescriptor, verb: Verb, calls: readonly ExplainedCall[]): 'reads' | 'allowed' | 'denied' | 'read-only' {
  if (calls.every(call => call.mutates === false)) return 'reads';
  if (policy.read_only) return 'read-only';
  return policy.allowed_mutations.includes(verb) ? 'allowed' : 'denied';
}
