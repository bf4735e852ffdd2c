import type { Finding, ModelOutcome } from '@weir/contract';
import { parseDiff } from '@weir/diff';
import { verifies } from '@weir/requirements';
import { describe, expect, test } from 'vitest';
import { concludeReview, exitCodeOf, letters, type RoundFacts } from './conclude-review.policy.ts';

const diff = `diff --git a/src/a.ts b/src/a.ts
index 1111111..2222222 100644
--- a/src/a.ts
+++ b/src/a.ts
@@ -1,4 +1,5 @@
 first
-second
+second changed
+key = "AKIA…"
 third
 fourth
@@ -20,3 +21,3 @@
 twenty
-twenty one
+twenty one changed
 twenty two
diff --git a/logo.png b/logo.png
index 1111111..2222222 100644
Binary files a/logo.png and b/logo.png differ
`;
const notAsked: ModelOutcome = {
  state: 'not_configured',
  model: null,
  usage: { calls: 0, inputTokens: 0, outputTokens: 0 },
  failure: null,
  note: 'No model is configured.',
};

const finding = (over: Partial<Finding>): Finding => ({
  rule: 'secrets/aws-access-key-id',
  path: 'src/a.ts',
  side: 'new',
  line: 3,
  endLine: 3,
  severity: 'blocker',
  category: 'security',
  title: 'A key is committed',
  message: 'm',
  quote: null,
  evidence: [],
  suggestion: null,
  ...over,
});

const facts = (over: Partial<RoundFacts> = {}): RoundFacts => ({
  weir: '0.1.0',
  at: '2026-01-01T00:00:00.000Z',
  round: 1,
  change: { kind: 'diff', base: null, head: null, addedLines: 3, removedLines: 2 },
  files: parseDiff(diff),
  ignored: new Map(),
  findings: [],
  imported: [],
  lost: [],
  partial: [],
  specialists: [{ key: 'secrets', failure: null, findings: 0 }],
  model: { outcome: notAsked, coverage: [] },
  rules: [{ id: 'secrets/aws-access-key-id', equivalent: ['gitleaks/aws*', 'correctness/security'] }],
  maxFindings: 100,
  notes: [],
  ...over,
});

/** Not a good hash, but a function of its text; 32 hex digits. */
const hash = (text: string): string => {
  let a = 7n;
  for (const unit of text) a = (a * 1_000_003n + BigInt(unit.codePointAt(0) ?? 0)) % 2n ** 128n;
  return a.toString(16).padStart(32, '0');
};
const conclude = (over: Partial<RoundFacts> = {}) => concludeReview(facts(over), hash);
const from = (source: string, over: Partial<Finding> = {}) => ({ source, finding: finding(over) });

describe('placing', () => {
  test(`${verifies('REV-17')} a finding on the diff stays on its line`, () => {
    expect(conclude({ findings: [from('secrets')] }).findings[0]?.placement).toEqual({ kind: 'line', side: 'new', line: 3, endLine: 3, hunk: 0, moved: false });
  });

  test(`${verifies('REV-17')} a finding off the diff moves to the changed line that its quote names, marked`, () => {
    const off = from('correctness', { rule: 'correctness/correctness', line: 400, endLine: 400, quote: 'twenty one changed' });
    expect(conclude({ findings: [off] }).findings[0]?.placement).toEqual({ kind: 'line', side: 'new', line: 22, endLine: 22, hunk: 1, moved: true });
  });

  test(`${verifies('REV-17')} without a telling quote it goes to the file's list, and off the change to the summary's; none is dropped`, () => {
    const report = conclude({
      findings: [from('correctness', { line: 400, endLine: 401 }), from('correctness', { path: 'other.ts' }), from('correctness', { line: 0, endLine: 0 })],
    });
    expect(report.findings.map(({ placement }) => placement.kind).sort()).toEqual(['file', 'file', 'summary']);
  });
});

describe('merging', () => {
  test(`${verifies('SPEC-7')} two sources on one matter and overlapping lines become one finding that names both`, () => {
    const report = conclude({
      findings: [
        from('secrets'),
        from('gitleaks', { rule: 'gitleaks/aws-access-token', severity: 'major' }),
        from('correctness', { rule: 'correctness/security', line: 2, endLine: 4 }),
      ],
    });
    expect(report.findings).toHaveLength(1);
    expect(report.findings[0]).toMatchObject({ rule: 'secrets/aws-access-key-id', severity: 'blocker', sources: ['correctness', 'gitleaks', 'secrets'] });
  });

  test(`${verifies('SPEC-7')} another matter on the same line stays its own, and so does the same matter elsewhere`, () => {
    const report = conclude({
      findings: [
        from('secrets'),
        from('correctness', { rule: 'correctness/performance' }),
        from('gitleaks', { rule: 'gitleaks/aws-access-token', line: 22, endLine: 22 }),
      ],
    });
    expect(report.findings).toHaveLength(3);
  });

  test('two findings of one source with one rule on overlapping lines stay two', () => {
    expect(
      conclude({ findings: [from('correctness', { title: 'one', rule: 'correctness/data' }), from('correctness', { title: 'two', rule: 'correctness/data' })] })
        .findings,
    ).toHaveLength(2);
    expect(conclude({ findings: [from('secrets'), from('secrets')] }).findings).toHaveLength(1);
  });
});

test('one line may hold two findings of one rule that say different things', () => {
  expect(conclude({ findings: [from('migrations', { message: 'drops a' }), from('migrations', { message: 'drops b' })] }).findings).toHaveLength(2);
});

test('50,000 findings on one file are merged by their lines, not pair by pair', () => {
  const lines = 25_000;
  const text = `--- a/x.ts\n+++ b/x.ts\n@@ -0,0 +1,${lines} @@\n${'+x\n'.repeat(lines)}`;
  const each = Array.from({ length: lines }, (_, at) => ({ path: 'x.ts', line: at + 1, endLine: at + 1 }));
  const findings = each.flatMap(place => [from('secrets', place), from('gitleaks', { ...place, rule: 'gitleaks/aws-access-token' })]);
  const report = conclude({ files: parseDiff(text), findings, maxFindings: 100_000 });
  expect(report.findings).toHaveLength(lines);
  expect(report.findings.every(each => each.sources.length === 2)).toBe(true);
});

describe('fingerprints', () => {
  const printsOf = (text: string, line: number): readonly string[] =>
    concludeReview(facts({ files: parseDiff(text), findings: [from('secrets', { line, endLine: line })] }), hash).findings.map(each => each.fingerprint);

  test('survive moved lines', () => {
    const moved = diff.replace('@@ -1,4 +1,5 @@', '@@ -101,4 +101,5 @@');
    expect(printsOf(moved, 103)).toEqual(printsOf(diff, 3));
    expect(printsOf(diff, 2)).not.toEqual(printsOf(diff, 3));
  });

  test('differ between equal lines of one file', () => {
    const same = [from('secrets', { quote: 'AKIA…' }), from('secrets', { quote: 'AKIA…', line: 22, endLine: 22 })];
    const [a, b] = conclude({ findings: same }).findings.map(each => each.fingerprint);
    expect(a).not.toBe(b);
  });
});

describe('coverage and headline', () => {
  test(`${verifies('REV-16b', 'PRO-2')} every file is exactly one of full, partial, skipped`, () => {
    const report = conclude();
    expect(report.coverage).toEqual([
      { path: 'src/a.ts', reading: 'full', reason: null, byRule: false },
      { path: 'logo.png', reading: 'skipped', reason: 'binary', byRule: true },
    ]);
    expect(report).toMatchObject({ complete: true, headline: 'No finding: 1 of 2 files read whole.' });
  });

  test(`${verifies('REV-14', 'PRO-2')} what was not read is counted, and nothing says that there is no issue`, () => {
    const report = conclude({ partial: [{ path: 'src/a.ts', reason: 'the workflow is not whole' }] });
    expect(report).toMatchObject({ complete: false, headline: 'No finding in what was read. Incomplete: 1 file read in part.' });
    expect(exitCodeOf(report, 'blocker')).toBe(6);
    const cut = conclude({ files: parseDiff(diff.slice(0, 180)) });
    expect(cut.complete).toBe(false);
    expect(cut.headline).toContain('Incomplete');
  });

  test(`${verifies('REV-16a', 'PRO-2')} a cut answer of the model is never clean`, () => {
    const model = { outcome: { ...notAsked, state: 'truncated' as const, note: 'cut' }, coverage: [] };
    const report = conclude({ model });
    expect(report.complete).toBe(false);
    expect(exitCodeOf(report, 'blocker')).toBe(6);
  });

  test(`${verifies('PRO-2')} a file that the model did not read is partial, with the reason`, () => {
    const coverage = [{ path: 'src/a.ts', reading: 'skipped' as const, reason: 'over the budget', byRule: false }];
    const report = conclude({ model: { outcome: { ...notAsked, state: 'ran' }, coverage } });
    expect(report.coverage[0]).toEqual({ path: 'src/a.ts', reading: 'partial', reason: 'the model read it not at all: over the budget', byRule: false });
  });

  test(`${verifies('REV-20d')} findings on files that a rule leaves out are left out with them`, () => {
    const report = conclude({ ignored: new Map([['src/a.ts', 'excluded by review.exclude']]), findings: [from('secrets')] });
    expect(report).toMatchObject({ findings: [], headline: 'Nothing to read: 2 files left out by rule.', complete: true });
  });

  test(`${verifies('REV-14')} findings over the limit are counted`, () => {
    const report = conclude({ maxFindings: 1, findings: [from('secrets'), from('secrets', { line: 22, endLine: 22 })] });
    expect(report.findings).toHaveLength(1);
    expect(report.notes).toEqual(['1 more findings are not listed: review.maxFindings is 1.']);
  });
});

test(`${verifies('REV-20a')} exit codes: findings first, then a failed model, then an incomplete reading`, () => {
  const minor = conclude({ findings: [from('secrets', { severity: 'minor' })] });
  expect(exitCodeOf(minor, 'blocker')).toBe(0);
  expect(exitCodeOf(minor, 'minor')).toBe(1);
  expect(exitCodeOf(conclude({ findings: [from('secrets')] }), 'never')).toBe(0);
  const failed = { outcome: { ...notAsked, state: 'failed' as const, note: 'unreachable' }, coverage: [] };
  expect(exitCodeOf(conclude({ model: failed }), 'blocker')).toBe(5);
  const rejected = { outcome: { ...failed.outcome, failure: 'MODEL_REJECTED' as const }, coverage: [] };
  expect(exitCodeOf(conclude({ model: rejected }), 'blocker')).toBe(3);
  expect(exitCodeOf(conclude({ model: failed, findings: [from('secrets')] }), 'blocker')).toBe(1);
});

test('ids run a to z, then aa', () => {
  expect([0, 25, 26, 27, 701, 702].map(letters)).toEqual(['a', 'z', 'aa', 'ab', 'zz', 'aaa']);
});

describe('what a review may not hide', () => {
  test(`${verifies('PRO-2')} a file with the name of a text file that the diff calls binary makes the review incomplete`, () => {
    const files = parseDiff('diff --git a/x.js b/x.js\nindex 1..2 100644\nBinary files a/x.js and b/x.js differ\n');
    expect(conclude({ files })).toMatchObject({ complete: false, coverage: [{ path: 'x.js', reading: 'skipped', byRule: false }] });
  });

  test(`${verifies('PRO-2')} with no check and no model nothing was read`, () => {
    const report = conclude({ specialists: [] });
    expect(report).toMatchObject({ complete: false, headline: 'No finding in what was read. Incomplete: 1 file not read.' });
  });

  test(`${verifies('PRO-2')} what could not be made part of the change makes it incomplete`, () => {
    expect(conclude({ lost: ['git could not read a/b'] })).toMatchObject({ complete: false, notes: ['git could not read a/b'] });
  });

  test(`${verifies('REV-14')} the headline counts findings that are not listed`, () => {
    expect(conclude({ maxFindings: 1, findings: [from('secrets'), from('secrets', { line: 22, endLine: 22 })] }).headline).toBe('Not ready: 2 blockers.');
  });

  test('a line with a secret is quoted by no other finding', () => {
    const rules = [{ id: 'secrets/aws-access-key-id', equivalent: [], secret: true }];
    const report = conclude({
      rules,
      findings: [
        from('secrets', { quote: 'AKIA…EF' }),
        from('leftovers', { rule: 'leftovers/x', quote: 'key = "AKIA0123"; debugger;', suggestion: 'key = "AKIA0123";' }),
      ],
    });
    expect(report.findings.map(({ rule, quote, suggestion }) => ({ rule, quote, suggestion }))).toEqual([
      { rule: 'secrets/aws-access-key-id', quote: 'AKIA…EF', suggestion: null },
      { rule: 'leftovers/x', quote: null, suggestion: null },
    ]);
  });

  test(`${verifies('REV-20b')} imported findings are filtered to the diff, and each left out is counted`, () => {
    const tool = (over: Partial<Finding>) => from('lint', { rule: 'lint/x', severity: 'minor', ...over });
    const imported = [
      tool({ line: 3, endLine: 3 }),
      tool({ line: 0, endLine: 0 }),
      tool({ line: 900, endLine: 900 }),
      tool({ path: 'other.ts' }),
      tool({ path: 'logo.png', line: 0, endLine: 0 }),
    ];
    const report = conclude({ imported, ignored: new Map([['logo.png', 'excluded']]) });
    expect(report.findings).toHaveLength(2);
    expect(report.notes).toEqual([
      '1 imported finding is on files that are left out by rule; left out.',
      '1 imported finding is not on files of this change; left out.',
      '1 imported finding is not on lines of this change; left out.',
    ]);
  });
});
