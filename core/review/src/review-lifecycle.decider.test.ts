import { type ChangeCard, type ReviewCommand, ReviewEvent, REVIEW_REFUSALS, ROUND_STATUSES, roundStatusRow } from '@weir/contract';
import { verifies } from '@weir/requirements';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  a1,
  aimed,
  at,
  b2,
  c3,
  completed,
  coordinates,
  diff,
  finding,
  given,
  kim,
  noteQuestion,
  openChange,
  recorded,
  request,
  requested,
  reviewId,
  stateAfter,
  upTo,
} from './given.fixture.ts';
import { reviewLifecycle } from './review-lifecycle.decider.ts';
import { retryDelay } from './retry.policy.ts';

const types = (answer: readonly ReviewEvent[] | string): readonly string[] | string => (typeof answer === 'string' ? answer : answer.map(event => event.type));
const fail = (more: Partial<Extract<ReviewCommand, { type: 'FailRound' }>> = {}): ReviewCommand => ({
  type: 'FailRound',
  ...aimed(),
  failure: 'FORGE_UNAVAILABLE',
  sentence: 'The forge answers 502.',
  retry: 'later',
  retryAfterSeconds: null,
  jitter: 0,
  ...more,
});
const archived: ReviewEvent = { type: 'ReviewArchived', reviewId, at, by: 'op' };

test(`${verifies('REV-5')} the first request starts round 1`, () => {
  expect(given().when(request(a1, { cause: 'opened' }))).toMatchObject([
    { type: 'RoundRequested', round: 1, attempt: 1, head: a1, cause: 'opened', previousHead: null },
  ]);
});

test(`${verifies('REV-5')} the same head twice starts nothing unless forced`, () => {
  expect(given(...completed()).when(request(a1))).toBe('already_reviewed');
  expect(given(...completed()).when(request(a1, { forced: true }))).toMatchObject([{ type: 'RoundRequested', round: 2, previousHead: a1 }]);
  expect(given(...completed()).when(request(a1.slice(0, 12)))).toBe('already_reviewed');
});

test(`${verifies('REV-5')} a forced request for the head in flight waits for its round`, () => {
  expect(given(requested()).when(request(a1, { forced: true }))).toBe('in_flight');
});

test(`${verifies('REV-5')} a new head of an ended review starts the next round, which knows the head before`, () => {
  expect(given(...completed()).when(request(b2))).toMatchObject([{ type: 'RoundRequested', round: 2, head: b2, previousHead: a1 }]);
});

test(`${verifies('REV-5', 'REV-7')} a change that is not open starts nothing; reopened, a cancelled head is read`, () => {
  expect(given().when(request(a1, { change: { ...openChange, state: 'closed' } }))).toBe('change_not_open');
  const closed: ReviewEvent = { type: 'RoundCancelled', ...aimed(), because: 'closed' };
  expect(types(given(requested(), closed).when(request(a1, { cause: 'reopened' })))).toEqual(['RoundRequested']);
});

test(`${verifies('REV-6')} a newer head supersedes the round in flight`, () => {
  expect(given(requested(), ...upTo('generating')).when(request(b2))).toMatchObject([
    { type: 'RoundSuperseded', round: 1, head: a1, by: b2 },
    { type: 'RoundRequested', round: 2, head: b2 },
  ]);
});

test(`${verifies('REV-6')} a result of the overtaken round is refused, and says so`, () => {
  const overtaken = [requested(), ...upTo('fetching'), { type: 'RoundSuperseded', ...aimed(), by: b2 } as const, requested(b2, 2)];
  expect(given(...overtaken).when({ type: 'RecordDiff', ...aimed(a1, 1), diff })).toBe('stale');
  expect(given(...completed()).when({ type: 'RecordDiff', ...aimed(), diff })).toBe('not_in_flight');
});

test(`${verifies('REV-6')} a worker that reads another head ends the round and starts one for that head`, () => {
  expect(given(requested(), ...upTo('gathering')).when({ type: 'SupersedeRound', ...aimed(), current: b2 })).toMatchObject([
    { type: 'RoundSuperseded', head: a1, by: b2 },
    { type: 'RoundRequested', round: 2, head: b2, cause: 'pushed' },
  ]);
});

test(`${verifies('REV-6')} a late delivery of an old head does not read the current one twice`, () => {
  const late = [...completed(b2, 1), requested(a1, 2)];
  const ended = given(...late).when({ type: 'SupersedeRound', ...aimed(a1, 2), current: b2 });
  expect(types(ended)).toEqual(['RoundSuperseded']);
  expect(given(...late, ...(ended as ReviewEvent[])).when(request(b2))).toBe('already_reviewed');
});

test(`${verifies('REV-6', 'REV-9')} the newer head of a change that became a draft waits until it is ready`, () => {
  const drafted: ReviewEvent = { type: 'ChangeNoted', reviewId, at, change: { ...openChange, draft: true } };
  expect(types(given(requested(), drafted).when({ type: 'SupersedeRound', ...aimed(), current: b2 }))).toEqual(['RoundSuperseded']);
});

test(`${verifies('REV-7')} closing or merging cancels the round in flight and names its head; the state is the change's own`, () => {
  const change = { ...openChange, state: 'merged' as const };
  expect(given(requested()).when({ type: 'NoteChange', reviewId, at, change })).toMatchObject([
    { type: 'ChangeNoted', change: { state: 'merged' } },
    { type: 'RoundCancelled', head: a1, because: 'merged' },
  ]);
  expect(types(given(...completed()).when({ type: 'NoteChange', reviewId, at, change }))).toEqual(['ChangeNoted']);
  expect(Object.keys(ROUND_STATUSES)).not.toContain('merged');
});

test(`${verifies('REV-7')} the end of a change that a worker reads cancels its own round, in any stage, and no later one`, () => {
  const change = { ...openChange, state: 'closed' as const };
  const end: ReviewCommand = { type: 'NoteChangeEnd', ...aimed(), change };
  for (const stage of ['fetching', 'gathering', 'generating', 'posting'] as const)
    expect(given(requested(), ...upTo(stage)).when(end)).toMatchObject([
      { type: 'ChangeNoted', change: { state: 'closed' } },
      { type: 'RoundCancelled', round: 1, head: a1, because: 'closed' },
    ]);
  expect(given(requested(b2, 2)).when(end)).toBe('stale');
  expect(given(...completed()).when(end)).toBe('not_in_flight');
  expect(given().when(end)).toBe('unknown_review');
});

test(`${verifies('REV-7')} a cancel of another head leaves the round alone`, () => {
  const cancel = (head: string, round: number): ReviewCommand => ({ type: 'CancelRound', reviewId, at, round, head, by: 'op' });
  expect(given(requested(b2, 2)).when(cancel(a1, 1))).toBe('stale');
  expect(types(given(requested(b2, 2)).when(cancel(b2, 2)))).toEqual(['RoundCancelled']);
});

test('an edit that changes nothing is no event', () => {
  expect(given(requested()).when({ type: 'NoteChange', reviewId, at, change: openChange })).toEqual([]);
});

test(`${verifies('REV-2', 'REV-18')} a stage is recorded once; a redelivery is refused`, () => {
  const record: ReviewCommand = { type: 'RecordDiff', ...aimed(), diff };
  expect(types(given(requested(), ...upTo('fetching')).when(record))).toEqual(['DiffRecorded']);
  expect(types(given(requested()).when(record))).toEqual(['DiffRecorded']);
  expect(given(requested(), ...upTo('gathering')).when(record)).toBe('wrong_stage');
  expect(given(requested(), ...upTo('posting')).when({ ...recorded(a1, 1), type: 'RecordFindings' })).toBe('wrong_stage');
});

test(`${verifies('REV-11')} a round goes through its stages to completed`, () => {
  const stages = [...completed()]
    .map((_, index, events) => stateAfter(...events.slice(0, index + 1)))
    .map(state => (state.phase === 'reviewing' ? state.flight.stage : state.phase));
  expect(stages).toEqual(['queued', 'fetching', 'gathering', 'generating', 'generating', 'posting', 'posting', 'idle']);
});

test(`${verifies('REV-11')} a status that is not in the list is unknown, never success`, () => {
  expect(roundStatusRow('half-done')).toMatchObject({ label: 'unknown', tone: 'unknown' });
  expect(roundStatusRow('constructor').tone).toBe('unknown');
  expect(roundStatusRow('completed').tone).toBe('ok');
});

test(`${verifies('REV-9')} a round that observes records its findings and posts nothing`, () => {
  const events = [requested(a1, 1, { observe: true }), ...upTo('generating')];
  expect(types(given(...events).when({ ...recorded(a1, 1), type: 'RecordFindings' }))).toEqual(['FindingsRecorded', 'RoundObserved']);
  expect(types(given(requested(), ...upTo('generating')).when({ ...recorded(a1, 1), type: 'RecordFindings' }))).toEqual(['FindingsRecorded', 'PostingBegan']);
});

test(`${verifies('REV-20')} a failure that may pass starts again from the diff, at most three times`, () => {
  const first = given(requested(), ...upTo('generating')).when(fail());
  expect(first).toMatchObject([{ type: 'RoundRetried', attempt: 2, delaySeconds: 10 }]);
  const again = [requested(), ...(first as ReviewEvent[])];
  expect(stateAfter(...again)).toMatchObject({ flight: { stage: 'queued', attempt: 2 } });
  expect(given(...again).when(fail())).toBe('stale');
  const third: ReviewEvent = { type: 'RoundRetried', ...aimed(a1, 1, 3), failure: 'FORGE_UNAVAILABLE', sentence: 's', delaySeconds: 20 };
  expect(given(...again, third).when(fail({ attempt: 3 }))).toMatchObject([{ type: 'RoundFailed', attempt: 3, failure: 'FORGE_UNAVAILABLE' }]);
});

test(`${verifies('REV-20')} a permanent failure ends the round at once`, () => {
  expect(types(given(requested()).when(fail({ retry: 'never', failure: 'FORGE_FORBIDDEN' })))).toEqual(['RoundFailed']);
});

test(`${verifies('REV-20')} the delay doubles, has jitter, waits as long as it is told, and not for ever`, () => {
  const delay = (attempt: number, jitter: number, retryAfterSeconds: number | null = null) =>
    retryDelay({ attempt, retry: 'later', retryAfterSeconds, jitter });
  expect([delay(1, 0), delay(1, 0.99), delay(2, 0.5), delay(1, 0, 90), delay(3, 0), delay(1, 0, 90_000)]).toEqual([10, 30, 40, 90, null, null]);
});

test(`${verifies('REV-31')} a gate's refusal is the end of the round and no failure`, () => {
  const refuse: ReviewCommand = { type: 'RefuseRound', ...aimed(), code: 'cap_reached', measurement: '12 calls in 24 h' };
  expect(given(requested(), ...upTo('gathering')).when(refuse)).toMatchObject([{ type: 'RoundRefused', code: 'cap_reached', measurement: '12 calls in 24 h' }]);
});

test(`${verifies('REV-25')} what was posted counts only while its head is current, and once`, () => {
  const posted: ReviewCommand = { type: 'RecordPosted', ...aimed(), findings: [], answers: [], summary: null };
  expect(types(given(requested(), ...upTo('posting')).when(posted))).toEqual(['RoundPosted', 'RoundCompleted']);
  expect(given(requested(), ...upTo('posting'), { type: 'RoundSuperseded', ...aimed(), by: b2 }, requested(b2, 2)).when(posted)).toBe('stale');
  expect(given(...completed()).when(posted)).toBe('not_in_flight');
});

test(`${verifies('REV-25')} a person's finding joins what was posted, with the next letter, and nothing else`, () => {
  const { rule, path, side, line, endLine, severity, category, fingerprint } = finding('1a');
  const own = { rule, path, side, line, endLine, severity, category, fingerprint: `${fingerprint}-own` };
  const add: ReviewCommand = { type: 'AddFinding', reviewId, at, finding: own, by: kim, content: 'c', comment: null, thread: null };
  expect(given(...completed()).when(add)).toMatchObject([{ type: 'FindingAdded', round: 1, finding: { id: '1b' } }]);
  expect(given(requested(), ...upTo('posting')).when(add)).toBe('nothing_posted');
});

test('a finding is dismissed once, by its id', () => {
  const dismiss = (id: string): ReviewCommand => ({ type: 'DismissFinding', reviewId, at, finding: id, by: kim, content: 'c', comment: null });
  const dismissed = given(...completed()).when(dismiss('1a'));
  expect(types(dismissed)).toEqual(['FindingDismissed']);
  expect(given(...completed(), ...(dismissed as ReviewEvent[])).when(dismiss('1a'))).toBe('finding_closed');
  expect(given(...completed()).when(dismiss('9z'))).toBe('finding_unknown');
});

test('a thread that the forge reports as it stands is no event', () => {
  const settle: ReviewCommand = { type: 'SettleThread', reviewId, at, finding: '1a', resolved: true, by: kim };
  const settled = given(...completed()).when(settle);
  expect(types(settled)).toEqual(['ThreadSettled']);
  expect(given(...completed(), ...(settled as ReviewEvent[])).when(settle)).toEqual([]);
});

test.each<[string, ReviewCommand, readonly ReviewEvent[], string]>([
  ['that nobody knows', { type: 'ArchiveReview', reviewId, at, by: 'op' }, [], 'unknown_review'],
  ['that runs', { type: 'ArchiveReview', reviewId, at, by: 'op' }, [requested()], 'still_running'],
  ['that is archived', { type: 'ArchiveReview', reviewId, at, by: 'op' }, [...completed(), archived], 'already_archived'],
  ['restored though it is not archived', { type: 'RestoreReview', reviewId, at, by: 'op' }, completed(), 'not_archived'],
])(`${verifies('REV-28')} archiving a review %s has an answer of its own`, (_, command, events, code) => {
  expect(given(...events).when(command)).toBe(code);
});

test.each<[string, ReviewCommand]>([
  ['push', request(c3)],
  ['forced re-run', request(a1, { forced: true })],
  ['dismissal', { type: 'DismissFinding', reviewId, at, finding: '1a', by: kim, content: 'c', comment: null }],
  ['dropped request', { type: 'DropRequest', reviewId, at, code: 'draft', head: a1, by: null, coordinates, change: openChange }],
])(`${verifies('REV-28')} a %s on an archived review starts nothing`, (_, command) => {
  expect(given(...completed(), archived).when(command)).toBe('archived');
});

test(`${verifies('REV-28')} an archived review notes a close without a notice, gives the first question one, and no other`, () => {
  const change = { ...openChange, state: 'closed' as const };
  expect(types(given(...completed(), archived).when({ type: 'NoteChange', reviewId, at, change }))).toEqual(['ChangeNoted']);
  const first = given(...completed(), archived).when(noteQuestion);
  expect(types(first)).toEqual(['AnswerGranted']);
  expect(first).toMatchObject([{ kind: 'archived_notice', comment: 'c1', turn: 1 }]);
  expect(given(...completed(), archived, ...(first as ReviewEvent[])).when(noteQuestion)).toBe('archived');
  expect(given(...completed()).when(noteQuestion)).toEqual([]);
});

test(`${verifies('REV-28')} a restored review takes up where it was`, () => {
  expect(types(given(...completed(), archived, { type: 'ReviewRestored', reviewId, at, by: 'op' }).when(request(b2)))).toEqual(['RoundRequested']);
});

test(`${verifies('REV-8', 'REV-9')} what the intake turned away leaves a line, on a new review too`, () => {
  expect(given().when({ type: 'DropRequest', reviewId, at, code: 'author_not_listed', head: a1, by: '9', coordinates, change: openChange })).toEqual([
    { type: 'RequestDropped', reviewId, at, code: 'author_not_listed', head: a1, by: '9', coordinates, change: openChange },
  ]);
});

test(`${verifies('REV-5', 'REV-27')} /review on a change that nobody has heard of is its round 1; one that is closed leaves a line with its place`, () => {
  const command = (change: ChangeCard): ReviewCommand => request(a1, { cause: 'command', forced: true, change });
  expect(given().when(command(openChange))).toMatchObject([{ type: 'RoundRequested', round: 1, cause: 'command', forced: true, previousHead: null }]);
  const closed = { ...openChange, state: 'closed' } as const;
  expect(given().when(command(closed))).toMatchObject([{ type: 'RequestDropped', code: 'change_not_open', coordinates, change: closed }]);
  const dropped = { type: 'RequestDropped', reviewId, at, code: 'draft', head: a1, by: '7', coordinates, change: openChange } as const;
  expect(given(dropped).when(command(openChange))).toMatchObject([{ type: 'RoundRequested', round: 1 }]);
});

test('every refusal has a sentence, a status and an attention rule', () => {
  for (const row of Object.values(REVIEW_REFUSALS)) {
    expect(row.sentence).toMatch(/^[A-Z].+\.$/);
    expect([403, 404, 409, 429]).toContain(row.status);
    expect(row.attention === null || row.attention.length > 0).toBe(true);
  }
});

const anyEvent = fc.constantFrom<ReviewEvent>(
  requested(),
  requested(b2, 2),
  ...completed(),
  ...completed(b2, 2),
  { type: 'RoundSuperseded', ...aimed(), by: b2 },
  { type: 'RoundCancelled', ...aimed(b2, 2), because: 'closed' },
  { type: 'RoundRetried', ...aimed(a1, 1, 2), failure: 'FORGE_UNAVAILABLE', sentence: 's', delaySeconds: 1 },
  archived,
  { type: 'ReviewRestored', reviewId, at, by: 'op' },
  { type: 'FindingDismissed', reviewId, at, finding: '1a', by: kim, content: 'c' },
  { type: 'ThreadSettled', reviewId, at, finding: '9z', resolved: true, by: kim },
);

test(`${verifies('REV-2')} evolve takes any events in any order, and decide answers`, () => {
  fc.assert(
    fc.property(fc.array(anyEvent, { maxLength: 20 }), events => {
      for (const event of events) ReviewEvent.parse(event);
      const state = stateAfter(...events);
      const outcome = reviewLifecycle.decide(request(c3), state);
      expect(['accepted', 'refused']).toContain(outcome.kind);
      if (state.phase === 'reviewing') expect(outcome).toMatchObject({ events: [{ type: 'RoundSuperseded' }, { type: 'RoundRequested' }] });
    }),
  );
});

test('the coordinates of the first request stay with the round that a worker starts', () => {
  const [, next] = given(requested()).when({ type: 'SupersedeRound', ...aimed(), current: b2 }) as ReviewEvent[];
  expect(next).toMatchObject({ coordinates });
});
