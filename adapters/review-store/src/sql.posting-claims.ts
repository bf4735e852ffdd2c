/** Claims of forge calls in the database: one row a call, guarded by the fence of the leased work (REV-18). */
import { type PostingClaims, type PostingClaimState, retryConflict, type SqlPort, type SqlSession } from '@weir/ports';

const ATTEMPTS = 5;

const BEGIN = 'insert into weir_posting_claims (key, review_id, fence, claimed_at) values ($1, $2, $3, $4) on conflict do nothing';
const LOCK = 'select fence > $2::bigint as held, settled_at, result from weir_posting_claims where key = $1 for update';
const TAKE_OVER = 'update weir_posting_claims set fence = $2, claimed_at = $3 where key = $1';
/** Settled twice by one holder, the first result stays. */
const SETTLE = `update weir_posting_claims set settled_at = coalesce(settled_at, $4), result = coalesce(result, $3::json)
  where key = $1 and fence = $2::bigint`;

interface StoredClaim extends Record<string, unknown> {
  readonly held: boolean;
  readonly settled_at: string | null;
  readonly result: unknown;
}

/** @param now milliseconds since 1970. */
export function sqlPostingClaims(database: SqlPort, { now }: { readonly now: () => number }): PostingClaims {
  async function claimIn(session: SqlSession, ...[key, { reviewId, fence }]: Parameters<PostingClaims['claim']>): Promise<PostingClaimState> {
    if ((await session.query(BEGIN, [key, reviewId, fence, now()])).count > 0) return { state: 'claimed' };
    const { rows } = await session.query<StoredClaim>(LOCK, [key, fence]);
    const [claim] = rows;
    if (claim === undefined) throw new RangeError('A claim that is there is never deleted.');
    if (claim.settled_at !== null) return { state: 'done', result: claim.result };
    if (claim.held) return { state: 'held' };
    // The holder that asks again is a second run of its work: it cannot know whether the first run has posted.
    await session.query(TAKE_OVER, [key, fence, now()]);
    return { state: 'taken_over' };
  }

  return {
    claim: (...request) => retryConflict(database, session => claimIn(session, ...request), ATTEMPTS),
    settle: async (key, fence, result) => (await database.query(SETTLE, [key, fence, JSON.stringify(result ?? null), now()])).count > 0,
  };
}
