/**
 * Posts a round (REV-17 to REV-19, REV-22): each call through a claim of its own, findings before what is said of them. Where a call
 * fails, what stands is kept, and the next attempt goes on from there.
 */
import type { PostedFinding, ReviewResult, ReviewWork, ThreadAnswer } from '@weir/contract';
import type { PostingClaim, ThreadStep } from '@weir/review';
import { readGate } from './change-gate.ts';
import { postCheck } from './post-check.ts';
import { postReply, postResolve } from './post-answers.ts';
import { postReview, type ReviewPosted } from './post-review.ts';
import { postSummary } from './post-summary.ts';
import { openPostSession, type PostSession } from './post-session.ts';
import { checkFacts, conclusionOf, summaryFacts } from './post-facts.ts';
import { planRound, type RoundPlan } from './post-plan.ts';
import { instant, runStage, type StageParts } from './stage.ts';

type PostRound = Extract<ReviewWork, { readonly type: 'PostRound' }>;

export const postRound = (parts: StageParts) =>
  runStage<PostRound>(parts, async (work, review, signal) => {
    const gate = await readGate(parts, work, review, signal);
    if (!gate.open) return gate.results;
    const session = openPostSession(parts, work, review, signal);
    return [await post(session, await planRound(session, work.fact.content))];
  });

async function post(session: PostSession, plan: RoundPlan): Promise<ReviewResult> {
  const posted = await postReviews(session, plan);
  const { answers, notes } = await answerThreads(session, plan);
  const told = { posted, notes };
  const conclusion = conclusionOf(session, plan);
  let summary: string | null = null;
  for (const claim of plan.claims) {
    if (claim.call === 'summary') summary = (await postSummary(session, claim, summaryFacts(session, plan, told))).id;
    if (claim.call === 'check') await postCheck(session, claim, checkFacts(session, plan, conclusion, told), conclusion);
  }
  const threads = new Map(posted.posted.map(({ fingerprint, thread }) => [fingerprint, thread]));
  const findings = plan.content.report.findings.map(({ id, fingerprint }): PostedFinding => ({ finding: id, thread: threads.get(fingerprint) ?? null }));
  return { type: 'CommentsPosted', ...session.aim, at: instant(session.parts.now()), findings, answers, summary };
}

async function postReviews(session: PostSession, { claims, placed }: RoundPlan): Promise<ReviewPosted> {
  const claim = claims.find(({ call }) => call === 'review');
  return claim === undefined ? { posted: [], refused: [] } : postReview(session, claim, placed.inline);
}

/** Replies first: a thread that Weir resolves says why. */
async function answerThreads(session: PostSession, { claims, content }: RoundPlan) {
  const answers = new Map<string, ThreadAnswer>();
  const notes: string[] = [];
  const stepOf = ({ findings }: PostingClaim): ThreadStep | undefined => content.steps.find(({ finding }) => finding === findings[0]);
  for (const claim of claims) {
    const step = claim.call === 'reply' || claim.call === 'resolve' ? stepOf(claim) : undefined;
    if (step === undefined) continue;
    const { finding } = step;
    const known = answers.get(finding) ?? { finding, reply: null, resolved: null };
    const { note, ...said } = claim.call === 'reply' ? await postReply(session, claim, step) : await postResolve(session, claim, step);
    answers.set(finding, { ...known, ...said });
    if (note !== null) notes.push(note);
  }
  return { answers: [...answers.values()], notes };
}
