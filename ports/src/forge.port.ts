import type { ProviderDescriptor, Verb, VerbArguments, VerbResult } from '@weir/contract';

export type ForgeDialect = NonNullable<ProviderDescriptor['dialect']>;

/** A provider's text as a model may read it (PRV-20). */
export interface ForgeText<Value> {
  /** Fenced, hidden characters shown, bounded. */
  readonly text: string;
  /** Without what was dropped, for a slot that fences by itself; null where all was dropped. */
  readonly value: Value | null;
  readonly dropped: number;
}

/**
 * One account at one forge, as workers use it. `ask` throws AppError FORGE_* (with `retry` and `retryAfterSeconds` as the forge says),
 * and NOT_AVAILABLE for a verb that `supports` denies. Aborting the signal rejects with its reason.
 */
export interface ForgePort {
  /** Name of the provider's descriptor. */
  readonly forge: string;
  readonly dialect: ForgeDialect;
  /** Whether its deliveries say which thread a comment stands in; else `thread.list` does. */
  readonly namesThreads: boolean;
  supports(verb: Verb): boolean;
  ask<V extends Verb>(verb: V, args: VerbArguments<V>, signal: AbortSignal): Promise<VerbResult<V>>;
  /** @param author who wrote content that names nobody: the author of the change whose diff it is. */
  forModel<V extends Verb>(
    verb: V,
    value: VerbResult<V>,
    place: { readonly repository: { readonly owner: string; readonly name: string }; readonly author?: { readonly id: string; readonly login: string } },
    signal: AbortSignal,
  ): Promise<ForgeText<VerbResult<V>>>;
}
