/**
 * What the engine of one provider is made of, and what each of its calls says. Everything that touches the world is handed in.
 */
import type { ProviderDescriptor, Verb } from '@weir/contract';
import type { OperationTable } from '@weir/operation-table';
import type { AuditStore, EtagStore, HttpPort, RateStore } from '@weir/ports';
import type { CredentialSources } from './credentials/credential-resolver.ts';

export interface ProviderOptions {
  readonly descriptor: ProviderDescriptor;
  readonly table: OperationTable;
  /** Texts of the persisted GraphQL documents, by the names that the descriptor gives them. */
  readonly documents?: ReadonlyMap<string, string>;
  /** Origin and path of the API; the descriptor's `base_url` where absent. */
  readonly baseUrl?: string;
  readonly http: HttpPort;
  readonly rateStore: RateStore;
  readonly etagStore: EtagStore;
  readonly auditStore: AuditStore;
  readonly credentials: CredentialSources;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** From 0 to under 1; spreads retries. */
  readonly random: () => number;
  /** The word of one fence around text for a model: 8 to 64 letters and digits, first a letter. From the system's random source where absent. */
  readonly fence?: () => string;
  /** Rejects with the signal's reason when it is aborted. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Ed25519 over the receipt's bytes. Without one, a provider whose policy requires receipts denies every write. */
  readonly signReceipt?: (bytes: Uint8Array) => Uint8Array;
  /** Tightens the descriptor's policy; nothing loosens it. */
  readonly readOnly?: boolean;
}

export interface CallContext {
  readonly signal: AbortSignal;
  /** Who causes the call: a person, a service, a run. It stands in the audit log. */
  readonly actor: string;
  /** The verb on whose behalf the call is made. It counts only where the descriptor binds that verb to the operation. */
  readonly capability?: Verb;
  /** The run whose budget the call is counted in. */
  readonly run?: string;
  /** How long each request may wait for the provider's limits, at most as long as a walk; what has to wait longer is told how long. */
  readonly patienceMs?: number;
  /** Tightens the policy for this call. */
  readonly readOnly?: boolean;
}

/** How a request is written and its answer read. */
export interface CallForm {
  readonly headers?: Readonly<Record<string, string>>;
  /** One of the operation's content types, where it takes several. */
  readonly contentType?: string;
  /** Text arguments also stand for numbers and truth values. */
  readonly fromCommandLine?: boolean;
  /** `text`: the answer is not parsed, whatever its content type. */
  readonly expect?: 'json' | 'text';
}

export interface CallOptions extends CallContext, CallForm {}
