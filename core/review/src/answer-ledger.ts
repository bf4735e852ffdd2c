/**
 * What comments were granted, and what became of it: one fold for the decider and for every view (REV-26). One comment gets at most
 * one answer, however often its delivery comes.
 */
import type { Actor, AnswerKind, CommentPlace, ReviewEvent } from '@weir/contract';
import { fold, type Folds } from './handlers.ts';

export interface AnswerRow extends CommentPlace {
  readonly comment: string;
  readonly kind: AnswerKind;
  readonly by: Actor;
  /** Counts the comments of this kind in the place, from 1. */
  readonly turn: number;
  readonly attempt: number;
  readonly state: 'granted' | 'posted' | 'refused' | 'failed';
  /** Id of Weir's comment; null while there is none. */
  readonly posted: string | null;
  /** Code of the refusal or the failure; null for none. */
  readonly code: string | null;
  readonly at: string;
}

/** By the id of the comment, oldest first. */
export type AnswerLedger = readonly AnswerRow[];

const change = (ledger: AnswerLedger, comment: string, update: Partial<AnswerRow>): AnswerLedger =>
  ledger.map(row => (row.comment === comment ? { ...row, ...update } : row));

const FOLDS: Folds<ReviewEvent, AnswerLedger> = {
  AnswerGranted: ({ comment, kind, by, finding, thread, turn, attempt, at }, ledger) => [
    ...ledger,
    { comment, kind, by, finding, thread, turn, attempt, state: 'granted', posted: null, code: null, at },
  ],
  AnswerPosted: ({ comment, posted }, ledger) => change(ledger, comment, { state: 'posted', posted }),
  AnswerRefused: ({ comment, code }, ledger) => change(ledger, comment, { state: 'refused', code }),
  AnswerRetried: ({ comment, attempt }, ledger) => change(ledger, comment, { attempt }),
  AnswerFailed: ({ comment, failure }, ledger) => change(ledger, comment, { state: 'failed', code: failure }),
};

export const foldAnswers = (ledger: AnswerLedger, event: ReviewEvent): AnswerLedger => fold(FOLDS, event, ledger);

export const answerTo = (ledger: AnswerLedger, comment: string): AnswerRow | undefined => ledger.find(row => row.comment === comment);

/** A finding's thread is the finding's, whatever the forge calls it. */
const samePlace = (a: CommentPlace, b: CommentPlace): boolean => (a.finding === null ? b.finding === null && a.thread === b.thread : a.finding === b.finding);

/** Answers of a kind in one place, whatever became of them. */
export const grantedIn = (ledger: AnswerLedger, place: CommentPlace, kind: AnswerKind): readonly AnswerRow[] =>
  ledger.filter(row => row.kind === kind && samePlace(row, place));

/** Answers to questions that stand in a place or are on their way; what was refused or failed has used no turn. */
export const turnsIn = (ledger: AnswerLedger, place: CommentPlace): number =>
  grantedIn(ledger, place, 'question').filter(({ state }) => state === 'granted' || state === 'posted').length;
