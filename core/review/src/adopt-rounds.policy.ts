/**
 * Earlier rounds from what stands on the forge alone, for a process that keeps nothing (REV-20a): the summary says which round read which
 * head, the marks of comments say which finding each is, replies say what later rounds decided. Told as the events that would have led
 * there, so that everything else is decided as ever.
 */
import { type Marker, readFindingText, readMarker, readReplyVerdict, readSummaryComplete, reviewTag } from '@weir/comment';
import type { Actor, ChangeCard, FindingCoordinates, ReviewCoordinates, ReviewEvent, ReviewFinding, ThreadAnswer, ThreadRef } from '@weir/contract';
import { type StandingComment, standingSummary } from './adopt-comments.policy.ts';
import { isClosing } from './follow-up.policy.ts';
import { sameCommit } from './review-state.ts';

export interface StandingThread {
  readonly ref: ThreadRef;
  readonly resolved: boolean | null;
  readonly comments: readonly StandingComment[];
}

export interface StandingFacts {
  readonly reviewId: string;
  readonly coordinates: ReviewCoordinates;
  readonly change: ChangeCard;
  readonly at: string;
  /** Stable id of the account that posts. */
  readonly account: string;
  /** Of the change, now. */
  readonly head: string;
  /** Weir's check stands on that head: the last call of a round was made. Null where the forge does not tell. */
  readonly checked: boolean | null;
  /** Of the conversation. */
  readonly comments: readonly StandingComment[];
  readonly threads: readonly StandingThread[];
  /** Where the texts of a round's findings are put. */
  readonly contentOf: (round: number) => string;
}

export interface AdoptedRounds {
  readonly events: readonly ReviewEvent[];
  /** Findings that stand in threads, by round, with their texts as the comments have them. */
  readonly findings: ReadonlyMap<number, readonly ReviewFinding[]>;
  /** The last round read the change whole. */
  readonly complete: boolean;
  /** The summary names this head and its check is not there: the round died before its end, or nobody's round wrote that summary. */
  readonly unfinished: boolean;
}

/** A comment does not tell its finding's rule; the fingerprint holds it. */
export const ADOPTED_RULE = 'weir/adopted';
/** A thread tells that it is resolved, not by whom. */
const SOMEBODY: Actor = { id: 'unknown', login: 'unknown', kind: 'unknown' };
/** Findings of one change that are adopted: more than any review posts. */
const MAX_ADOPTED = 2_000;

interface Marked {
  readonly marker: Marker;
  readonly comment: StandingComment;
  readonly thread: StandingThread;
}

interface LastRound {
  readonly round: number;
  readonly head: string;
  readonly summary: string | null;
  readonly complete: boolean;
}

/** Comments of Weir's own account in threads, by their marks. */
function markedIn({ threads, account, reviewId }: StandingFacts): readonly Marked[] {
  return threads.flatMap(thread =>
    thread.comments.flatMap(comment => {
      const marker = comment.author === account ? readMarker(comment.body) : undefined;
      return marker === undefined || marker.review !== reviewTag(reviewId) ? [] : [{ marker, comment, thread }];
    }),
  );
}

/** The round that came to its end last. Without a summary a clean one has left its check alone; nothing else tells the head of a round. */
function lastRound({ comments, account, reviewId, head, checked }: StandingFacts, marked: readonly Marked[]): LastRound | undefined {
  const summary = standingSummary(null, comments, { reviewId, account, round: 0 });
  const marker = summary === undefined ? undefined : readMarker(summary.body);
  if (summary !== undefined && marker !== undefined && marker.key !== null) {
    return { round: marker.round, head: marker.key, summary: summary.id, complete: readSummaryComplete(summary.body) };
  }
  if (checked !== true) return undefined;
  return { round: marked.reduce((most, { marker: { round } }) => Math.max(most, round), 1), head, summary: null, complete: true };
}

function findingOf({ marker, comment, thread: { ref } }: Marked): ReviewFinding | undefined {
  const text = readFindingText(comment.body);
  if (text === undefined || marker.finding === null || marker.key === null || ref.path === null) return undefined;
  const { path, side, line } = ref;
  const place = { side: side ?? 'new', line: line ?? 0, endLine: line ?? 0 } as const;
  return {
    ...{ id: marker.finding, rule: ADOPTED_RULE, path, ...place, ...text, category: null, fingerprint: marker.key },
    ...{ quote: null, evidence: [], suggestion: null, sources: ['weir'] },
    placement:
      line === null ? { kind: 'file', reason: 'its line is not in the diff any more' } : { kind: 'line', ...place, line, endLine: line, hunk: 0, moved: false },
  };
}

interface AdoptedFinding {
  readonly finding: ReviewFinding;
  readonly thread: StandingThread;
}

/** By round; the first comment of an id counts. A round that did not come to its end is left to be adopted when it is posted again. */
function findingsByRound(marked: readonly Marked[], last: LastRound): ReadonlyMap<number, readonly AdoptedFinding[]> {
  const known = new Set<string>();
  const byRound = new Map<number, AdoptedFinding[]>();
  for (const one of marked) {
    const { kind, round } = one.marker;
    const finding = kind === 'finding' && round <= last.round ? findingOf(one) : undefined;
    if (finding === undefined || known.has(finding.id) || known.size >= MAX_ADOPTED) continue;
    known.add(finding.id);
    byRound.set(round, [...(byRound.get(round) ?? []), { finding, thread: one.thread }]);
  }
  return byRound;
}

interface AdoptedReply {
  readonly finding: string;
  readonly verdict: NonNullable<ReturnType<typeof readReplyVerdict>>;
  readonly comment: string;
}

function repliesOf(marked: readonly Marked[], round: number): readonly AdoptedReply[] {
  return marked.flatMap(({ marker, comment }) => {
    const verdict = marker.round === round ? readReplyVerdict(comment.body) : undefined;
    return verdict === undefined || marker.finding === null ? [] : [{ finding: marker.finding, verdict, comment: comment.id }];
  });
}

const coordinatesOf = ({ id, rule, path, side, line, endLine, severity, category, fingerprint }: ReviewFinding): FindingCoordinates => ({
  ...{ id, rule, path, side, line, endLine, severity, category, fingerprint },
});

interface Told {
  readonly facts: StandingFacts;
  readonly last: LastRound;
  readonly marked: readonly Marked[];
  readonly byRound: ReadonlyMap<number, readonly AdoptedFinding[]>;
}

/** One round as its events. The heads of rounds before the last are told nowhere, and nothing asks for them. */
function roundEvents({ facts, last, marked, byRound }: Told, round: number): readonly ReviewEvent[] {
  const { reviewId, at, coordinates, change, contentOf } = facts;
  const of = { reviewId, at, round, head: last.head, attempt: 1 };
  const found = byRound.get(round) ?? [];
  const replies = repliesOf(marked, round);
  const resolved = new Set([...byRound.values()].flat().flatMap(({ finding, thread }) => (thread.resolved === true ? [finding.id] : [])));
  const answers = replies.map(
    ({ finding, verdict, comment }): ThreadAnswer => ({ finding, reply: comment, resolved: isClosing(verdict) && resolved.has(finding) ? true : null }),
  );
  const said = { headline: 'Told by the comments on the forge.', complete: true, reading: { full: 0, partial: 0, skipped: 0, byRule: 0 }, tracked: 0 };
  return [
    { type: 'RoundRequested', ...of, coordinates, change, cause: 'rerun', by: null, forced: false, observe: false, previousHead: null },
    {
      ...{ type: 'FindingsRecorded', ...of, ...said, content: found.length === 0 ? null : contentOf(round) },
      findings: found.map(({ finding }) => coordinatesOf(finding)),
      verdicts: replies.map(({ finding, verdict }) => ({ finding, verdict })),
    },
    {
      ...{ type: 'RoundPosted', ...of, answers, summary: round === last.round ? last.summary : null },
      findings: found.map(({ finding, thread }) => ({ finding: finding.id, thread: thread.ref })),
    },
    { type: 'RoundCompleted', ...of },
  ];
}

/** Threads that are resolved though Weir has closed no finding in them: a person did it. */
function settledByHand({ facts, marked, byRound }: Told): readonly ReviewEvent[] {
  const { reviewId, at } = facts;
  const closed = new Set(marked.flatMap(({ marker, comment }) => (isClosing(readReplyVerdict(comment.body)) ? [marker.finding] : [])));
  return [...byRound.values()].flat().flatMap(({ finding: { id }, thread }): readonly ReviewEvent[] => {
    return thread.resolved === true && !closed.has(id) ? [{ type: 'ThreadSettled', reviewId, at, finding: id, resolved: true, by: SOMEBODY }] : [];
  });
}

/** No events where no round has come to its end. */
export function adoptRounds(facts: StandingFacts): AdoptedRounds {
  const marked = markedIn(facts);
  const last = lastRound(facts, marked);
  if (last === undefined) return { events: [], findings: new Map(), complete: false, unfinished: false };
  const byRound = findingsByRound(marked, last);
  const told: Told = { facts, last, marked, byRound };
  const rounds = [...new Set([...marked.map(({ marker }) => marker.round), last.round])]
    .filter(round => round > 0 && round <= last.round)
    .sort((a, b) => a - b);
  return {
    events: [...rounds.flatMap(round => roundEvents(told, round)), ...settledByHand(told)],
    findings: new Map([...byRound].map(([round, adopted]) => [round, adopted.map(({ finding }) => finding)])),
    complete: last.complete,
    unfinished: facts.checked === false && sameCommit(last.head, facts.head),
  };
}
