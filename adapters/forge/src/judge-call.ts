/**
 * The single funnel in front of every call (PRV-17): reads pass, writes pass where the policy names them.
 */
import type { ProviderDescriptor, Verb } from '@weir/contract';
import type { OperationTable } from '@weir/operation-table';
import { callsOf, resolveOperation } from '@weir/provider-descriptor';
import { documentRow } from './graphql-document.ts';
import type { PlannedCall } from './plan-call.ts';

export type Verdict = { readonly allowed: true } | { readonly allowed: false; readonly reason: string };

export interface Claim {
  readonly capability: Verb | undefined;
  readonly readOnly: boolean;
}

const ALLOWED: Verdict = { allowed: true };

export type JudgeCall = (call: PlannedCall, claim: Claim) => Verdict;

/** A capability counts only for the operations that the descriptor binds it to, so that its name opens nothing else. */
export const createJudge = ({ capabilities, policy }: ProviderDescriptor, table: OperationTable): JudgeCall => {
  const bound = new Map<Verb, ReadonlySet<string>>();

  function operationsOf(verb: Verb): ReadonlySet<string> {
    const known = bound.get(verb);
    if (known !== undefined) return known;
    const binding = capabilities[verb];
    const calls = binding === undefined ? [] : callsOf(binding);
    const made = new Set(
      calls.flatMap(({ op, document }) => (document === undefined ? (resolveOperation(table, op ?? '').row?.id ?? []) : documentRow(document).id)),
    );
    bound.set(verb, made);
    return made;
  }

  return ({ operation, mutates, row }, { capability, readOnly }) => {
    if (!mutates) return ALLOWED;
    if (readOnly || policy.read_only) return { allowed: false, reason: `the policy is read-only, and ${row.method} writes` };
    if (policy.allowed_mutations.includes(operation)) return ALLOWED;
    if (capability !== undefined && policy.allowed_mutations.includes(capability)) {
      if (operationsOf(capability).has(operation)) return ALLOWED;
      return { allowed: false, reason: `${capability} is allowed, but it is not carried out by this operation` };
    }
    return {
      allowed: false,
      reason: capability === undefined ? 'a write that the policy does not name' : `a write on behalf of ${capability}, which the policy does not name`,
    };
  };
};
