import { renderInline, renderSummary } from '@weir/comment';
import type { ReviewFinding, Severity } from '@weir/contract';
import { parseDiff } from '@weir/diff';
import { verifies } from '@weir/requirements';
import { expect, test } from 'vitest';
import { adoptComments, type StandingComment, standingRemark, standingReply, standingSummary } from './adopt-comments.policy.ts';
import { checkConclusion } from './check-conclusion.policy.ts';
import { finding, reviewId, thread } from './given.fixture.ts';
import { DEFAULT_PLACEMENT, placeComments, type PlacementRules } from './place-comments.policy.ts';
import { planPosting, type PostingFacts } from './plan-posting.policy.ts';

const files = parseDiff(`diff --git a/src/old.ts b/src/new.ts
similarity index 90%
rename from src/old.ts
rename to src/new.ts
--- a/src/old.ts
+++ b/src/new.ts
@@ -8,4 +8,5 @@
 eight
-nine
+nine changed
+ten
 eleven
 twelve
`);
const rules: PlacementRules = { ...DEFAULT_PLACEMENT, multiLine: true };
const at = (line: number, endLine = line, more: Partial<ReviewFinding> = {}): ReviewFinding => ({
  ...finding('1a'),
  path: 'src/new.ts',
  line,
  endLine,
  fingerprint: 'ff'.repeat(16),
  title: 'T',
  message: '',
  quote: null,
  evidence: [],
  suggestion: null,
  sources: ['correctness'],
  placement: { kind: 'line', side: 'new', line, endLine, hunk: 0, moved: false },
  ...more,
});
const summaryPlaced = { kind: 'summary', reason: 'line 900 is not in the diff' } as const;

test(`${verifies('REV-17')} an anchor has both numbers and both paths; start equal to end is one line`, () => {
  expect(placeComments([at(11)], files, rules).inline[0]?.anchor).toEqual({
    path: 'src/new.ts',
    previousPath: 'src/old.ts',
    side: 'new',
    line: 11,
    startLine: null,
    oldLine: 10,
    newLine: 11,
  });
  expect(placeComments([at(9)], files, rules).inline[0]?.anchor).toMatchObject({ oldLine: null, newLine: 9 });
});

test(`${verifies('REV-17', 'REV-18a')} a range stands on its last line, from its first where the forge takes several`, () => {
  expect(placeComments([at(9, 10)], files, rules).inline[0]?.anchor).toMatchObject({ line: 10, startLine: 9 });
  expect(placeComments([at(9, 10)], files, { ...rules, multiLine: false }).inline[0]?.anchor).toMatchObject({ line: 10, startLine: null });
});

test(`${verifies('REV-17', 'REV-18a')} one bad anchor is listed with its reason and costs the others nothing`, () => {
  const lost = at(900, 900, { id: '1b' });
  const { inline, listed } = placeComments([at(9), lost, at(9, 9, { id: '1c', placement: summaryPlaced })], files, rules);
  expect(inline.map(({ finding: { id } }) => id)).toEqual(['1a']);
  expect(listed.map(({ finding: { id }, reason }) => [id, reason])).toEqual([
    ['1b', 'its line is not in the diff'],
    ['1c', 'line 900 is not in the diff'],
  ]);
});

test(`${verifies('REV-18a')} the noise budget goes to the worst; the rest is listed, none dropped`, () => {
  const many = (['note', 'minor', 'major', 'blocker', 'minor'] as const).map((severity, index) => at(9, 9, { id: `1${'abcde'[index]}`, severity }));
  const { inline, listed } = placeComments(many, files, { ...rules, maxInline: 2 });
  expect(inline.map(({ finding: { id } }) => id)).toEqual(['1d', '1c']);
  expect(listed).toHaveLength(3);
});

test(`${verifies('REV-18a')} the operator's routes hold, but a security finding is never hidden`, () => {
  const routes = { ...rules.routes, minor: 'dashboard' as const };
  const { kept, listed } = placeComments([at(9, 9, { severity: 'minor' }), at(9, 9, { id: '1b', severity: 'minor', category: 'security' })], files, {
    ...rules,
    routes,
  });
  expect(kept.map(({ id }) => id)).toEqual(['1a']);
  expect(listed.map(({ finding: { id } }) => id)).toEqual(['1b']);
});

const clean: PostingFacts = {
  reviewId,
  round: 1,
  complete: true,
  placed: { inline: [], listed: [], kept: [] },
  steps: [],
  stillOpen: 0,
  hadSummary: false,
  notes: 0,
};

test(`${verifies('REV-19')} a clean, wholly read first round posts its check alone`, () => {
  expect(planPosting(clean)).toEqual([{ call: 'check', key: `${reviewId}/1/check`, findings: [] }]);
});

test.each<[string, Partial<PostingFacts>]>([
  ['a partial reading', { complete: false }],
  ['something cut', { notes: 1 }],
  ['a summary that stands', { hadSummary: true }],
  ['an earlier finding that is open', { stillOpen: 1 }],
])(`${verifies('REV-19', 'REV-14')} %s needs the summary`, (_, more) => {
  expect(planPosting({ ...clean, ...more }).map(({ call }) => call)).toEqual(['summary', 'check']);
});

test(`${verifies('REV-18', 'REV-22')} one claim a call, each with its key and findings; reply and resolve apart`, () => {
  const placed = placeComments([at(9, 9, { id: '2a' }), at(9, 9, { id: '2b', placement: summaryPlaced })], files, rules);
  const steps = [
    { finding: '1a', verdict: 'resolved', reason: '', reply: true, resolve: true },
    { finding: '1b', verdict: 'unchanged', reason: '', reply: false, resolve: false },
  ] as const;
  const plan = planPosting({ ...clean, round: 2, placed, steps });
  expect(plan.map(({ key, findings }) => [key.slice(reviewId.length), findings])).toEqual([
    ['/2/review', ['2a']],
    ['/2/reply/1a', ['1a']],
    ['/2/resolve/1a', ['1a']],
    ['/2/summary', ['2b']],
    ['/2/check', []],
  ]);
});

const dialect = { fold: true, hidden_marker: true, suggestion: 'block', max_body: 65_536, task_list: true, multi_line: true, change_sign: '#' } as const;
const shown = { ...dialect, fold: false, hidden_marker: false };
const by = { reviewId, account: '99', round: 1 };
const [fingerprint, another] = ['ab'.repeat(32), 'cd'.repeat(32)];
const wanted = { finding: '1a', fingerprint, path: 'src/ledger.ts', line: 42 };
const texts = { severity: 'major', title: 'T', message: '', evidence: [], suggestion: null, moved: null, whole: null } as const;
const body = (id = '1a', form: typeof dialect | typeof shown = dialect, review = reviewId, print = fingerprint) =>
  renderInline({ ...texts, reviewId: review, round: 1, id, fingerprint: print }, form).body;
const comment = (more: Partial<StandingComment> = {}): StandingComment => ({ id: 'c1', author: '99', body: body(), thread: thread('t1'), ...more });

test.each<[string, StandingComment]>([
  ['by its hidden mark', comment()],
  ['by its shown mark', comment({ body: body('1a', shown) })],
  ['by author, place and id where the mark was edited away', comment({ body: body().split('\n').slice(1).join('\n') })],
])(`${verifies('REV-18')} after a crash a comment is adopted %s`, (_, standing) => {
  expect(adoptComments([wanted], [standing], by)).toEqual({ adopted: [{ finding: '1a', comment: standing }], missing: [] });
});

test.each<[string, StandingComment]>([
  ['of somebody who copied the mark', comment({ author: '7' })],
  ['of another review', comment({ body: body('1a', dialect, 'cd'.repeat(16)) })],
  ['of another finding on the same lines', comment({ body: body('1b') })],
  ['of an earlier attempt that gave the id to another remark', comment({ body: body('1a', dialect, reviewId, another) })],
  ['without a mark at another place', comment({ body: 'see `1a`', thread: { ...thread('t1'), line: 43 } })],
])(`${verifies('REV-18')} a comment %s is not adopted`, (_, standing) => {
  expect(adoptComments([wanted], [standing], by)).toEqual({ adopted: [], missing: ['1a'] });
});

test(`${verifies('REV-18', 'REV-23')} the same remark of another round is known by its fingerprint, in Weir's own comments alone`, () => {
  const standing = comment({ body: body('2c') });
  expect(standingRemark(fingerprint, [comment({ author: '7' }), standing], { ...by, round: 3 })).toBe(standing);
  expect(standingRemark(another, [standing], by)).toBeUndefined();
});

test(`${verifies('REV-18')} a mark without a fingerprint, of an older version, is known by its id`, () => {
  const older = comment({ body: body().replace(` ${fingerprint.slice(0, 32)} -->`, ' -->') });
  expect(adoptComments([wanted], [older], by).adopted).toHaveLength(1);
});

test(`${verifies('REV-18')} a reply is known by its round and finding`, () => {
  const reply = comment({ body: `<!-- weir:1 reply ${reviewId.slice(0, 16)} 1 1a -->\nx` });
  expect(standingReply('1a', [comment(), reply], by)).toBe(reply);
  expect(standingReply('1a', [reply], { ...by, round: 2 })).toBeUndefined();
});

test(`${verifies('REV-19')} the summary is found by its id, else by its mark; edited away, there is none`, () => {
  const facts = {
    reviewId,
    round: 1,
    head: 'abcdef0',
    headline: 'H',
    open: [],
    closed: [],
    delta: null,
    reading: 'R',
    unread: [],
    notes: [],
    cost: null,
    page: null,
    attended: true,
    tasks: [],
  };
  const summary = (id: string) => comment({ id, thread: null, body: renderSummary(facts, dialect).body });
  const [first, second] = [summary('s1'), summary('s2')];
  expect(standingSummary('s1', [first, second], by)).toBe(first);
  expect(standingSummary(null, [first, second], by)).toBe(second);
  expect(standingSummary('s1', [{ ...first, body: 'mine now' }], by)).toBeUndefined();
  expect(standingSummary('s1', [comment()], by)).toBeUndefined();
});

test.each<[readonly Severity[], boolean, Severity | null, string, string]>([
  [[], true, null, 'success', 'success'],
  [['blocker'], true, null, 'neutral', 'success'],
  [['blocker'], true, 'blocker', 'failure', 'failure'],
  [['major'], true, 'blocker', 'neutral', 'success'],
  [['note'], true, 'note', 'failure', 'failure'],
  [[], false, null, 'neutral', 'success'],
  [[], false, 'blocker', 'neutral', 'error'],
])(`${verifies('REV-19', 'PRO-2')} open %j, whole %s, blocking on %s: %s, %s`, (open, complete, blockOn, conclusion, state) => {
  const answer = checkConclusion(open, complete, { blockOn });
  expect(answer).toMatchObject({ conclusion, state });
  expect(answer.blockedBy === null).toBe(complete && conclusion !== 'failure');
});
