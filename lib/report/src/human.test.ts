import { verifies } from '@weir/requirements';
import { expect, test } from 'vitest';
import { finding, report } from '../fixtures/sample-report.ts';
import { widthOf } from './display-width.ts';
import { renderHuman } from './human.ts';
import { renderFinding } from './human-finding.ts';

const plain = { colour: false, width: 80, verbose: false } as const;
const file = (path: string, reading: 'full' | 'partial' | 'skipped', reason: string | null = null, byRule = false) => ({ path, reading, reason, byRule });

test(`${verifies('REV-20a')} a review at 80 columns`, () => {
  expect(renderHuman(report(), plain)).toBe(`\
  ⛔ blocker  src/settlement/ledger.ts:42  Ledger posts outside the transac…  3a
  ▲ major     src/settlement/retry.ts:17   Retry has no ceiling               2c
Not ready: 1 blocker, 1 major.
Read: 18 of 18 files, whole.
No model is configured: only the deterministic specialists ran.
next: weir show 3a · weir review --format sarif > review.sarif
`);
});

test(`${verifies('REV-20a')} at 120 columns nothing is cut`, () => {
  expect(
    renderHuman(report(), { ...plain, width: 120 })
      .split('\n')
      .slice(0, 2),
  ).toEqual([
    '  ⛔ blocker  src/settlement/ledger.ts:42  Ledger posts outside the transaction  3a',
    '  ▲ major     src/settlement/retry.ts:17   Retry has no ceiling                  2c',
  ]);
});

test(`${verifies('REV-20a')} colour is plain ANSI around the words and only when asked for`, () => {
  const coloured = renderHuman(report(), { ...plain, width: 120, colour: true });
  expect(coloured.split('\n').slice(0, 3)).toEqual([
    '  \u001b[1;31m⛔ blocker\u001b[0m  src/settlement/ledger.ts:42  Ledger posts outside the transaction  \u001b[1m3a\u001b[0m',
    '  \u001b[33m▲ major\u001b[0m     src/settlement/retry.ts:17   Retry has no ceiling                  \u001b[1m2c\u001b[0m',
    '\u001b[1mNot ready: 1 blocker, 1 major.\u001b[0m',
  ]);
  expect(renderHuman(report(), plain)).not.toContain('\u001b');
});

test(`${verifies('REV-20a')} a long path loses its middle and keeps its name and line`, () => {
  const path = 'packages/settlement/infrastructure/persistence/src/main/very/deep/ledger-repository.ts';
  const [line] = renderHuman(report({ findings: [finding({ path, line: 1234, placement: { kind: 'file', reason: 'x' } })] }), plain).split('\n');
  expect(line).toBe('  ▲ major     packages/sett…/ledger-repository.ts:1234  Retry has no ceiling  2c');
  expect(widthOf(line ?? '')).toBe(80);
});

test(`${verifies('REV-20a')} wide characters take two cells, marks none`, () => {
  const findings = [
    finding({ id: '1a', title: '決済が取引の外で記帳される' }),
    finding({ id: '1b', title: 'Ame\u0301lie 👩‍💻 broke it' }),
    finding({ id: '1c', title: 'plain' }),
  ];
  const lines = renderHuman(report({ findings }), { ...plain, width: 120 })
    .split('\n')
    .slice(0, 3);
  expect(new Set(lines.map(line => widthOf(line)))).toEqual(new Set([widthOf(lines[0] ?? '')]));
  expect(lines[2]).toBe('  ▲ major     src/settlement/retry.ts:17  plain                       1c');
});

test(`${verifies('PRO-2', 'REV-16b')} below full coverage the text says what was not read and never that the change is clean`, () => {
  const coverage = [
    file('a.ts', 'full'),
    file('b.ts', 'partial', 'larger than the budget'),
    file('c.ts', 'skipped', 'the diff is cut'),
    file('d.png', 'skipped', 'binary', true),
    file('e.png', 'skipped', 'binary', true),
  ];
  const text = renderHuman(report({ findings: [], headline: 'Not read whole: 2 files.', complete: false, coverage }), plain);
  expect(text).toBe(`\
Not read whole: 2 files.
Read: 1 of 5 files, whole. In part: 1. Not read: 1. Left out by rule: 2 (binary: 2).
  not read: c.ts: the diff is cut
  in part: b.ts: larger than the budget
No model is configured: only the deterministic specialists ran.
`);
  expect(text).not.toMatch(/no issues|no findings|clean|looks good/i);
});

test(`${verifies('REV-14')} unread files are named up to a bound and counted beyond it; verbose names all`, () => {
  const coverage = Array.from({ length: 25 }, (_, index) => file(`f${index}.ts`, 'skipped', 'too large'));
  const few = renderHuman(report({ findings: [], coverage }), plain).split('\n');
  expect(few.filter(line => line.startsWith('  not read: '))).toHaveLength(10);
  expect(few).toContain('  and 15 more; --verbose names them');
  const all = renderHuman(report({ findings: [], coverage }), { ...plain, verbose: true }).split('\n');
  expect(all.filter(line => line.startsWith('  not read: '))).toHaveLength(25);
});

test(`${verifies('PRO-2')} an unknown number of tokens is called unknown, failures and notes are shown`, () => {
  const text = renderHuman(
    report({
      findings: [],
      coverage: [],
      specialists: [{ key: 'secrets', failure: 'it ran out of time', findings: 0 }],
      model: {
        state: 'ran',
        model: 'm',
        usage: { calls: 2, inputTokens: 40_000, outputTokens: 'unknown' },
        failure: null,
        note: 'The model m reviewed 18 files.',
      },
      notes: ['3 imported findings were dropped.'],
    }),
    plain,
  );
  expect(text).toContain('Read: nothing; the change has no files.\n');
  expect(text).toContain('Failed: secrets: it ran out of time\n');
  expect(text).toContain('The model m reviewed 18 files. 2 calls, an unknown number of tokens.\n');
  const usage = { calls: 1, inputTokens: 'unknown', outputTokens: 3 } as const;
  expect(renderHuman(report({ model: { state: 'ran', model: 'm', usage, failure: null, note: 'Done.' } }), plain)).toContain(
    'Done. 1 call, an unknown number of tokens.\n',
  );
  const known = { calls: 1, inputTokens: 41_000, outputTokens: 903 };
  expect(renderHuman(report({ model: { state: 'ran', model: 'm', usage: known, failure: null, note: 'Done.' } }), plain)).toContain(
    'Done. 1 call, 41,903 tokens.\n',
  );
  expect(text).toContain('note: 3 imported findings were dropped.\n');
});

const HOSTILE = 'a\u001b[2J\u001b]0;x\u0007\r\nb\u009b31m\u202e\u2028::set-env ##[add-mask]x ##vso[task]y';
// biome-ignore format: one line
const FORBIDDEN = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2028\u2029\u2066-\u2069]|##\[|##vso\[/;

test(`${verifies('REV-20a')} text that a stranger wrote moves no cursor, breaks no line and commands no build log`, () => {
  const hostile = finding({
    path: HOSTILE,
    title: HOSTILE,
    message: `::error::x\n${HOSTILE}`,
    quote: HOSTILE,
    suggestion: HOSTILE,
    evidence: [{ path: HOSTILE, line: 1, note: HOSTILE }],
    sources: [HOSTILE],
    placement: { kind: 'summary', reason: HOSTILE },
  });
  const changed = report({ findings: [hostile], headline: HOSTILE, notes: [HOSTILE], coverage: [file(HOSTILE, 'skipped', HOSTILE)] });
  const list = renderHuman(changed, plain);
  const shown = renderFinding(changed, hostile, plain);
  expect(list).not.toMatch(FORBIDDEN);
  expect(shown).not.toMatch(FORBIDDEN);
  expect(list.split('\n')).toHaveLength(8);
  expect(shown).not.toMatch(/^\s*::/m);
  expect(shown).toContain('a\\x1b[2J');
});

test(`${verifies('REV-20a')} bytes of a path that are no UTF-8 are shown as bytes`, () => {
  expect(renderHuman(report({ findings: [finding({ path: 'caf\udce9.ts' })] }), plain)).toContain('caf\\xe9.ts:17');
});

test(`${verifies('REV-20a', 'PRO-6')} one finding with all that is known of it`, () => {
  const moved = finding({ placement: { kind: 'line', side: 'new', line: 20, endLine: 21, hunk: 0, moved: true } });
  expect(renderFinding(report(), moved, plain)).toBe(`\
▲ major  Retry has no ceiling
src/settlement/retry.ts:20-21 · 2c
major: it will fail for some user or some input, or weakens a protection, and has to be fixed soon

A refused payment is sent again for ever.

Code:
  | while (true) {
  |   send();

Evidence:
  src/settlement/retry.ts:17  the loop

Suggestion for lines 20-21:
  - while (true) {
  -   send();
  + for (let i = 0; i < 3; i++) {
  +   send();

Rule: correctness/retry (correctness)
Reported by: correctness
Placed: moved from line 17 to line 20, where the quoted code stands.
Fingerprint: 0123456789abcdef0123456789abcdef
Review: 2026-11-30T18:00:00.000Z
`);
});

test(`${verifies('REV-20a')} a suggestion shows as removed only a quote of as many lines as it replaces`, () => {
  const shown = renderFinding(report(), finding({ quote: 'while (true) {', suggestion: 'stop();' }), plain);
  expect(shown).toContain('Suggestion for lines 17-18:\n  + stop();\n');
  expect(renderFinding(report(), finding({ quote: null, suggestion: '' }), plain)).toContain('Suggestion for lines 17-18:\n  (the lines go)\n');
});

test(`${verifies('REV-20a')} an old line and a whole file are named as such`, () => {
  const old = finding({ side: 'old', placement: { kind: 'line', side: 'old', line: 3, endLine: 3, hunk: 0, moved: false } });
  const whole = finding({ id: '2d', line: 0, endLine: 0, placement: { kind: 'file', reason: 'the file is binary' } });
  const text = renderHuman(report({ findings: [old, whole] }), { ...plain, width: 120 });
  expect(text).toContain('src/settlement/retry.ts:3 (old)  ');
  expect(text).toContain('src/settlement/retry.ts          ');
  expect(renderFinding(report(), whole, plain)).toContain('src/settlement/retry.ts (the whole file) · 2d\n');
  expect(renderFinding(report(), whole, plain)).toContain('Placed: on the file: the file is binary\n');
});

test(`${verifies('REV-20a')} a model that failed comes with what to do next`, () => {
  const failed = {
    state: 'failed',
    model: 'm',
    usage: { calls: 1, inputTokens: 0, outputTokens: 0 },
    failure: 'MODEL_REJECTED',
    note: 'The model read nothing: bad key.',
  } as const;
  expect(renderHuman(report({ model: failed }), plain)).toContain(
    'The model read nothing: bad key. 1 call, 0 tokens.\ntry: Check `model.key` and `model.name`',
  );
  expect(renderHuman(report(), plain)).not.toContain('try:');
});
