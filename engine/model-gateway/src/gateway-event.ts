/** What the gateway reports: one event for each outcome, and what an operator has to know. Never a payload, a prompt or a secret. */
import type { UpstreamProtocol } from '@weir/contract';

export interface CallEvent {
  readonly event: 'call';
  readonly callRef: string;
  readonly client: UpstreamProtocol;
  /** `{modelProvider}/{model}`; null when no route was found. */
  readonly route: string | null;
  readonly modelProvider: string | null;
  readonly virtualKey: string | null;
  readonly passthrough: boolean;
  readonly stream: boolean;
  /** `whole`: answered to its end. `failed`: with a code. `gone`: the client went away. */
  readonly outcome: 'whole' | 'failed' | 'gone';
  readonly code: string | null;
  readonly ms: number;
  /** Until the answer began; null when it never did. */
  readonly firstByteMs: number | null;
  /** Null: unknown. */
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
}

/**
 * `CAP_UNENFORCEABLE`: the store of keys or the ledger did not answer, and calls go on. `CAP_REACHED`: a call was refused by the cap.
 * `LIMIT_UNREADABLE`: a limit of the settings makes no sense, so that there is none. `BUG`: an error that nobody foresaw.
 */
export interface AttentionEvent {
  readonly event: 'attention';
  readonly code: 'CAP_UNENFORCEABLE' | 'CAP_REACHED' | 'LIMIT_UNREADABLE' | 'CHARGE_LATE' | 'CREDENTIAL_REJECTED' | 'BUG';
  readonly callRef: string | null;
  /** For an operator. */
  readonly sentence: string;
}

export type GatewayEvent = CallEvent | AttentionEvent;
