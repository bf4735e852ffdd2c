/** What the calls that post one round share: the forge, who posts, and what stands there already, read once. */
import type { Thread } from '@weir/contract';
import type { ForgePort } from '@weir/ports';
import type { LookedFor, StandingComment } from '@weir/review';
import type { ClaimHolder } from './post-claim.ts';
import type { Aim, RoundReview, StageParts, StageReview, StageWork } from './stage.ts';

export interface PostSession extends ClaimHolder {
  readonly parts: StageParts;
  readonly review: RoundReview;
  readonly aim: Aim;
  readonly port: ForgePort;
  readonly on: ChangePlace;
  readonly by: LookedFor;
  /** An earlier round or attempt may have posted: what stands is read before anything is added. */
  readonly mayStand: boolean;
  readonly signal: AbortSignal;
  /** Threads of the change as they were when first asked for, or now. */
  readonly threads: (freshly?: 'freshly') => Promise<readonly Thread[]>;
}

export interface ChangePlace {
  readonly repository: { readonly owner: string; readonly name: string };
  readonly change: number;
}

/** The registry follows renames, so its path is the one that is used. */
export const placeOf = ({ forge, coordinates }: StageReview): ChangePlace => ({ repository: forge.repository.path, change: coordinates.change });

export function openPostSession(
  parts: StageParts,
  work: StageWork<Extract<StageWork['fact'], { type: 'PostRound' }>>,
  review: RoundReview,
  signal: AbortSignal,
): PostSession {
  const { port, account } = review.forge;
  const { reviewId, round, head, attempt } = work.fact;
  const on = placeOf(review);
  let known: Promise<readonly Thread[]> | undefined;
  return {
    ...{ parts, review, port, on, signal },
    aim: { reviewId, round, head, attempt },
    fence: work.fence,
    by: { reviewId, account: account.identity.id, round },
    mayStand: round > 1 || attempt > 1,
    threads: freshly => {
      if (freshly !== undefined || known === undefined) known = port.ask('thread.list', on, signal).then(({ threads }) => threads);
      return known;
    },
  };
}

export const commentsOf = ({ ref, comments }: Thread): readonly StandingComment[] =>
  comments.map(({ id, author, body }) => ({ id, author: author.id, body, thread: ref }));
