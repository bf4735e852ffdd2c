/**
 * The audit log's side of a write (PRV-18): its intent is durable before it is sent, its outcome after it.
 */
import type { AuditOutcome, AuditStore } from '@weir/ports';
import type { ProviderDescriptor } from '@weir/contract';
import type { PlannedCall } from './plan-call.ts';
import { failed, type Outcome } from './provider-failure.ts';
import type { CallContext } from './provider-options.ts';
import { requestDigest, type SignReceipt, writeReceipt } from './receipt.ts';

export interface JournalParts {
  readonly descriptor: ProviderDescriptor;
  readonly auditStore: AuditStore;
  readonly signReceipt: SignReceipt | undefined;
  readonly now: () => number;
}

/** A write whose intent is in the log. */
export interface OpenEntry {
  readonly receipt: string | null;
  /** False where the outcome could not be written: the log then shows a write whose end nobody saw. */
  close(result: AuditOutcome['result'], status: number | null): Promise<boolean>;
}

export interface WriteJournal {
  open(call: PlannedCall, context: CallContext): Promise<Outcome<OpenEntry>>;
}

export const createWriteJournal = ({ descriptor, auditStore, signReceipt, now }: JournalParts): WriteJournal => ({
  open: async (call, { actor, capability }) => {
    const subject = {
      ...{ actor, provider: descriptor.name, capability: capability ?? '', operation: call.operation },
      argsDigest: requestDigest(call),
    };
    const at = new Date(now()).toISOString();
    const required = descriptor.policy.receipts === 'required';
    if (required && signReceipt === undefined) {
      return failed('Denied', 'the policy requires receipts, and there is no key to sign them', { hint: 'Make a receipt key, or set policy.receipts to off.' });
    }
    const receipt = required && signReceipt !== undefined ? writeReceipt({ ...subject, digest: subject.argsDigest, at }, signReceipt) : null;
    let sequence: number;
    try {
      ({ sequence } = await auditStore.append({ kind: 'intent', ...subject, at, receipt }));
    } catch {
      // The store's own failure may name hosts and users of a database; the caller needs to know only that nothing was sent.
      return failed('Denied', 'the intent of this write could not be recorded, so it was not sent', {
        ...{ hint: 'Check that the audit log can be written, then repeat.', retry: 'later' as const },
      });
    }
    return { ok: true, value: { receipt, close: (result, status) => close(result, status, sequence) } };

    async function close(result: AuditOutcome['result'], status: number | null, intent: number): Promise<boolean> {
      const entry: AuditOutcome = { kind: 'outcome', ...subject, at: new Date(now()).toISOString(), intent, result, status };
      return auditStore.append(entry).then(
        () => true,
        () => false,
      );
    }
  },
});
