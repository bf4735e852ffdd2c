/**
 * The crash matrix as data: which scenario reaches each side effect of the pipeline. The right end is the same for all: what the scenario
 * leaves on the forge when nothing crashes, once. Only what a row says differs.
 */
import type { ReviewEffect } from '@weir/ports';

export type Phase = 'before' | 'after';

export type ScenarioName = 'first' | 'follow-up' | 'question' | 'check-run';

export interface CrashRow {
  /**
   * `first`: a change is opened, and its first round posts two findings, a summary and a check. `follow-up`: a push fixes one of them,
   * touches the other, and brings a third. `question`: a person asks in the thread of a finding. `check-run`: as `first`, by an app, whose
   * check is one of its own and no status of the commit.
   */
  readonly scenario: ScenarioName;
  /** Which of the occurrences in the scenario; the first alone if not given. */
  readonly occurrences?: readonly number[];
  /** The delivery was not stored, so the forge has no 202, and sends it again: by itself, or when a person presses the button. */
  readonly redelivered?: readonly Phase[];
  /** The model has answered, and nobody has kept it: the call is made once more, and both are charged. */
  readonly askedAgain?: readonly Phase[];
  /** Occurrences in another scenario, where the effect is another call of the forge. */
  readonly also?: { readonly scenario: ScenarioName; readonly occurrences: readonly number[] };
}

export const CRASH_MATRIX: Readonly<Record<ReviewEffect, CrashRow>> = {
  'ingress.store': { scenario: 'first', redelivered: ['before', 'after'] },
  'intake.decide': { scenario: 'first' },
  // The request of the round and what each of its five stages comes to.
  'command.append': { scenario: 'first', occurrences: [1, 2, 3, 4, 5] },
  'saga.offer': { scenario: 'first', occurrences: [1, 2, 3, 4] },
  'outbox.publish': { scenario: 'first', occurrences: [1, 2, 3] },
  'fetch.read': { scenario: 'first' },
  'fetch.result': { scenario: 'first' },
  'gather.store': { scenario: 'first' },
  'gather.result': { scenario: 'first' },
  'generate.ask': { scenario: 'first', askedAgain: ['after'] },
  'generate.keep': { scenario: 'first', askedAgain: ['before'] },
  'generate.store': { scenario: 'first' },
  'generate.result': { scenario: 'first' },
  'reconcile.ask': { scenario: 'follow-up', askedAgain: ['after'] },
  'post.review': { scenario: 'first' },
  'post.reply': { scenario: 'follow-up', occurrences: [1, 2] },
  'post.resolve': { scenario: 'follow-up' },
  'post.summary': { scenario: 'first' },
  'post.check': { scenario: 'first', also: { scenario: 'check-run', occurrences: [1] } },
  // The review, the summary and the check.
  'post.settle': { scenario: 'first', occurrences: [1, 2, 3], also: { scenario: 'check-run', occurrences: [3] } },
  'post.result': { scenario: 'first' },
  'conversation.ask': { scenario: 'question', askedAgain: ['after'] },
  'conversation.keep': { scenario: 'question', askedAgain: ['before'] },
  'conversation.post': { scenario: 'question' },
};

export interface CrashCase extends Pick<CrashRow, 'scenario'> {
  readonly effect: ReviewEffect;
  readonly phase: Phase;
  readonly occurrence: number;
  readonly redelivered: boolean;
  readonly askedAgain: boolean;
}

const PHASES: readonly Phase[] = ['before', 'after'];

/** Every row, before and after each of its occurrences. */
export const crashCases = (): readonly CrashCase[] =>
  Object.entries(CRASH_MATRIX).flatMap(([effect, { scenario, occurrences = [1], redelivered = [], askedAgain = [], also }]) =>
    [{ scenario, occurrences }, ...(also === undefined ? [] : [also])].flatMap(place =>
      place.occurrences.flatMap(occurrence =>
        PHASES.map(phase => ({
          ...{ effect: effect as ReviewEffect, phase, occurrence, scenario: place.scenario },
          redelivered: redelivered.includes(phase),
          askedAgain: askedAgain.includes(phase),
        })),
      ),
    ),
  );
