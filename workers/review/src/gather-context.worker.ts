/**
 * The second stage: what people wrote around a change, from several sources side by side under one deadline (REV-13). The deadline is
 * counted from when the work was asked for, so a restart does not extend it. Rules files are no part of it: they are read with the
 * change, since a review without them would be another one.
 */
import type { Change, ReviewResult, ReviewWork, Verb, VerbResult } from '@weir/contract';
import { AppError } from '@weir/kernel';
import { readGate } from './change-gate.ts';
import { linkedIssues, MAX_ISSUES } from './linked-issues.ts';
import { aimOf, instant, type RoundReview, runStage, type StageParts } from './stage.ts';
import { withinBudget } from './within-budget.ts';

/** REV-13. */
const CONTEXT_MS = 20_000;
/** How long a context is kept: a round that has not come to its end by then is over. */
const CONTEXT_TTL_MS = 24 * 60 * 60 * 1_000;

type GatherWork = Extract<ReviewWork, { readonly type: 'GatherContext' }>;

/** One source: its text, or why there is none. */
type Gathered = { readonly source: string; readonly text: string } | { readonly source: string; readonly reason: string };

interface Gathering {
  readonly parts: StageParts;
  readonly review: RoundReview;
  readonly change: Change;
  /** Milliseconds since 1970. */
  readonly deadline: number;
  readonly signal: AbortSignal;
}

export const gatherContext = (parts: StageParts) =>
  runStage<GatherWork>(parts, async (work, review, signal): Promise<readonly ReviewResult[]> => {
    const gate = await readGate(parts, work, review, signal);
    if (!gate.open) return gate.results;
    const { change } = gate;
    const gathering = { parts, review, change, deadline: Date.parse(work.envelope.time) + CONTEXT_MS, signal };
    const gathered = await gatherAll(gathering);
    const texts = gathered.flatMap(one => ('text' in one && one.text !== '' ? [one.text] : []));
    const missing = gathered.flatMap(one => ('reason' in one ? [one] : []));
    const context = texts.length === 0 ? null : await keepContext(parts, aimOf(work.fact), texts.join('\n\n'));
    return [{ type: 'ContextGathered', ...aimOf(work.fact), at: instant(parts.now()), context, missing }];
  });

async function keepContext({ artifacts, effect, now }: StageParts, { reviewId, round, attempt }: ReturnType<typeof aimOf>, text: string): Promise<string> {
  const id = `${reviewId}/${round}/${attempt}/context`;
  await effect('gather.store', () => artifacts.put({ id, reviewId, kind: 'context', text, expiresAt: now() + CONTEXT_TTL_MS }));
  return id;
}

async function gatherAll(gathering: Gathering): Promise<readonly Gathered[]> {
  const { change } = gathering;
  const numbers = linkedIssues(change.title, change.body).filter(number => number !== change.number);
  const left = numbers.length - MAX_ISSUES;
  const read = await Promise.all([
    sourced(gathering, 'the description of the change', abort => forModel(gathering, 'change.get', change, abort)),
    ...numbers.slice(0, MAX_ISSUES).map(number => sourced(gathering, `issue #${number}`, abort => readIssue(gathering, number, abort))),
  ]);
  return left > 0 ? [...read, { source: 'linked issues', reason: `${left} more are named; ${MAX_ISSUES} are read` }] : read;
}

/** A source that fails or is late costs itself only, and is named. A bug is thrown. */
async function sourced({ parts, deadline, signal }: Gathering, source: string, read: (signal: AbortSignal) => Promise<string>): Promise<Gathered> {
  const milliseconds = Math.max(0, deadline - parts.now());
  if (milliseconds === 0) return { source, reason: 'there was no time left for it' };
  try {
    return { source, text: await withinBudget({ sleep: parts.sleep, milliseconds, what: source }, signal, read) };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof AppError)) throw error;
    return { source, reason: error.message };
  }
}

async function readIssue(gathering: Gathering, number: number, signal: AbortSignal): Promise<string> {
  const { port, repository } = gathering.review.forge;
  if (!port.supports('issue.get')) throw new AppError('NOT_AVAILABLE', 'the account cannot read issues of this forge');
  return forModel(gathering, 'issue.get', await port.ask('issue.get', { repository: repository.path, issue: number }, signal), signal);
}

type Written = Extract<Verb, 'change.get' | 'issue.get'>;

/** Through the one door (PRV-20). The prompt fences its slots itself, so the value is taken, not the fenced text. */
async function forModel<V extends Written>({ review }: Gathering, verb: V, value: VerbResult<V>, signal: AbortSignal): Promise<string> {
  const { port, repository } = review.forge;
  const shown = await port.forModel(verb, value, { repository: repository.path }, signal);
  if (shown.value === null) throw new AppError('FORGE_DENIED', "the provider's policy does not let its author's text reach a model");
  const { number, title, body } = shown.value;
  const name = verb === 'change.get' ? 'The change' : 'Issue';
  return [`${name} ${number}: ${title}`, body.trim()].filter(text => text !== '').join('\n');
}
