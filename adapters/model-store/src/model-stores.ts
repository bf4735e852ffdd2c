/** The four stores of the model gateway, over one memory or one database. */
import type { CredentialPool, LedgerStore, ModelConfigStore, VirtualKeyStore } from '@weir/ports';

export interface ModelStores {
  readonly config: ModelConfigStore;
  readonly credentials: CredentialPool;
  readonly keys: VirtualKeyStore;
  readonly ledger: LedgerStore;
}

/** Taken from outside, so that tests hold the time. */
export interface StoreClock {
  /** Milliseconds since 1970. */
  readonly now: () => number;
}
