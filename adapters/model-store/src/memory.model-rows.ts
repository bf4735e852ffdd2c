/** The rows that the stores of one memory share. */
import type { ModelProvider, ModelUse } from '@weir/contract';
import type { CredentialRow } from './credential-state.ts';
import type { PricedModel } from './model-refusals.ts';

export interface MemoryModelRows {
  readonly providers: Map<string, ModelProvider>;
  /** By `{modelProvider}/{name}`. */
  readonly models: Map<string, PricedModel>;
  /** By holder. */
  readonly uses: Map<string, ModelUse>;
  /** By ref. */
  readonly credentials: Map<string, CredentialRow>;
}
