import { ReviewCommand, ReviewEvent, ReviewResult, ReviewWork } from '@weir/contract';
import { verifies } from '@weir/requirements';
import { expect, test } from 'vitest';
import { type FindingsView, findingsView } from './findings.view.ts';
import { a1, aimed, ask, at, b2, completed, given, kim, noteQuestion, request, requested, reviewId, stateAfter } from './given.fixture.ts';
import { reviewList, type ReviewListRow } from './review-list.view.ts';
import { reviewPage, type ReviewPage } from './review-page.view.ts';
import { commandAfter, workAfter } from './review-pipeline.saga.ts';
import { threadRows } from './threads.view.ts';
import { timelineLine } from './timeline.view.ts';

const accepted = (outcome: readonly ReviewEvent[] | string): readonly ReviewEvent[] => {
  expect(typeof outcome).toBe('object');
  return typeof outcome === 'string' ? [] : outcome.map(event => ReviewEvent.parse(event));
};
/** Asks one comment after the other and posts each answer. */
const answered = (comments: readonly string[], more: Parameters<typeof ask>[0] = {}): readonly ReviewEvent[] =>
  comments.reduce<readonly ReviewEvent[]>((events, comment) => {
    const granted = accepted(given(...completed(), ...events).when(ask({ ...more, comment })));
    return [...events, ...granted, ...accepted(given(...completed(), ...events, ...granted).when(posted(comment)))];
  }, []);
const posted = (comment: string, attempt = 1): ReviewCommand => ({ type: 'RecordAnswer', reviewId, at, comment, attempt, posted: `p-${comment}` });
const four = ['c1', 'c2', 'c3', 'c4'];
const after = (...events: readonly ReviewEvent[]) => given(...completed(), ...events);
const archived: ReviewEvent = { type: 'ReviewArchived', reviewId, at, by: 'op' };
const failure = { failure: 'FORGE_UNAVAILABLE', sentence: 'The forge answers 502.', retry: 'later', retryAfterSeconds: null, jitter: 0.5 } as const;
const fails = (more: Partial<Extract<ReviewCommand, { type: 'FailAnswer' }>> = {}): ReviewCommand => ({
  type: 'FailAnswer',
  reviewId,
  at,
  comment: 'c1',
  attempt: 1,
  ...failure,
  ...more,
});

test(`${verifies('REV-26')} a thread gets four answers, then one notice, then silence`, () => {
  const events = answered(four);
  expect(events.filter(({ type }) => type === 'AnswerGranted').map(event => 'turn' in event && event.turn)).toEqual([1, 2, 3, 4]);
  const notice = accepted(after(...events).when(ask({ comment: 'c5' })));
  expect(notice).toMatchObject([{ type: 'AnswerGranted', kind: 'turn_notice', comment: 'c5', turn: 1 }]);
  expect(after(...events, ...notice).when(ask({ comment: 'c6' }))).toBe('turns_spent');
});

test(`${verifies('REV-26')} turns are counted for each thread, and for the conversation of the change`, () => {
  const events = answered(four);
  for (const place of [
    { finding: null, thread: 't9' },
    { finding: null, thread: null },
    { finding: '2a', thread: 't1' },
  ])
    expect(after(...events).when(ask({ comment: 'c5', ...place }))).toMatchObject([{ kind: 'question', turn: 1 }]);
  expect(after(...events).when(ask({ comment: 'c5', thread: 'another name of the same thread' }))).toMatchObject([{ kind: 'turn_notice' }]);
});

test(`${verifies('REV-26')} a mention lifts the cap of turns, before and after the notice, and says so`, () => {
  const events = answered(four);
  expect(after(...events).when(ask({ comment: 'c5', mentioned: true }))).toMatchObject([{ kind: 'question', turn: 5, lifted: true }]);
  const notice = accepted(after(...events).when(ask({ comment: 'c5' })));
  expect(after(...events, ...notice).when(ask({ comment: 'c6', mentioned: true }))).toMatchObject([{ kind: 'question', lifted: true }]);
  expect(after().when(ask({ mentioned: true }))).toMatchObject([{ lifted: false }]);
});

test(`${verifies('REV-26', 'REV-31')} a mention never lifts the spend cap: the refusal is an event on its thread, and the round keeps its status`, () => {
  const granted = accepted(after().when(ask({ mentioned: true })));
  const refuse: ReviewCommand = { type: 'RefuseAnswer', reviewId, at, comment: 'c1', attempt: 1, code: 'cap_reached', measurement: '$5.00 spent' };
  const refused = accepted(after(...granted).when(refuse));
  expect(refused).toMatchObject([{ type: 'AnswerRefused', finding: '1a', code: 'cap_reached' }]);
  const events = [...completed(), ...granted, ...refused];
  expect(events.reduce<ReviewListRow | undefined>(reviewList, undefined)).toMatchObject({ status: 'completed', code: null });
  expect(refused.flatMap(workAfter)).toEqual([]);
  expect(timelineLine(refused[0] as ReviewEvent).sentence).toBe(
    'An answer in the thread of 1a was refused. A limit of this deployment is reached. Measured: $5.00 spent.',
  );
  const view = events.reduce<FindingsView | undefined>(findingsView, undefined) as FindingsView;
  expect(threadRows(view)).toMatchObject([{ finding: '1a', turns: 0, turnsSpent: false, silence: 'cap_reached' }]);
});

test(`${verifies('REV-26')} what was refused or failed has used no turn; what is on its way has`, () => {
  const three = answered(['c1', 'c2', 'c3']);
  const fourth = accepted(after(...three).when(ask({ comment: 'c4' })));
  expect(after(...three, ...fourth).when(ask({ comment: 'c5' }))).toMatchObject([{ kind: 'turn_notice' }]);
  const failed = accepted(after(...three, ...fourth).when(fails({ comment: 'c4', retry: 'never' })));
  expect(after(...three, ...fourth, ...failed).when(ask({ comment: 'c5' }))).toMatchObject([{ kind: 'question', turn: 5 }]);
});

test(`${verifies('REV-26')} a notice that could not be posted is given again`, () => {
  const events = answered(four);
  const notice = accepted(after(...events).when(ask({ comment: 'c5' })));
  const failed = accepted(after(...events, ...notice).when(fails({ comment: 'c5', retry: 'never' })));
  expect(after(...events, ...notice, ...failed).when(ask({ comment: 'c6' }))).toMatchObject([{ kind: 'turn_notice' }]);
});

test(`${verifies('REV-26')} a comment that is delivered twice is answered once`, () => {
  const granted = accepted(after().when(ask()));
  expect(after(...granted).when(ask())).toEqual([]);
  expect(after(...granted, ...accepted(after(...granted).when(posted('c1')))).when(ask())).toEqual([]);
});

test(`${verifies('REV-27')} help and descriptions use no turns, and a review may begin with an answer`, () => {
  const events = answered(four);
  for (const kind of ['help', 'description'] as const)
    expect(after(...events).when(ask({ comment: 'c5', kind, finding: null, thread: null }))).toMatchObject([{ type: 'AnswerGranted', kind, turn: 1 }]);
  const first = accepted(given().when(ask({ kind: 'help', finding: null, thread: null })));
  expect(first.reduce<ReviewListRow | undefined>(reviewList, undefined)).toMatchObject({ status: null, round: 0, coordinates: { change: 3 } });
  expect(given(...first).when(request(a1))).toMatchObject([{ type: 'RoundRequested', round: 1 }]);
});

test(`${verifies('REV-20')} an answer is tried again with a growing delay, three times at most, for the attempt that is under way`, () => {
  const granted = accepted(after().when(ask()));
  const retried = accepted(after(...granted).when(fails()));
  expect(retried).toMatchObject([{ type: 'AnswerRetried', attempt: 2, turn: 1, delaySeconds: 20 }]);
  expect(retried.flatMap(workAfter)).toMatchObject([{ type: 'AnswerComment', attempt: 2, delaySeconds: 20 }]);
  expect(after(...granted, ...retried).when(fails())).toBe('stale');
  expect(after(...granted, ...retried).when(posted('c1'))).toBe('stale');
  expect(after(...granted, ...retried).when(posted('c1', 2))).toMatchObject([{ type: 'AnswerPosted', attempt: 2 }]);
  const third: ReviewEvent = { ...(retried[0] as Extract<ReviewEvent, { type: 'AnswerRetried' }>), attempt: 3 };
  expect(after(...granted, third).when(fails({ attempt: 3 }))).toMatchObject([{ type: 'AnswerFailed', failure: 'FORGE_UNAVAILABLE' }]);
  expect(after(...granted).when(fails({ retry: 'never' }))).toMatchObject([{ type: 'AnswerFailed' }]);
  expect(after().when(fails())).toBe('stale');
});

test(`${verifies('REV-28')} an archived review answers nothing, and tries nothing again but its notice`, () => {
  const granted = accepted(after().when(ask()));
  expect(after(archived).when(ask())).toBe('archived');
  expect(after(...granted, archived).when(fails())).toMatchObject([{ type: 'AnswerFailed' }]);
  const notice = accepted(after(archived).when(noteQuestion));
  expect(after(archived, ...notice).when(fails())).toMatchObject([{ type: 'AnswerRetried' }]);
});

test(`${verifies('REV-28')} after a restore the archive has its notice again`, () => {
  const notice = accepted(after(archived).when(noteQuestion));
  const again = after(archived, ...notice, { type: 'ReviewRestored', reviewId, at, by: 'op' }, archived);
  expect(again.when({ ...noteQuestion, comment: 'c2' } as ReviewCommand)).toMatchObject([{ kind: 'archived_notice', turn: 2 }]);
});

test(`${verifies('REV-27')} what a command in a comment is refused for is a line of the timeline; the same from elsewhere is a refusal`, () => {
  const dismiss = (comment: string | null): ReviewCommand => ({ type: 'DismissFinding', reviewId, at, finding: '9z', by: kim, content: 'c', comment });
  expect(after().when(dismiss('c1'))).toEqual([
    { type: 'RequestDropped', reviewId, at, code: 'finding_unknown', head: null, by: '7', coordinates: null, change: null },
  ]);
  expect(after().when(dismiss(null))).toBe('finding_unknown');
  expect(after(archived).when(dismiss('c1'))).toBe('archived');
  expect(given(requested()).when(request(a1, { cause: 'command', forced: true }))).toMatchObject([{ type: 'RequestDropped', code: 'in_flight', head: a1 }]);
  expect(given(requested()).when(request(a1, { cause: 'rerun', forced: true }))).toBe('in_flight');
});

test(`${verifies('REV-25')} a person's finding in a thread of its own is followed there, and comes in once`, () => {
  const thread = { id: 't7', root: 't7', review: null, path: 'src/ledger.ts', side: 'new', line: 3 } as const;
  const finding = { rule: 'person/finding', path: 'src/ledger.ts', side: 'new', line: 3, endLine: 3, severity: 'major', category: null } as const;
  const add: ReviewCommand = {
    type: 'AddFinding',
    reviewId,
    at,
    finding: { ...finding, fingerprint: 'comment-c1' },
    by: kim,
    content: 'c',
    comment: 'c1',
    thread,
  };
  const added = accepted(after().when(add));
  expect(stateAfter(...completed(), ...added)).toMatchObject({
    ledger: { rows: { '1a': { added: null }, '1b': { thread, posted: true, status: 'open', added: { by: kim, content: 'c', at } } } },
  });
  expect(after(...added).when(add)).toEqual([]);
  expect(given(requested()).when(add)).toMatchObject([{ type: 'RequestDropped', code: 'nothing_posted' }]);
});

test(`${verifies('REV-2')} the timetable of an answer, and the page that shows it`, () => {
  const events = answered(['c1']);
  expect(events.flatMap(workAfter).map(work => ReviewWork.parse(work))).toEqual([
    { type: 'AnswerComment', reviewId, comment: 'c1', attempt: 1, kind: 'question', finding: '1a', thread: 't1', turn: 1, delaySeconds: 0 },
  ]);
  const result = ReviewResult.parse({ type: 'CommentAnswered', reviewId, at, comment: 'c1', attempt: 1, posted: 'p1' });
  expect(ReviewCommand.parse(commandAfter(result))).toEqual({ type: 'RecordAnswer', reviewId, at, comment: 'c1', attempt: 1, posted: 'p1' });
  const page = [...completed(), ...events].reduce<ReviewPage | undefined>(reviewPage, undefined);
  expect(page?.answers).toMatchObject([{ comment: 'c1', state: 'posted', posted: 'p-c1' }]);
  expect(page?.rounds).toHaveLength(1);
  for (const event of [...events, ...accepted(after(...answered(four)).when(ask({ comment: 'c5' })))])
    expect(timelineLine(event).sentence).toMatch(/^[A-Za-z].+\.$/);
});

test(`${verifies('REV-26')} a round that is cancelled or replaced leaves the answers alone`, () => {
  const granted = accepted(given(requested()).when(ask({ finding: null, thread: null })));
  for (const end of [{ type: 'RoundCancelled', ...aimed(), because: 'closed' } as const, { type: 'RoundSuperseded', ...aimed(), by: b2 } as const])
    expect(given(requested(), ...granted, end).when(posted('c1'))).toMatchObject([{ type: 'AnswerPosted' }]);
});
