import { ReviewCommand, type ReviewEvent, ReviewResult, ReviewWork } from '@weir/contract';
import { verifies } from '@weir/requirements';
import { expect, test } from 'vitest';
import { type AttentionFacts, attentionOf, attentionRows } from './attention.view.ts';
import { findingRows, findingsView, type FindingsView } from './findings.view.ts';
import { a1, aimed, at, b2, completed, coordinates, diff, finding, kim, openChange, recorded, requested, reviewId, upTo } from './given.fixture.ts';
import { reviewIdOf } from './review-id.policy.ts';
import { reviewList, type ReviewListRow } from './review-list.view.ts';
import { reviewPage, type ReviewPage } from './review-page.view.ts';
import { commandAfter, workAfter } from './review-pipeline.saga.ts';
import { findingOfThread, threadRows } from './threads.view.ts';
import { timelineLine } from './timeline.view.ts';

const listed = (...events: readonly ReviewEvent[]) => events.reduce<ReviewListRow | undefined>(reviewList, undefined) as ReviewListRow;
const paged = (...events: readonly ReviewEvent[]) => events.reduce<ReviewPage | undefined>(reviewPage, undefined) as ReviewPage;
const found = (...events: readonly ReviewEvent[]) => events.reduce<FindingsView | undefined>(findingsView, undefined) as FindingsView;
const later = '2026-01-31T09:00:00Z';

test(`${verifies('REV-11')} the list has each status of a round as it begins`, () => {
  const events = completed();
  const statuses = events.map((_, index) => listed(...events.slice(0, index + 1)).status);
  expect(statuses).toEqual(['queued', 'fetching', 'gathering', 'generating', 'generating', 'posting', 'posting', 'completed']);
  expect(listed(...events)).toMatchObject({ open: { blocker: 0, major: 1 }, headline: 'Not ready: 1 major.', complete: true, round: 1 });
});

test(`${verifies('REV-7', 'REV-28')} the change's state and the archive are fields of their own`, () => {
  const row = listed(
    ...completed(),
    { type: 'ChangeNoted', reviewId, at: later, change: { ...openChange, state: 'merged' } },
    { type: 'ReviewArchived', reviewId, at: later, by: 'op' },
  );
  expect(row).toMatchObject({ status: 'completed', archived: true, change: { state: 'merged' }, since: at, updatedAt: later });
});

test(`${verifies('REV-9')} a review whose every request was turned away has no status`, () => {
  const dropped = { type: 'RequestDropped', reviewId, at, code: 'author_not_listed', head: a1, by: '9' } as const;
  expect(listed({ ...dropped, coordinates, change: openChange })).toMatchObject({ status: null, round: 0, coordinates, change: openChange });
  expect(listed(requested(), { ...dropped, coordinates: null, change: null })).toMatchObject({ coordinates, change: openChange });
});

test('the page shows each round with its steps, and a second attempt with its reason', () => {
  const retried: ReviewEvent = { type: 'RoundRetried', ...aimed(a1, 1, 2), failure: 'FORGE_UNAVAILABLE', sentence: 'The forge answers 502.', delaySeconds: 10 };
  const page = paged(
    requested(),
    ...upTo('gathering'),
    retried,
    { type: 'RoundBegan', ...aimed(a1, 1, 2) },
    { type: 'RoundSuperseded', ...aimed(a1, 1, 2), by: b2 },
    requested(b2, 2),
  );
  expect(page.rounds.map(({ status, attempt, reason }) => [status, attempt, reason])).toEqual([
    ['superseded', 2, b2],
    ['queued', 1, null],
  ]);
  expect(page.rounds[0]?.steps.map(({ status }) => status)).toEqual(['queued', 'fetching', 'gathering', 'queued', 'fetching', 'superseded']);
  expect(page.rounds[0]?.diff).toEqual(diff);
});

test(`${verifies('REV-9', 'REV-14', 'REV-6')} the timeline says what happened, and what did not arrive`, () => {
  const said = (event: ReviewEvent) => timelineLine(event).sentence;
  expect(said({ type: 'RequestDropped', reviewId, at, code: 'author_not_listed', head: a1, by: '9', coordinates, change: null })).toBe(
    "Nothing was started. The author is not on the account's list.",
  );
  expect(said({ type: 'ContextRecorded', ...aimed(), context: null, missing: [{ source: 'tracker', reason: 'no answer in 20 s' }] })).toBe(
    'Gathered the context without tracker (no answer in 20 s).',
  );
  expect(said({ type: 'RoundSuperseded', ...aimed(), by: b2 })).toBe('a1a1a1a is superseded by b2b2b2b.');
  for (const event of completed()) expect(said(event)).toMatch(/\.$/);
});

test(`${verifies('REV-25')} findings and threads: who settled what, and whose thread a delivery names`, () => {
  const view = found(...completed(), { type: 'ThreadSettled', reviewId, at, finding: '1a', resolved: true, by: kim });
  expect(findingRows(view)).toMatchObject([{ id: '1a', status: 'open', round: 1 }]);
  expect(threadRows(view)).toMatchObject([{ finding: '1a', resolved: true, settledBy: kim }]);
  expect(findingOfThread(view, { id: 't1', root: null })).toBe('1a');
  expect(findingOfThread(view, { id: null, root: 't1' })).toBe('1a');
  expect(findingOfThread(view, { id: 'other', root: null })).toBeNull();
});

const calm: AttentionFacts = {
  reviews: [],
  stuckBefore: '2026-01-31T07:00:00Z',
  defaultModel: true,
  unpriceableModels: [],
  capsReached: [],
  ledgerReadable: true,
  deadLetters: 0,
  unregistered: [],
  rejectedCredentials: [],
  shortCredentials: [],
  unpricedCalls: 0,
  unpricedSince: null,
  acknowledged: [],
};
const kinds = (more: Partial<AttentionFacts>) => attentionRows({ ...calm, ...more }).map(({ kind }) => kind);

test(`${verifies('REV-33')} a failed review is in the inbox until a round of it starts again`, () => {
  const failed = [requested(), { type: 'RoundFailed', ...aimed(), failure: 'FORGE_FORBIDDEN', sentence: 'No scope.' } as const];
  expect(attentionRows({ ...calm, reviews: [listed(...failed)] })).toMatchObject([{ kind: 'review_failed', subject: reviewId, blocking: false, since: at }]);
  expect(kinds({ reviews: [listed(...failed, requested(b2, 2))] })).toEqual([]);
  expect(kinds({ reviews: [listed(...failed, { type: 'ReviewArchived', reviewId, at, by: 'op' })] })).toEqual([]);
});

test(`${verifies('REV-33')} what nobody can mend any more may be acknowledged, and comes back with a new cause; what can be mended may not`, () => {
  const until = at;
  const unpriced = { unpricedCalls: 1, unpricedSince: at, acknowledged: [{ kind: 'unpriced_calls', subject: null, until }] };
  expect(kinds(unpriced)).toEqual([]);
  expect(kinds({ ...unpriced, unpricedSince: later })).toEqual(['unpriced_calls']);
  const stranger = { unregistered: [{ repository: 'team/shop', at }], acknowledged: [{ kind: 'unregistered_delivery', subject: 'team/shop', until }] };
  expect(kinds(stranger)).toEqual([]);
  expect(kinds({ ...stranger, unregistered: [{ repository: 'team/other', at }] })).toEqual(['unregistered_delivery']);
  expect(kinds({ rejectedCredentials: [{ credential: 'a', at }], acknowledged: [{ kind: 'credential_rejected', subject: 'a', until }] })).toEqual([
    'credential_rejected',
  ]);
});

test(`${verifies('REV-33')} a status that began long ago is stuck; one that is over is not`, () => {
  expect(kinds({ reviews: [listed(requested())], stuckBefore: later })).toEqual(['review_stuck']);
  expect(kinds({ reviews: [listed(requested())] })).toEqual([]);
  expect(kinds({ reviews: [listed(...completed())], stuckBefore: later })).toEqual([]);
});

test(`${verifies('REV-33')} each cause has its row, blocking ones first, and none without its cause`, () => {
  expect(kinds({})).toEqual([]);
  expect(
    kinds({
      defaultModel: false,
      unpriceableModels: ['m'],
      capsReached: ['12 calls in 24 h'],
      ledgerReadable: false,
      deadLetters: 2,
      unregistered: [{ repository: 'team/shop', at }],
      rejectedCredentials: [{ credential: 'reviewer', at }],
      shortCredentials: [{ credential: 'reviewer', missing: 'checks:write', at }],
      unpricedCalls: 1,
    }),
  ).toEqual([
    'no_default_model',
    'model_not_priceable',
    'cap_reached',
    'credential_rejected',
    'cap_unenforceable',
    'unpriced_calls',
    'dead_letters',
    'unregistered_delivery',
    'credential_short_of_scopes',
  ]);
  expect(attentionOf('cap_reached')).toBe('cap_reached');
  expect(attentionOf('author_not_listed')).toBeNull();
});

test(`${verifies('REV-2')} the timetable: which event asks for which work`, () => {
  const plan = completed().flatMap(event => workAfter(event).map(work => ReviewWork.parse(work).type));
  expect(plan).toEqual(['FetchDiff', 'GatherContext', 'GenerateReview', 'PostRound']);
  expect(workAfter({ type: 'RoundRetried', ...aimed(a1, 1, 2), failure: 'FORGE_UNAVAILABLE', sentence: 's', delaySeconds: 40 })).toMatchObject([
    { type: 'FetchDiff', attempt: 2, delaySeconds: 40 },
  ]);
});

test(`${verifies('REV-7')} a cancel aborts exactly its head; a supersede aborts nothing`, () => {
  expect(workAfter({ type: 'RoundCancelled', ...aimed(), because: 'closed' })).toEqual([{ type: 'AbortRound', reviewId, round: 1, head: a1 }]);
  expect(workAfter({ type: 'RoundSuperseded', ...aimed(), by: b2 })).toEqual([]);
});

test(`${verifies('REV-9')} a round that observes asks for no posting`, () => {
  expect([recorded(a1, 1), { type: 'RoundObserved', ...aimed() } as const].flatMap(workAfter)).toEqual([]);
});

test(`${verifies('REV-2')} each result becomes its command, which the contract accepts`, () => {
  const generated = recorded(a1, 1);
  const of = aimed();
  const answered = { reviewId, at, comment: 'c1', attempt: 1 };
  const failure = { failure: 'FORGE_UNAVAILABLE', sentence: 's', retry: 'later', retryAfterSeconds: null, jitter: 0.5 } as const;
  const results: readonly ReviewResult[] = [
    { type: 'FetchBegun', ...of },
    { type: 'DiffFetched', ...of, diff },
    { type: 'ContextGathered', ...of, context: null, missing: [] },
    { ...generated, type: 'ReviewGenerated' },
    { type: 'CommentsPosted', ...of, findings: [], answers: [], summary: null },
    { type: 'HeadMoved', ...of, current: b2 },
    { type: 'ChangeEnded', ...of, change: { ...openChange, state: 'merged' } },
    { type: 'WorkRefused', ...of, code: 'cap_reached', measurement: '' },
    { type: 'WorkFailed', ...of, ...failure },
    { type: 'CommentAnswered', ...answered, posted: 'p1' },
    { type: 'AnswerWorkRefused', ...answered, code: 'cap_reached', measurement: '' },
    { type: 'AnswerWorkFailed', ...answered, ...failure },
  ];
  expect(results.map(result => ReviewCommand.parse(commandAfter(ReviewResult.parse(result))).type)).toEqual([
    'BeginRound',
    'RecordDiff',
    'RecordContext',
    'RecordFindings',
    'RecordPosted',
    'SupersedeRound',
    'NoteChangeEnd',
    'RefuseRound',
    'FailRound',
    'RecordAnswer',
    'RefuseAnswer',
    'FailAnswer',
  ]);
});

test(`${verifies('REV-1')} the id comes from stable coordinates, each with its length`, () => {
  const identity = (text: string) => text;
  const base = { forge: 'forge', origin: 'https://forge.example', repositoryId: null, repository: { owner: 'team', name: 'shop' }, change: 3 };
  expect(reviewIdOf(base, identity)).toBe('13:weir/review/15:forge21:https://forge.example4:path4:team4:shop1:3');
  const different = [
    base,
    { ...base, forge: 'other' },
    { ...base, origin: 'https://other.example' },
    { ...base, repository: { owner: 'team/s', name: 'hop' } },
    { ...base, repository: { owner: 'tea', name: 'mshop' } },
    { ...base, change: 31 },
    { ...base, repositoryId: '3' },
  ];
  expect(new Set(different.map(coordinates => reviewIdOf(coordinates, identity))).size).toBe(different.length);
  const renamed = { ...base, repositoryId: '12', repository: { owner: 'new', name: 'name' } };
  expect(reviewIdOf(renamed, identity)).toBe(reviewIdOf({ ...base, repositoryId: '12' }, identity));
});

test('a finding row keeps its coordinates', () => {
  expect(findingRows(found(...completed()))[0]).toMatchObject(finding('1a'));
});
