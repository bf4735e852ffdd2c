/** What a later round says in a finding's thread: its verdict, and why (REV-22). */
import type { ReviewVerdict } from '@weir/contract';
import { code, type Dialect, type RenderedComment, sentence, strong, text } from './comment-document.ts';
import { reviewTag } from './marker.ts';
import { printDocument } from './print-document.ts';
import { readProse } from './read-prose.ts';

export interface ReplyFacts {
  readonly reviewId: string;
  readonly round: number;
  readonly finding: string;
  readonly verdict: Exclude<ReviewVerdict, 'unchanged'>;
  /** Head that the round read. */
  readonly commit: string;
  /** Prose of the model. */
  readonly reason: string;
  readonly whole: string | null;
}

export const VERDICT_WORDS: Readonly<Record<Exclude<ReviewVerdict, 'unchanged'>, string>> = {
  resolved: 'Resolved',
  still_open: 'Still open',
  acknowledged: 'Acknowledged: left as it is, knowingly',
  superseded: 'Superseded: the code that it was about is gone',
};

/** Digits of a commit that people read. */
export const SHORT_COMMIT = 7;

export function renderReply(facts: ReplyFacts, dialect: Dialect): RenderedComment {
  const { reviewId, round, verdict, finding, commit } = facts;
  const first = sentence(strong(text(VERDICT_WORDS[verdict])), text(' at '), code(commit.slice(0, SHORT_COMMIT)), text(' · '), code(finding));
  return printDocument(
    {
      marker: { kind: 'reply', review: reviewTag(reviewId), round, finding, key: null },
      blocks: [first, ...readProse(facts.reason)],
      footer: [],
      whole: facts.whole,
    },
    dialect,
  );
}
