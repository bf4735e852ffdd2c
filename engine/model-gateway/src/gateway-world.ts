/** Everything that the gateway takes from outside: the way out, the stores, time, chance and names. */
import type { SpendLimits } from '@weir/model-pricing';
import type { CredentialPool, HttpPort, LedgerStore, ModelConfigStore, SecretBox, VirtualKeyStore } from '@weir/ports';
import type { GatewayEvent } from './gateway-event.ts';

export interface GatewayStores {
  readonly config: Pick<ModelConfigStore, 'rows' | 'revision'>;
  readonly credentials: Pick<CredentialPool, 'pick' | 'report'>;
  readonly keys: Pick<VirtualKeyStore, 'find' | 'reserve' | 'settle'>;
  readonly ledger: Pick<LedgerStore, 'open' | 'append' | 'sum' | 'filledAt'>;
}

export interface GatewayWorld {
  readonly http: HttpPort;
  readonly stores: GatewayStores;
  readonly secrets: Pick<SecretBox, 'open'>;
  /** The cap on the calls of reviews and conversations (REV-31). */
  readonly spendLimits: SpendLimits;
  /** Calls back once when the key is revoked; gives what ends the watch. */
  readonly watchKey: (keyId: string, onRevoked: () => void) => () => void;
  /** sha256 in hex. */
  readonly hash: (text: string) => string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** From 0 up to 1. */
  readonly random: () => number;
  /** Rejects with the signal's reason. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Runs the work once, later; gives what calls it off. */
  readonly schedule: (work: () => void, afterMs: number) => () => void;
  /** A new reference of a call. */
  readonly newId: () => string;
  readonly report: (event: GatewayEvent) => void;
}
