/** One review as a page: its verdict, its rounds, its findings with their texts, its newest calls, and what made it. */
import type { ApiFinding, ApiMadeBy, ApiReview, ApiRound, ReviewEventOf, ReviewFinding } from '@weir/contract';
import { ROUND_STATUSES, SEVERITIES } from '@weir/contract';
import { AppError } from '@weir/kernel';
import type { ApiAnswer, ApiCall } from '@weir/ports';
import { type FindingRow, findingRows, type PageRound, type ReviewListRow, type ReviewPage, type ThreadRow, threadRows } from '@weir/review';
import { readRoundContent, type RoundContent } from '@weir/review-workers';
import { registeredOf } from '../server/rerun-command.ts';
import { chargePage } from './charge-rows.ts';
import type { DashboardWorld } from './dashboard-world.ts';
import { verdictsOf } from './review-figures.ts';
import { reviewRows } from './review-rows.ts';
import { streamOf } from './review-stream.ts';

/** Rounds whose texts are read, the newest; findings of older ones have none. */
const MAX_ROUNDS_READ = 50;
/** Calls that the page shows; the why of the cost has all. */
const MAX_CHARGES = 100;

export interface StoredReview {
  readonly row: ReviewListRow;
  readonly page: ReviewPage;
}

/** Throws NOT_FOUND. */
export async function storedReview({ stores }: Pick<DashboardWorld, 'stores'>, id: string): Promise<StoredReview> {
  const stored = await stores.views.get(id);
  if (stored === undefined) throw new AppError('NOT_FOUND', `There is no review ${id}.`, { next: 'Look at the list of reviews.' });
  return stored;
}

/** What the open findings come to, in counted facts; what the last round said where it posts nothing. */
function verdictOf({ headline, complete, open, status }: ReviewListRow, last: PageRound | undefined): ApiReview['verdict'] {
  if (headline === null) return { ready: null, headline: status === null ? 'Nothing was started.' : `Not read yet: ${ROUND_STATUSES[status].label}.` };
  if (last?.observe === true) return { ready: null, headline };
  const serious = open.blocker + open.major > 0;
  const tally = SEVERITIES.flatMap(level => (open[level] === 0 ? [] : [`${open[level]} ${level}`])).join(', ');
  const rest = complete === true ? '' : ' Not everything was read.';
  if (serious) return { ready: false, headline: `Not ready: ${tally} open.${rest}` };
  const ready = complete === true ? true : null;
  return { ready, headline: `${tally === '' ? 'Nothing is open' : `Nothing that blocks: ${tally} open`}.${rest}` };
}

function roundRow(round: PageRound, { ledger }: ReviewListRow): ApiRound {
  const { head, previousHead, cause, by, status, observe, attempt, steps, diff, reading, missing, headline, reason, tracked } = round;
  const ended = status === 'completed' || status === 'observed';
  const count = (word: 'resolved' | 'still_open' | 'unchanged'): number => verdictsOf(ledger, round.round, word);
  const added = findingRows({ ledger }).filter(row => row.round === round.round && row.added === null).length;
  return {
    ...{ round: round.round, head, previousHead, cause, by, status, observe, attempt, diff, reading, headline, reason },
    ...{ steps: [...steps], missing: [...missing] },
    reconciliation: ended ? { resolved: count('resolved'), open: count('still_open'), unchanged: count('unchanged'), added, tracked } : null,
  };
}

/** The contents of the newest rounds that have findings here. */
async function contentsOf({ stores }: DashboardWorld, { page }: StoredReview): Promise<readonly RoundContent[]> {
  const ids = page.rounds.flatMap(({ content }) => (content === null ? [] : [content])).slice(-MAX_ROUNDS_READ);
  return (await Promise.all(ids.map(id => readRoundContent(stores.artifacts, id)))).flatMap(content => content ?? []);
}

/** Why each finding was dismissed, by finding; the log names the text. */
async function reasonsOf({ stores }: DashboardWorld, { row }: StoredReview): Promise<ReadonlyMap<string, string>> {
  if (!findingRows(row).some(({ status }) => status === 'dismissed')) return new Map();
  const events = (await streamOf(stores.log, row.reviewId)).map(({ event }) => event);
  const dismissed = events.filter((event): event is ReviewEventOf<'FindingDismissed'> => event.type === 'FindingDismissed');
  const texts = await Promise.all(dismissed.map(async ({ finding, content }) => [finding, (await stores.artifacts.get(content))?.text] as const));
  return new Map(texts.flatMap(([finding, text]) => (text === undefined ? [] : [[finding, text] as const])));
}

interface FindingParts {
  readonly kept: ReadonlyMap<string, ReviewFinding>;
  readonly written: ReadonlyMap<string, string>;
  readonly threads: ReadonlyMap<string, ThreadRow>;
  readonly reasons: ReadonlyMap<string, string>;
}

/** A person's own finding: the first line is its title. */
function writtenText(text: string): NonNullable<ApiFinding['text']> {
  const [title = '', ...rest] = text.trim().split('\n');
  return { title, message: rest.join('\n').trim(), suggestion: null, evidence: [] };
}

function textOf({ id }: FindingRow, { kept, written }: FindingParts): ApiFinding['text'] {
  const own = written.get(id);
  if (own !== undefined) return writtenText(own);
  const found = kept.get(id);
  return found === undefined ? null : { title: found.title, message: found.message, suggestion: found.suggestion, evidence: [...found.evidence] };
}

function findingRow(row: FindingRow, parts: FindingParts): ApiFinding {
  const { id, rule, round, status, severity, path, side, line, endLine, posted, dismissedBy, verdicts, added } = row;
  const thread = parts.threads.get(id);
  return {
    ...{ id, rule, round, status, severity, path, side, line, endLine, posted, verdicts: [...verdicts] },
    text: textOf(row, parts),
    sources: added === null ? [...(parts.kept.get(id)?.sources ?? [])] : [added.by.login],
    thread:
      thread === undefined
        ? null
        : {
            ...{ id: thread.thread.id, resolved: thread.resolved, settledBy: thread.settledBy?.login ?? null },
            ...{ turns: thread.turns, turnsSpent: thread.turnsSpent },
          },
    dismissal: dismissedBy === null ? null : { by: dismissedBy.login, reason: parts.reasons.get(id) ?? null },
  };
}

async function findingsOf(world: DashboardWorld, review: StoredReview, contents: readonly RoundContent[]): Promise<ApiFinding[]> {
  const rows = findingRows(review.row);
  const people = rows.flatMap(({ id, added }) => (added === null ? [] : [{ id, content: added.content }]));
  const texts = await Promise.all(people.map(async ({ id, content }) => [id, (await world.stores.artifacts.get(content))?.text] as const));
  const parts: FindingParts = {
    kept: new Map(contents.flatMap(({ report }) => report.findings.map(finding => [finding.id, finding] as const))),
    written: new Map(texts.flatMap(([id, text]) => (text === undefined ? [] : [[id, text] as const]))),
    threads: new Map(threadRows({ ledger: review.row.ledger, answers: review.page.answers }).map(thread => [thread.finding, thread])),
    reasons: await reasonsOf(world, review),
  };
  return rows.map(row => findingRow(row, parts));
}

async function accountOf({ registry }: DashboardWorld['stores'], coordinates: StoredReview['row']['coordinates']): Promise<string | null> {
  const repository = coordinates === null ? undefined : registeredOf(await registry.repositories(), coordinates);
  const account = repository === undefined ? undefined : await registry.account(repository.account);
  return account?.identity.login ?? null;
}

const UNKNOWN_MAKER = { specialists: [], model: null, weir: null } as const;

async function madeBy({ stores }: DashboardWorld, { row }: StoredReview, contents: readonly RoundContent[]): Promise<ApiMadeBy> {
  const { report, made } = contents.at(-1) ?? {};
  const { specialists, model, weir } =
    report === undefined ? UNKNOWN_MAKER : { specialists: report.specialists.map(({ key }) => key), model: report.model.model, weir: report.weir };
  return {
    ...{ specialists: [...specialists], model, weir },
    account: await accountOf(stores, row.coordinates),
    prompts: made === undefined ? null : [...made.prompts],
    rules: made === undefined ? null : [...made.rules],
  };
}

export async function readReview(world: DashboardWorld, { params }: ApiCall): Promise<ApiAnswer> {
  const { id } = params as { readonly id: string };
  const review = await storedReview(world, id);
  const contents = await contentsOf(world, review);
  const { row, page } = review;
  const [listed] = await reviewRows(world, [row]);
  const { charges } = await chargePage(world.models.ledger, { review: id }, { limit: MAX_CHARGES });
  const body = {
    ...listed,
    url: row.change?.url ?? null,
    verdict: verdictOf(row, page.rounds.at(-1)),
    rounds: page.rounds.map(round => roundRow(round, row)),
    findings: await findingsOf(world, review, contents),
    charges,
    madeBy: await madeBy(world, review, contents),
  };
  return { body };
}
