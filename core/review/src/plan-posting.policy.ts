/**
 * The calls that post a round (REV-18, REV-19): one review with all its comments, each reply, each resolve, the summary, the
 * check. Every call is a claim with a key of its own and the findings that it is about.
 */
import type { ReviewFinding } from '@weir/contract';
import type { ThreadStep } from './follow-up.policy.ts';
import type { PlacedComments } from './place-comments.policy.ts';

export type PostingCall = 'review' | 'reply' | 'resolve' | 'summary' | 'check';

export interface PostingClaim {
  readonly call: PostingCall;
  /** Unique in the deployment, and the same after a crash: `<review>/<round>/<call>[/<finding>]`. */
  readonly key: string;
  readonly findings: readonly string[];
}

export interface PostingFacts {
  readonly reviewId: string;
  readonly round: number;
  readonly complete: boolean;
  readonly placed: PlacedComments;
  readonly steps: readonly ThreadStep[];
  /** Earlier findings that stay open. */
  readonly stillOpen: number;
  /** A summary stands already, or stood and was deleted. */
  readonly hadSummary: boolean;
  /** Anything that was cut, dropped or did not arrive (REV-14). */
  readonly notes: number;
}

const ids = (findings: readonly { readonly finding: ReviewFinding }[]): readonly string[] => findings.map(({ finding }) => finding.id);

/** There is something to say, or something that was said has to stay true. A clean, wholly read first round has only its check. */
const needsSummary = ({ placed, steps, stillOpen, complete, hadSummary, notes }: PostingFacts): boolean =>
  hadSummary || !complete || notes > 0 || stillOpen > 0 || steps.length > 0 || placed.inline.length + placed.listed.length > 0;

/** Claims in the order in which they are carried out: findings before what is said of them. */
export function planPosting(facts: PostingFacts): readonly PostingClaim[] {
  const { reviewId, round, placed, steps } = facts;
  const claim = (call: PostingCall, findings: readonly string[], finding?: string): PostingClaim => ({
    call,
    key: [reviewId, round, call, ...(finding === undefined ? [] : [finding])].join('/'),
    findings,
  });
  const each = (call: 'reply' | 'resolve') => steps.filter(step => step[call]).map(({ finding }) => claim(call, [finding], finding));
  return [
    ...(placed.inline.length > 0 ? [claim('review', ids(placed.inline))] : []),
    ...each('reply'),
    ...each('resolve'),
    ...(needsSummary(facts) ? [claim('summary', ids(placed.listed))] : []),
    claim('check', []),
  ];
}
