/** Every finding of every round as a row, with what later rounds said of it (REV-25, REV-34). */
import type { ReviewEvent } from '@weir/contract';
import { type AnswerLedger, foldAnswers } from './answer-ledger.ts';
import { EMPTY_LEDGER, type FindingLedger, type FindingRow, foldFindings } from './finding-ledger.ts';

export interface FindingsView {
  readonly reviewId: string;
  readonly ledger: FindingLedger;
  readonly answers: AnswerLedger;
}

export const findingsView = (view: FindingsView | undefined, event: ReviewEvent): FindingsView => ({
  reviewId: event.reviewId,
  ledger: foldFindings(view?.ledger ?? EMPTY_LEDGER, event),
  answers: foldAnswers(view?.answers ?? [], event),
});

/** Oldest first. */
export const findingRows = ({ ledger }: Pick<FindingsView, 'ledger'>): readonly FindingRow[] => Object.values(ledger.rows);
