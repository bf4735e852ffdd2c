/** The rules of the pool (REV-32) as pure functions over its rows. The stores only keep the rows. */
import type { CredentialPick, CredentialReport, CredentialState, ModelCredential, NewCredential } from '@weir/ports';

export interface CredentialRow extends NewCredential {
  /** Order in which they were added. */
  readonly position: number;
  readonly version: number;
  readonly disabled: boolean;
  readonly rejected: boolean;
  readonly limitedUntil: number | null;
  readonly exhaustedAt: number | null;
}

export function stateOf({ disabled, rejected, limitedUntil }: CredentialRow, now: number): CredentialState {
  if (disabled) return 'disabled';
  if (rejected) return 'rejected';
  return limitedUntil !== null && limitedUntil > now ? 'rate_limited' : 'available';
}

export function credentialOf(row: CredentialRow, now: number): ModelCredential {
  const { ref, modelProvider, label, version, exhaustedAt } = row;
  const state = stateOf(row, now);
  return { ref, modelProvider, label, version, state, limitedUntil: state === 'rate_limited' ? row.limitedUntil : null, exhaustedAt };
}

/** @param rows of one pool. */
export function pickCredential(rows: readonly CredentialRow[], now: number): CredentialPick {
  const inState = (state: CredentialState): readonly CredentialRow[] => rows.filter(row => stateOf(row, now) === state);
  const [best] = [...inState('available')].sort((left, right) => (left.exhaustedAt ?? -1) - (right.exhaustedAt ?? -1) || left.position - right.position);
  if (best !== undefined) return { available: true, ref: best.ref, version: best.version, sealed: best.sealed };
  const ends = inState('rate_limited').map(row => row.limitedUntil ?? now);
  if (ends.length > 0) return { available: false, reason: 'rate_limited', returnsAt: Math.min(...ends) };
  return { available: false, reason: inState('rejected').length > 0 ? 'rejected' : 'none', returnsAt: null };
}

export function reported(row: CredentialRow, version: number, report: CredentialReport, now: number): CredentialRow {
  if (row.version !== version || row.rejected) return row;
  if (report.kind === 'rejected') return { ...row, rejected: true, limitedUntil: null, exhaustedAt: now };
  return { ...row, limitedUntil: Math.max(row.limitedUntil ?? 0, report.until), exhaustedAt: now };
}

export const withSecret = (row: CredentialRow, sealed: string): CredentialRow => ({
  ...row,
  sealed,
  version: row.version + 1,
  rejected: false,
  limitedUntil: null,
  exhaustedAt: null,
});
