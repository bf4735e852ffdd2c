/**
 * The calls of a binding in one form, whether it is one call or steps.
 */
import type { CapabilityBinding, CapabilityStep } from '@weir/contract';

/** A call with its name; a binding of a single call has the one call `call`. */
export type BoundCall = CapabilityStep;

const singleCall = ({ op, document, args, send_null, body, headers, expect, all_pages, when, each, allow }: CapabilityBinding): BoundCall => ({
  name: 'call',
  ...{ op, document, args, send_null, body, headers, expect, all_pages, when, each, allow },
});

export const callsOf = (binding: CapabilityBinding): readonly BoundCall[] => binding.steps ?? [singleCall(binding)];
