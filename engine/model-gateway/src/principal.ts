/** Whose call it is: a virtual key's holder, or a part of Weir itself. */
import type { ModelCall, VirtualKey } from '@weir/contract';

/** What a call from within says about itself, for its charge. */
export type InternalPurpose = Pick<ModelCall, 'capability' | 'forge' | 'person' | 'run' | 'review' | 'repository'>;

export type Principal = { readonly kind: 'key'; readonly key: VirtualKey } | { readonly kind: 'internal'; readonly purpose: InternalPurpose };

const NOBODY = { forge: null, person: null, run: null, review: null, repository: null } as const;

/** A call from within that belongs to nothing but its capability. */
export const internalPrincipal = (purpose: Pick<InternalPurpose, 'capability'> & Partial<InternalPurpose>): Principal => ({
  kind: 'internal',
  purpose: { ...NOBODY, ...purpose },
});

/** The part of a charge that says whose call it was. */
export function holderOf(principal: Principal): InternalPurpose & Pick<ModelCall, 'virtualKey'> {
  if (principal.kind === 'internal') return { ...principal.purpose, virtualKey: null };
  const { id, holder } = principal.key;
  return {
    capability: 'gateway',
    forge: null,
    virtualKey: id,
    person: holder.kind === 'person' ? holder.id : null,
    run: holder.kind === 'run' ? holder.id : null,
    review: null,
    repository: null,
  };
}
