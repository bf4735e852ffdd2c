import { type Dialect, renderInline, renderReply, renderSummary } from '@weir/comment';
import type { ReviewEvent, ReviewVerdict, ThreadRef } from '@weir/contract';
import { verifies } from '@weir/requirements';
import { expect, test } from 'vitest';
import { adoptRounds, type StandingFacts, type StandingThread } from './adopt-rounds.policy.ts';
import { openBaseline } from './finding-ledger.ts';
import { reviewLifecycle } from './review-lifecycle.decider.ts';
import type { ReviewState } from './review-state.ts';

const dialect: Dialect = { fold: true, hidden_marker: true, suggestion: 'block', max_body: 65_536, task_list: true, multi_line: true, change_sign: '#' };
const reviewId = 'ab'.repeat(32);
const [older, current] = ['a'.repeat(40), 'b'.repeat(40)];
const us = '99';

const commentOf = (id: string, body: string, author = us) => ({ id, author, body, thread: null });
const finding = (id: string, more: { readonly round?: number; readonly reviewId?: string; readonly title?: string } = {}): string =>
  renderInline(
    {
      ...{ reviewId, round: 1, id, fingerprint: id.charCodeAt(1).toString(16).repeat(32), severity: 'major', title: `Finding ${id}`, message: 'Told.' },
      ...{ evidence: [], suggestion: null, moved: null, whole: null, ...more },
    },
    dialect,
  ).body;
const reply = (round: number, id: string, verdict: Exclude<ReviewVerdict, 'unchanged'>): string =>
  renderReply({ reviewId, round, finding: id, verdict, commit: current, reason: 'Because.', whole: null }, dialect).body;
const summary = (round: number, head: string, headline = 'Not ready: 1 major.') =>
  commentOf(
    `s${round}`,
    renderSummary(
      {
        ...{ reviewId, round, head, headline, open: [], closed: [], delta: null, reading: 'R', unread: [], notes: [], cost: null, page: null },
        ...{ tasks: [], attended: false },
      },
      dialect,
    ).body,
  );
const ref = (id: string, more: Partial<ThreadRef> = {}): ThreadRef => ({ id, root: id, review: null, path: 'src/app.ts', side: 'new', line: 5, ...more });
const thread = (id: string, bodies: readonly string[], more: Partial<StandingThread> = {}): StandingThread => ({
  ...{ ref: ref(id), resolved: false, comments: bodies.map((body, at) => commentOf(`${id}.${at}`, body)) },
  ...more,
});

const standing = (more: Partial<StandingFacts>): StandingFacts => ({
  ...{ reviewId, at: '2026-01-31T08:00:00.000Z', account: us, head: current, checked: false, comments: [], threads: [] },
  coordinates: { forge: 'f', origin: 'https://forge.example', repositoryId: null, repository: { owner: 'acme', name: 'shop' }, change: 7 },
  change: { number: 7, title: 'A change', url: null, author: null, state: 'open', draft: false },
  contentOf: round => `content/${round}`,
  ...more,
});
const stateAfter = (events: readonly ReviewEvent[]): ReviewState =>
  events.reduce<ReviewState>((state, event) => reviewLifecycle.evolve(state, event), reviewLifecycle.initial);
const adopted = (more: Partial<StandingFacts>) => {
  const rounds = adoptRounds(standing(more));
  const state = stateAfter(rounds.events);
  return { ...rounds, state, rows: state.phase === 'absent' ? [] : Object.values(state.ledger.rows), known: state.phase === 'absent' ? null : state };
};
const statuses = ({ rows }: ReturnType<typeof adopted>) => Object.fromEntries(rows.map(({ id, status }) => [id, status]));

test(`${verifies('REV-20a')} nothing of ours: no round`, () => {
  const strangers = [commentOf('1', 'hello'), { ...summary(1, older), author: '7' }];
  expect(adopted({ comments: strangers, threads: [thread('t', ['hi'])] }).events).toEqual([]);
});

test(`${verifies('REV-20a', 'REV-5')} a summary names the last round and its head, and the same head starts nothing`, () => {
  const { known, state } = adopted({ comments: [summary(3, current)] });
  expect(known).toMatchObject({ phase: 'idle', rounds: 3, previousHead: current, postedRound: 3 });
  const { coordinates, change, at } = standing({});
  const again = reviewLifecycle.decide(
    { type: 'RequestRound', reviewId, at, coordinates, change, head: current, cause: 'opened', by: null, forced: false, observe: false },
    state,
  );
  expect(again).toMatchObject({ kind: 'refused', refusal: { code: 'already_reviewed' } });
});

test(`${verifies('REV-20a', 'REV-5')} a check on the head without a summary is a clean round; on another head it tells nothing`, () => {
  expect(adopted({ checked: true }).known).toMatchObject({ rounds: 1, previousHead: current });
  expect(adopted({ checked: false }).known).toBeNull();
});

test(`${verifies('REV-20a', 'REV-24')} findings of all rounds that ended are open, each with its thread and its text`, () => {
  const { known, findings } = adopted({
    comments: [summary(2, older)],
    threads: [thread('t1', [finding('1a')]), thread('t2', [finding('2a', { round: 2, title: 'Retry <b>' })])],
  });
  expect(known === null ? [] : openBaseline(known.ledger)).toMatchObject([
    { id: '1a', round: 1, status: 'open', posted: true, path: 'src/app.ts', line: 5, severity: 'major', thread: { id: 't1' } },
    { id: '2a', round: 2, thread: { id: 't2' } },
  ]);
  expect(findings.get(2)).toMatchObject([{ title: 'Retry <b>', message: 'Told.', placement: { kind: 'line', line: 5 } }]);
});

test(`${verifies('REV-20a', 'REV-22')} a closing reply closes its finding, wherever the forge shows it, and one that stays open does not`, () => {
  const result = adopted({
    comments: [summary(3, older)],
    threads: [
      thread('t1', [finding('1a'), reply(2, '1a', 'resolved')], { resolved: true }),
      thread('t2', [finding('1b'), reply(2, '1b', 'still_open')]),
      thread('t3', [finding('1c')]),
      thread('t4', [reply(3, '1c', 'superseded')]),
    ],
  });
  expect(statuses(result)).toEqual({ '1a': 'resolved', '1b': 'open', '1c': 'superseded' });
  expect(result.rows.find(({ id }) => id === '1a')).toMatchObject({ threadResolved: true, settledBy: null, verdicts: [{ round: 2, verdict: 'resolved' }] });
});

test(`${verifies('REV-20a', 'REV-22')} a thread that a person resolved is settled by hand, so nothing is said in it again`, () => {
  const { rows } = adopted({ comments: [summary(1, older)], threads: [thread('t1', [finding('1a')], { resolved: true })] });
  expect(rows).toMatchObject([{ status: 'open', threadResolved: true, settledBy: { id: 'unknown' } }]);
});

test(`${verifies('REV-20a', 'REV-18')} comments of a round that did not come to its end are left to the next run`, () => {
  const half = [thread('t1', [finding('1a')]), thread('t2', [finding('2a', { round: 2 })])];
  expect(statuses(adopted({ comments: [summary(1, older)], threads: half }))).toEqual({ '1a': 'open' });
  expect(adopted({ threads: half }).known).toBeNull();
});

test(`${verifies('REV-20a')} marks of others, of another review and of forged comments count for nothing`, () => {
  const forged = { ...thread('t1', [finding('1a')]), comments: [commentOf('1', finding('1a'), '7')] };
  const result = adopted({
    comments: [summary(1, older), { ...summary(9, current), author: '7' }],
    threads: [forged, thread('t2', [finding('1b', { reviewId: 'cd'.repeat(32) })]), thread('t3', [`${finding('1c').split('\n')[0]}\n\nedited away`])],
  });
  expect(result.known).toMatchObject({ rounds: 1, previousHead: older });
  expect(statuses(result)).toEqual({});
});

test(`${verifies('REV-20a')} the first comment of an id counts; a line that left the diff leaves the file`, () => {
  const { rows, findings } = adopted({
    comments: [summary(1, older)],
    threads: [thread('t1', [finding('1a')], { ref: ref('t1', { line: null }) }), thread('t2', [finding('1a')])],
  });
  expect(rows).toMatchObject([{ line: 0, thread: { id: 't1' } }]);
  expect(findings.get(1)).toMatchObject([{ placement: { kind: 'file' } }]);
});

test(`${verifies('REV-20a')} a round that was not read whole is told by its summary`, () => {
  expect(adopted({ comments: [summary(1, older)] }).complete).toBe(true);
  expect(adopted({ comments: [summary(1, older, 'Not ready: 1 major. Incomplete: 1 file not read.')] }).complete).toBe(false);
});

test(`${verifies('REV-20a', 'REV-18')} a summary of this head without its check is a round that did not end; where no check can be seen it did`, () => {
  const unfinished = (checked: boolean | null, head = current) => adopted({ comments: [summary(1, head)], checked }).unfinished;
  expect([unfinished(false), unfinished(true), unfinished(null), unfinished(false, older)]).toEqual([true, false, false, false]);
});
