/** The check `weir/review` of a round (REV-19): a check where the forge and the account can have one, else a commit status. */
import { type CheckFacts, renderCheck } from '@weir/comment';
import { AppError } from '@weir/kernel';
import type { CheckConclusion, PostingClaim } from '@weir/review';
import { z } from 'zod';
import { throughClaim } from './post-claim.ts';
import type { PostSession } from './post-session.ts';

/** Name of the check; branch protection knows it by this. */
export const CHECK_NAME = 'weir/review';

/** Also under the id that a forge makes of the name where a check has none of its own, and an id no slash. */
const CHECK_NAMES: ReadonlySet<string> = new Set([CHECK_NAME, CHECK_NAME.replace('/', '-')]);
export const isWeirsCheck = ({ name }: { readonly name: string }): boolean => CHECK_NAMES.has(name);

/** Id of the check; null for a status, which has none. */
export const CheckPosted = z.object({ id: z.string().nullable() });

export const postCheck = (session: PostSession, claim: PostingClaim, facts: CheckFacts, conclusion: CheckConclusion) =>
  throughClaim(session, claim.key, CheckPosted, async takenOver => {
    const id = session.port.supports('check.upsert') ? await upsert(session, facts, conclusion, takenOver ? await standingCheck(session) : null) : null;
    if (id === null) await postStatus(session, facts, conclusion);
    return { id };
  });

/** A check of that name which a crash left; what has another's id is not found when it is updated. */
async function standingCheck({ port, on, aim, signal }: PostSession): Promise<string | null> {
  if (!port.supports('checks.list')) return null;
  const { checks } = await port.ask('checks.list', { repository: on.repository, commit: aim.head }, signal);
  return checks.find(isWeirsCheck)?.id ?? null;
}

/** Null where the account may write none: on some forges only an app may. */
async function upsert(session: PostSession, facts: CheckFacts, ended: CheckConclusion, id: string | null): Promise<string | null> {
  const { parts, port, on, aim, signal } = session;
  const { title, summary } = renderCheck(facts, port.dialect);
  const named = { repository: on.repository, commit: aim.head, name: CHECK_NAME, id };
  const given = { ...named, status: 'completed' as const, conclusion: ended.conclusion, title, summary };
  try {
    return (await parts.effect('post.check', () => port.ask('check.upsert', given, signal))).id;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === 'FORGE_NOT_FOUND' && id !== null) return upsert(session, facts, ended, null);
    if (error.code === 'FORGE_FORBIDDEN') return null;
    throw error;
  }
}

async function postStatus({ parts, port, on, aim, signal }: PostSession, facts: CheckFacts, { state }: CheckConclusion): Promise<void> {
  const { description } = renderCheck(facts, port.dialect);
  const given = { repository: on.repository, commit: aim.head, context: CHECK_NAME, state, description, url: facts.page };
  await parts.effect('post.check', () => port.ask('status.post', given, signal));
}
