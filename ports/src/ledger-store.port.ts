import type { Charge, ChargeLine, ModelCall, SpendSum } from '@weir/contract';

/** A call that is under way, or whose process has died. */
export interface OpenCall extends ModelCall {
  /** For a call that has to be charged after its process has died: the operator's word holds for it too. */
  readonly unmetered: boolean;
}

/** Charges of a window, and of one run, person …; what is left out is all of them. */
export interface SpendFilter {
  /** Milliseconds since 1970, included. */
  readonly since?: number;
  /** Excluded. */
  readonly until?: number;
  readonly run?: string;
  readonly person?: string;
  readonly virtualKey?: string;
  readonly review?: string;
  readonly modelProvider?: string;
  readonly capability?: string;
  readonly model?: string;
  /** Null: those that have none. */
  readonly repository?: string | null;
  /** One of these. */
  readonly reviews?: readonly string[];
  /** Calls with a line whose cost is unknown. */
  readonly unpriced?: true;
}

/** Where a page of calls ended. */
export interface CallPlace {
  readonly at: number;
  readonly callRef: string;
}

/** `model` is named `{modelProvider}/{model}`. */
export const SPEND_GROUPS = ['capability', 'model', 'modelProvider', 'repository', 'run', 'person', 'virtualKey', 'review', 'forge', 'credentialRef'] as const;
export type SpendGroup = (typeof SPEND_GROUPS)[number];

export interface SpendRow extends SpendSum {
  /** Null: the calls that have none. */
  readonly name: string | null;
}

/**
 * The ledger of all model calls (REV-29), shared by all processes. A line is unique by call and token type, and the first one
 * stays, so that every append can be repeated. It is only added to. The SQL store throws the failures of SqlPort.
 */
export interface LedgerStore {
  /** Before the first byte goes out, so that a call whose process dies is charged all the same. A repeat keeps the first. */
  open(call: OpenCall): Promise<void>;
  /**
   * Writes all lines of a call, at least one, or none of them, and closes it. @returns how many were new.
   * A call need not have been opened. Throws RangeError, before anything is written, for a line that does not fit its own figures.
   */
  append(call: ModelCall, lines: readonly ChargeLine[]): Promise<number>;
  /** Calls that were opened before a moment and never charged, the oldest first: to be charged as unknown by whoever knows that they ended. */
  openBefore(moment: number, limit: number): Promise<readonly OpenCall[]>;
  /** The lines of a call, in the order of TOKEN_TYPES. */
  charges(callRef: string): Promise<readonly Charge[]>;
  /** The lines of each call, as `charges` has them, the newest call first; `before` is the last call of the page before. `unpriced` chooses calls, with all their lines. */
  calls(filter: SpendFilter, page: { readonly limit: number; readonly before: CallPlace | null }): Promise<readonly (readonly Charge[])[]>;
  sum(filter: SpendFilter): Promise<SpendSum>;
  /** What has unpriced calls first, then the dearest, at most `limit` rows. */
  sumBy(group: SpendGroup, filter: SpendFilter, limit: number): Promise<readonly SpendRow[]>;
  /**
   * The moment of the charge that, counted back from the newest, fills the limit: when it leaves the window, there may be room again.
   * Null when the charges do not fill it, and for a limit of zero, which no time makes room for.
   */
  filledAt(filter: SpendFilter, axis: 'millicents' | 'calls', limit: number): Promise<number | null>;
}
