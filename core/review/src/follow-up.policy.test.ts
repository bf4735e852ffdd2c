import type { ReviewEvent, ReviewFinding, ReviewReport, ReviewVerdict } from '@weir/contract';
import { verifies } from '@weir/requirements';
import { expect, test } from 'vitest';
import { EMPTY_LEDGER, type FindingRow, foldFindings, openBaseline, settledByPeople } from './finding-ledger.ts';
import { followRenames, followUp, reconcileBy, settleVerdicts, type VerdictFacts } from './follow-up.policy.ts';
import { a1, aimed, at, b2, completed, finding, kim, recorded, requested, reviewId, thread, upTo } from './given.fixture.ts';

const ledgerOf = (...events: readonly ReviewEvent[]) => events.reduce(foldFindings, EMPTY_LEDGER);
const ids = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id);
const open = (more: Partial<FindingRow> = {}): FindingRow => ({
  ...finding('1a'),
  round: 1,
  status: 'open',
  posted: true,
  thread: thread('t1'),
  threadResolved: null,
  settledBy: null,
  dismissedBy: null,
  added: null,
  verdicts: [],
  ...more,
});
const settle = (verdict: 'resolved' | 'still_open' | 'acknowledged' | 'superseded' | 'unchanged', row: FindingRow, more: Partial<VerdictFacts> = {}) =>
  settleVerdicts({ open: [row], answers: [{ finding: row.id, verdict, reason: 'because' }], touched: new Set([row.path]), canResolve: true, ...more })[0];

function secondRound(verdict: ReviewVerdict, posted = true): readonly ReviewEvent[] {
  const answers = [{ finding: '1a', reply: 'r1', resolved: true }];
  const post: ReviewEvent = { type: 'RoundPosted', ...aimed(b2, 2), findings: [{ finding: '2a', thread: thread('t2') }], answers, summary: 's1' };
  const judged = recorded(b2, 2, { findings: [finding('2a')], verdicts: [{ finding: '1a', verdict }] });
  return [...completed(), requested(b2, 2), ...upTo('generating', b2, 2), judged, ...(posted ? [post] : [])];
}

test(`${verifies('REV-21')} earlier findings are asked about with the compare diff, after a force-push with the whole one, and not at all when none is open`, () => {
  expect(reconcileBy([open()], { previousHead: a1, mergeBase: a1 })).toBe('compare');
  expect(reconcileBy([open()], { previousHead: a1, mergeBase: b2 })).toBe('whole');
  expect(reconcileBy([open()], { previousHead: a1, mergeBase: null })).toBe('whole');
  expect(reconcileBy([], { previousHead: a1, mergeBase: a1 })).toBe('none');
  expect(reconcileBy([open()], { previousHead: null, mergeBase: null })).toBe('none');
});

test.each(['resolved', 'acknowledged', 'superseded'] as const)(`${verifies('REV-22')} %s replies and resolves`, verdict => {
  expect(settle(verdict, open())).toMatchObject({ verdict, reply: true, resolve: true });
});

test(`${verifies('REV-22')} a thread that a person resolved stays silent; one that Weir resolved gets its reply`, () => {
  expect(settle('resolved', open({ threadResolved: true, settledBy: kim }))).toMatchObject({ reply: false, resolve: false });
  expect(settle('resolved', open({ threadResolved: true }))).toMatchObject({ reply: true, resolve: false });
});

test(`${verifies('REV-22')} where a forge resolves nothing, the reply says it; a finding without a thread has neither`, () => {
  expect(settle('resolved', open(), { canResolve: false })).toMatchObject({ reply: true, resolve: false });
  expect(settle('resolved', open({ thread: null }))).toMatchObject({ verdict: 'resolved', reply: false, resolve: false });
});

test(`${verifies('REV-22')} still_open replies and never resolves; on an untouched path it is unchanged and silent`, () => {
  expect(settle('still_open', open())).toMatchObject({ verdict: 'still_open', reply: true, resolve: false });
  expect(settle('still_open', open(), { touched: new Set(['other.ts']) })).toMatchObject({ verdict: 'unchanged', reply: false });
  expect(settle('still_open', open(), { touched: null })).toMatchObject({ verdict: 'still_open', reply: true });
});

test(`${verifies('REV-22')} unchanged is silent; no answer is unchanged; an answer about another finding is ignored; the first one counts`, () => {
  expect(settle('unchanged', open())).toMatchObject({ reply: false, resolve: false });
  const answers = [
    { finding: '9z', verdict: 'resolved', reason: '' },
    { finding: '1b', verdict: 'still_open', reason: '' },
    { finding: '1b', verdict: 'resolved', reason: '' },
  ] as const;
  const steps = settleVerdicts({ open: [open(), open({ id: '1b' })], answers, touched: null, canResolve: true });
  expect(steps.map(({ finding: id, verdict }) => [id, verdict])).toEqual([
    ['1a', 'unchanged'],
    ['1b', 'still_open'],
  ]);
});

const found = (more: Partial<ReviewFinding> = {}): ReviewFinding => ({
  ...finding('2a', { fingerprint: 'ff'.repeat(16) }),
  title: 'T',
  message: '',
  quote: null,
  evidence: [],
  suggestion: null,
  sources: ['correctness'],
  placement: { kind: 'line', side: 'new', line: 42, endLine: 42, hunk: 0, moved: false },
  ...more,
});
const report = (findings: readonly ReviewFinding[]): ReviewReport => ({
  schemaVersion: 1,
  weir: '0',
  at,
  change: { kind: 'range', base: null, head: null, files: 1, addedLines: 1, removedLines: 0 },
  headline: 'old',
  complete: true,
  findings,
  coverage: [{ path: 'src/ledger.ts', reading: 'full', reason: null, byRule: false }],
  specialists: [],
  model: { state: 'ran', model: 'm', usage: { calls: 1, inputTokens: 1, outputTokens: 1 }, failure: null, note: '' },
  notes: [],
});

test.each([
  ['the same fingerprint, wherever it moved', { fingerprint: 'f-1a', line: 400, endLine: 400, rule: 'x/y' }, true],
  ['the same rule on the same lines', {}, true],
  ['the same rule elsewhere', { line: 50, endLine: 50 }, false],
  ['another rule on the same lines', { rule: 'security/key' }, false],
  ['the other side', { side: 'old' as const }, false],
])(`${verifies('REV-23')} a new finding with %s is tracked: %s`, (_, more, tracked) => {
  const result = followUp(report([found(more)]), [open()], []);
  expect(result.tracked).toEqual(tracked ? [{ found: '2a', by: '1a' }] : []);
  expect(ids(result.report.findings)).toEqual(tracked ? [] : ['2a']);
});

test(`${verifies('REV-23')} a finding that was closed in this round tracks nothing, and the headline counts what is open`, () => {
  const steps = settleVerdicts({ open: [open()], answers: [{ finding: '1a', verdict: 'resolved', reason: '' }], touched: null, canResolve: true });
  expect(ids(followUp(report([found()]), [open()], steps).report.findings)).toEqual(['2a']);
  expect(followUp(report([]), [open()], steps).report.headline).toContain('No finding');
  expect(followUp(report([found({ line: 90, endLine: 90 })]), [open()], []).report.headline).toBe('Not ready: 2 major.');
});

test(`${verifies('REV-23')} what people have settled is not posted again while its code is the same, and is counted`, () => {
  const same = { ...found(), fingerprint: open().fingerprint };
  const dismissed = { ...open({ line: 400, endLine: 400 }), status: 'dismissed' as const };
  const again = followUp(report([same]), [], [], [dismissed]);
  expect([ids(again.report.findings), again.tracked, again.stillOpen]).toEqual([[], [{ found: '2a', by: '1a' }], []]);
  expect(again.report.headline).toContain('No finding');
  const other = followUp(report([{ ...same, fingerprint: 'of other code' }]), [], [], [open()]);
  expect([ids(other.report.findings), other.tracked]).toEqual([['2a'], []]);
  const steps = settleVerdicts({ open: [open()], answers: [{ finding: '1a', verdict: 'acknowledged', reason: '' }], touched: null, canResolve: true });
  expect(ids(followUp(report([found()]), [open()], steps).report.findings)).toEqual([]);
});

test(`${verifies('REV-23')} settled is what a person has dismissed or acknowledged, and nothing that is open or gone`, () => {
  const dismissed: ReviewEvent = { type: 'FindingDismissed', reviewId, at, finding: '1a', by: kim, content: 'c' };
  expect(ids(settledByPeople(ledgerOf(...completed(), dismissed)))).toEqual(['1a']);
  for (const [verdict, settled] of [
    ['acknowledged', ['1a']],
    ['resolved', []],
    ['superseded', []],
    ['still_open', []],
  ] as const)
    expect([verdict, ids(settledByPeople(ledgerOf(...secondRound(verdict))))]).toEqual([verdict, settled]);
});

test(`${verifies('REV-24')} findings follow the renames of their files`, () => {
  expect(followRenames([open(), open({ path: 'b.ts' })], [{ from: 'src/ledger.ts', to: 'src/book.ts' }]).map(({ path }) => path)).toEqual([
    'src/book.ts',
    'b.ts',
  ]);
});

test(`${verifies('REV-24')} the baseline is what every round left open, each with its own thread, oldest first`, () => {
  const baseline = openBaseline(ledgerOf(...secondRound('still_open')));
  expect(baseline.map(({ id, thread: at }) => [id, at?.id])).toEqual([
    ['1a', 't1'],
    ['2a', 't2'],
  ]);
  expect(ids(openBaseline(ledgerOf(...secondRound('resolved'))))).toEqual(['2a']);
});

test(`${verifies('REV-24')} order is that of arrival: round 10 comes after round 9`, () => {
  const rows = openBaseline(ledgerOf(...completed(a1, 9), ...completed(b2, 10)));
  expect(ids(rows)).toEqual(['9a', '10a']);
});

test(`${verifies('REV-25')} a resolved verdict stays in the row; one that was never posted changes nothing`, () => {
  expect(ledgerOf(...secondRound('resolved')).rows['1a']).toMatchObject({
    status: 'resolved',
    threadResolved: true,
    verdicts: [{ round: 2, verdict: 'resolved' }],
  });
  const lost = ledgerOf(...secondRound('resolved', false), { type: 'RoundSuperseded', ...aimed(b2, 2), by: a1 });
  expect(ids(openBaseline(lost))).toEqual(['1a']);
  expect(lost.rows['2a']).toBeUndefined();
});

test(`${verifies('REV-9', 'REV-25')} what was only observed is a row and no baseline`, () => {
  const ledger = ledgerOf(requested(a1, 1, { observe: true }), recorded(a1, 1), { type: 'RoundObserved', ...aimed() });
  expect(ledger.rows['1a']).toMatchObject({ posted: false, status: 'open' });
  expect(openBaseline(ledger)).toEqual([]);
});

test(`${verifies('REV-9', 'REV-22')} the verdict of a round that observes is kept and closes nothing, since nobody was told`, () => {
  const judged = recorded(b2, 2, { findings: [], verdicts: [{ finding: '1a', verdict: 'resolved' }] });
  const ledger = ledgerOf(...completed(), requested(b2, 2, { observe: true }), judged, { type: 'RoundObserved', ...aimed(b2, 2) });
  expect(ledger.rows['1a']).toMatchObject({ status: 'open', verdicts: [{ round: 2, verdict: 'resolved' }] });
});

test('a dismissed finding is out of the baseline and keeps who dismissed it', () => {
  const ledger = ledgerOf(...completed(), { type: 'FindingDismissed', reviewId, at, finding: '1a', by: kim, content: 'c' });
  expect(openBaseline(ledger)).toEqual([]);
  expect(ledger.rows['1a']).toMatchObject({ status: 'dismissed', dismissedBy: kim });
});
