/** What people do with findings: dismiss one, add one of their own, settle a thread. */
import type { ReviewCommandOf, ReviewEvent } from '@weir/contract';
import { letters } from './conclude-review.policy.ts';
import { accept, type Outcome, refuse } from './decision.ts';
import type { PresentReview } from './review-state.ts';

type Answer = Outcome<ReviewEvent>;

export function dismissFinding({ reviewId, at, finding, by, content }: ReviewCommandOf<'DismissFinding'>, { ledger }: PresentReview): Answer {
  const row = ledger.rows[finding];
  if (row === undefined) return refuse('finding_unknown');
  return row.status === 'open' ? accept<ReviewEvent>({ type: 'FindingDismissed', reviewId, at, finding, by, content }) : refuse('finding_closed');
}

/** Joins the findings that the last posting round has on the forge, with the next free letter (REV-25). One that is there already is no event. */
export function addFinding({ reviewId, at, finding, by, content, thread }: ReviewCommandOf<'AddFinding'>, { postedRound, ledger }: PresentReview): Answer {
  if (postedRound === null) return refuse('nothing_posted');
  if (Object.values(ledger.rows).some(row => row.fingerprint === finding.fingerprint)) return accept();
  const taken = Object.values(ledger.rows).filter(row => row.round === postedRound).length;
  const id = `${postedRound}${letters(taken)}`;
  return accept<ReviewEvent>({ type: 'FindingAdded', reviewId, at, round: postedRound, finding: { ...finding, id }, by, content, thread });
}

/** The forge tells every change of a thread, ours too; one that changes nothing is no event. */
export function settleThread({ reviewId, at, finding, resolved, by }: ReviewCommandOf<'SettleThread'>, { ledger }: PresentReview): Answer {
  const row = ledger.rows[finding];
  if (row === undefined) return refuse('finding_unknown');
  return row.threadResolved === resolved ? accept() : accept<ReviewEvent>({ type: 'ThreadSettled', reviewId, at, finding, resolved, by });
}
