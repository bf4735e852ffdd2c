/**
 * After a crash: which of a claim's comments stand on the forge already (REV-18). A comment is Weir's own when its account wrote
 * it, and the one that is looked for by its mark, or, where the mark was edited away, by its place and the finding's id in it.
 */
import { findingKey, type Marker, readMarker, reviewTag } from '@weir/comment';
import type { ThreadRef } from '@weir/contract';

export interface StandingComment {
  readonly id: string;
  /** Stable id. */
  readonly author: string;
  readonly body: string;
  /** Null outside a thread on lines. */
  readonly thread: ThreadRef | null;
}

export interface LookedFor {
  readonly reviewId: string;
  /** Stable id of the account that posts. */
  readonly account: string;
  readonly round: number;
}

export interface WantedComment {
  readonly finding: string;
  readonly fingerprint: string;
  readonly path: string;
  readonly line: number;
}

const isAt = ({ path, line }: WantedComment, thread: ThreadRef | null): boolean => thread?.path === path && thread.line === line;

/** The id alone does not do: a second attempt of a round may have given it to another remark. */
const isOf = (marker: Marker, { finding, fingerprint }: WantedComment): boolean =>
  marker.finding === finding && (marker.key === null || marker.key === findingKey(fingerprint));

/** Comments in the order of the forge's list; the first that fits is adopted. */
function standingFor(wanted: WantedComment, comments: readonly StandingComment[], by: LookedFor): StandingComment | undefined {
  const marked = comments.find(({ body }) => {
    const marker = readMarker(body);
    return marker?.kind === 'finding' && marker.review === reviewTag(by.reviewId) && isOf(marker, wanted);
  });
  return marked ?? comments.find(({ body, thread }) => readMarker(body) === undefined && isAt(wanted, thread) && body.includes(`\`${wanted.finding}\``));
}

export interface Adopted {
  readonly adopted: readonly { readonly finding: string; readonly comment: StandingComment }[];
  /** To be posted still. */
  readonly missing: readonly string[];
}

export function adoptComments(wanted: readonly WantedComment[], comments: readonly StandingComment[], by: LookedFor): Adopted {
  const own = comments.filter(({ author }) => author === by.account);
  const found = wanted.map(one => ({ finding: one.finding, comment: standingFor(one, own, by) }));
  return {
    adopted: found.flatMap(({ finding, comment }) => (comment === undefined ? [] : [{ finding, comment }])),
    missing: found.flatMap(({ finding, comment }) => (comment === undefined ? [finding] : [])),
  };
}

/** The same remark of whatever round, so that no one is posted twice (REV-23). @param comments of threads that are not resolved. */
export const standingRemark = (fingerprint: string, comments: readonly StandingComment[], { reviewId, account }: LookedFor): StandingComment | undefined =>
  comments.find(({ author, body }) => {
    const marker = author === account ? readMarker(body) : undefined;
    return marker?.kind === 'finding' && marker.review === reviewTag(reviewId) && marker.key === findingKey(fingerprint);
  });

/** A reply of this round in a finding's thread; undefined when it has to be posted. */
export const standingReply = (finding: string, comments: readonly StandingComment[], { reviewId, account, round }: LookedFor): StandingComment | undefined =>
  comments.find(({ author, body }) => {
    const marker = readMarker(body);
    return author === account && marker?.kind === 'reply' && marker.review === reviewTag(reviewId) && marker.finding === finding && marker.round === round;
  });

/**
 * The summary to rewrite: the one whose id is stored, else the newest that carries the mark. Undefined where it was deleted or its
 * mark was edited away; then a new one is posted (REV-19).
 */
export function standingSummary(stored: string | null, comments: readonly StandingComment[], { reviewId, account }: LookedFor): StandingComment | undefined {
  const own = comments.filter(({ author, body }) => {
    const marker = author === account ? readMarker(body) : undefined;
    return marker?.kind === 'summary' && marker.review === reviewTag(reviewId);
  });
  return own.find(({ id }) => id === stored) ?? own.at(-1);
}
