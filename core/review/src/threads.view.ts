/** The threads of a review: where each stands, who settled it, and which finding a comment of the forge belongs to. */
import type { Actor, ThreadRef } from '@weir/contract';
import { grantedIn, turnsIn } from './answer-ledger.ts';
import type { FindingsView } from './findings.view.ts';

export interface ThreadRow {
  readonly finding: string;
  readonly thread: ThreadRef;
  readonly resolved: boolean | null;
  readonly settledBy: Actor | null;
  /** Answers to people that stand there or are on their way (REV-26). */
  readonly turns: number;
  /** The word that they are spent has been given. */
  readonly turnsSpent: boolean;
  /** Code of the last answer that was refused or failed; null where the last one was neither. */
  readonly silence: string | null;
}

export const threadRows = ({ ledger, answers }: Pick<FindingsView, 'ledger' | 'answers'>): readonly ThreadRow[] =>
  Object.values(ledger.rows).flatMap(({ id, thread, threadResolved, settledBy }) => {
    if (thread === null) return [];
    const place = { finding: id, thread: null };
    return [
      {
        finding: id,
        thread,
        resolved: threadResolved,
        settledBy,
        turns: turnsIn(answers, place),
        turnsSpent: grantedIn(answers, place, 'turn_notice').length > 0,
        silence: grantedIn(answers, place, 'question').at(-1)?.code ?? null,
      },
    ];
  });

/** The finding of a thread that a delivery names by its id or by its first comment; null for a thread of somebody else. */
export function findingOfThread({ ledger }: Pick<FindingsView, 'ledger'>, named: { readonly id: string | null; readonly root: string | null }): string | null {
  const row = Object.values(ledger.rows).find(({ thread }) => thread !== null && (thread.id === named.id || thread.root === named.root));
  return row?.id ?? null;
}
