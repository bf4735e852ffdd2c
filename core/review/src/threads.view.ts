/** The threads of a review: where each stands, who settled it, and which finding a comment of the forge belongs to. */
import type { Actor, ThreadRef } from '@weir/contract';
import type { FindingsView } from './findings.view.ts';

export interface ThreadRow {
  readonly finding: string;
  readonly thread: ThreadRef;
  readonly resolved: boolean | null;
  readonly settledBy: Actor | null;
}

export const threadRows = ({ ledger }: FindingsView): readonly ThreadRow[] =>
  Object.values(ledger.rows).flatMap(({ id, thread, threadResolved, settledBy }) =>
    thread === null ? [] : [{ finding: id, thread, resolved: threadResolved, settledBy }],
  );

/** The finding of a thread that a delivery names by its id or by its first comment; null for a thread of somebody else. */
export function findingOfThread(view: FindingsView, named: { readonly id: string | null; readonly root: string | null }): string | null {
  const row = threadRows(view).find(({ thread }) => thread.id === named.id || thread.root === named.root);
  return row?.finding ?? null;
}
