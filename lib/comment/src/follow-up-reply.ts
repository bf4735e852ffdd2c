/** What Weir says in a finding's thread after the finding: a later round's verdict, an answer to a person, a notice (REV-22, REV-26). */
import type { ReviewVerdict } from '@weir/contract';
import { code, type Dialect, type RenderedComment, sentence, strong, text } from './comment-document.ts';
import { reviewTag } from './marker.ts';
import { printDocument } from './print-document.ts';
import { readProse } from './read-prose.ts';

export interface ReplyFacts {
  readonly reviewId: string;
  readonly round: number;
  readonly finding: string;
  /** Null for an answer to a person. */
  readonly verdict: Exclude<ReviewVerdict, 'unchanged'> | null;
  /** Head that the round read. */
  readonly commit: string;
  /** Prose of the model. */
  readonly reason: string;
  readonly whole: string | null;
}

const VERDICT_WORDS: Readonly<Record<Exclude<ReviewVerdict, 'unchanged'>, string>> = {
  resolved: 'Resolved',
  still_open: 'Still open',
  acknowledged: 'Acknowledged: left as it is, knowingly',
  superseded: 'Superseded: the code that it was about is gone',
};

export interface NoticeFacts {
  readonly reviewId: string;
  readonly round: number;
  /** Null where it stands outside a thread. */
  readonly finding: string | null;
  /** Weir's own. */
  readonly sentence: string;
}

/** A fixed sentence that is said once: the review is archived, the turns of a thread are spent (REV-26, REV-28). */
export function renderNotice({ reviewId, round, finding, sentence: said }: NoticeFacts, dialect: Dialect): RenderedComment {
  const marker = { kind: 'notice', review: reviewTag(reviewId), round, finding } as const;
  return printDocument({ marker, blocks: [sentence(text(said))], footer: [], whole: null }, dialect);
}

/** Digits of a commit that people read. */
export const SHORT_COMMIT = 7;

export function renderReply(facts: ReplyFacts, dialect: Dialect): RenderedComment {
  const { verdict, finding, commit } = facts;
  const first =
    verdict === null ? [] : [sentence(strong(text(VERDICT_WORDS[verdict])), text(' at '), code(commit.slice(0, SHORT_COMMIT)), text(' · '), code(finding))];
  return printDocument(
    {
      marker: { kind: verdict === null ? 'answer' : 'reply', review: reviewTag(facts.reviewId), round: facts.round, finding },
      blocks: [...first, ...readProse(facts.reason)],
      footer: [],
      whole: facts.whole,
    },
    dialect,
  );
}
