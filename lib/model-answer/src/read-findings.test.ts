import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { verifies } from '@weir/requirements';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nastyAnswers } from '../fixtures/nasty-answers.ts';
import { readFindings } from './index.ts';

const read = (text: string, finish: 'stop' | 'length' | 'refused' | 'other' | 'unknown' = 'unknown', knownPaths?: readonly string[]) =>
  readFindings(text, { finish, rulePrefix: 'correctness', ...(knownPaths === undefined ? {} : { knownPaths }) });
const one = (fields: Record<string, unknown>, knownPaths?: readonly string[]) =>
  read(JSON.stringify({ findings: [{ path: 'src/a.ts', message: 'm', ...fields }] }), 'stop', knownPaths).findings[0];

for (const { name, text, found, clean, finish } of nastyAnswers) {
  test(`${verifies('REV-16', 'REV-16a')} ${name}`, () => {
    const reading = read(text, finish);
    expect({ found: reading.findings.length, clean: reading.complete }, reading.reason ?? '').toEqual({ found, clean });
    expect(reading.reason === null).toBe(reading.complete);
  });
}

const shared = path.resolve(import.meta.dirname, '../../..', process.env.WEIR_SHARED ?? '../shared', 'fixtures/model-output/cases.json');
if (!existsSync(shared)) console.warn('SKIPPED: the measured model answers; set WEIR_SHARED to the folder that holds fixtures/model-output/cases.json');
test.skipIf(!existsSync(shared))(`${verifies('REV-16', 'REV-16a')} every measured answer gives all its findings, and is called whole only if it may be`, () => {
  const cases = JSON.parse(readFileSync(shared, 'utf8')) as { name: string; output: string; recoverableFindings: number; mayBeClean: boolean }[];
  expect(cases.length).toBeGreaterThan(25);
  for (const { name, output, recoverableFindings, mayBeClean } of cases) {
    const { findings, complete } = read(output);
    expect({ name, found: findings.length, complete }).toEqual({ name, found: recoverableFindings, complete: mayBeClean });
  }
});

const field = fc.string({ unit: 'grapheme', maxLength: 30 });
const item = fc.record({
  path: fc.constantFrom('src/a.ts', 'lib/b c.py', 'é.go'),
  line: fc.nat(500),
  severity: fc.constantFrom('blocker', 'major', 'minor', 'note'),
  message: field.map(text => `m${text}`),
  quote: fc.option(fc.constantFrom('a["b"] = {c}', "it's", 'x /* y */', '```ts\nz\n```', '</think>', 'a // b', '\\d+"')),
});
const answer = fc
  .uniqueArray(item, { maxLength: 4, selector: JSON.stringify })
  .chain(findings => fc.constantFrom(0, 2).map(indent => ({ findings, text: JSON.stringify({ summary: 's', findings }, null, indent) })));

test(`${verifies('REV-16a', 'PRO-2')} an answer cut at any place is never called whole with fewer findings`, () => {
  fc.assert(
    fc.property(answer, fc.constantFrom('', '```json\n', '<think>{"findings":[]}</think>', 'Here, in {x}: '), ({ findings, text }, before) => {
      const whole = `${before}${text}`;
      for (let end = 0; end < whole.length; end += 1) {
        const cut = read(whole.slice(0, end), 'stop');
        if (cut.complete) expect(cut.findings.length).toBe(findings.length);
      }
      expect(read(whole)).toMatchObject({ complete: true, reason: null, dropped: [] });
    }),
    { numRuns: 25 },
  );
});

test(`${verifies('REV-16')} prose around an answer takes nothing away`, () => {
  const prose = fc
    .array(fc.constantFrom('a {', '}', '[x]', '"', "it's ", '`{}` ', 'f("a") ', ': ', '\n', '// ', ']', '{ "k": 1 } ', '${y} ', '```\n'), { maxLength: 8 })
    .map(parts => parts.join(''));
  fc.assert(
    fc.property(answer, prose, prose, ({ findings, text }, before, after) => {
      const reading = read(`${before}\n\n${text}\n\n${after}`);
      expect(reading.findings.length).toBe(findings.length);
    }),
    { numRuns: 200 },
  );
});

test(`${verifies('REV-16')} what a strict parser reads is read the same`, () => {
  fc.assert(
    fc.property(answer, ({ findings, text }) => {
      const reading = read(text);
      expect(reading.complete).toBe(true);
      expect(reading.findings.map(finding => [finding.path, finding.line, finding.severity, finding.message])).toEqual(
        findings.map(finding => [finding.path, finding.line, finding.severity, finding.message.trim()]),
      );
    }),
  );
});

test(`${verifies('REV-16')} no text makes the reader throw`, () => {
  const token = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    '"',
    "'",
    '`',
    ':',
    ',',
    '\\',
    '\n',
    '/*',
    '*/',
    '//',
    '"""',
    '“',
    'findings',
    '"findings":',
    '"path":"a"',
    '"message":"m"',
    '<think>',
    '</think>',
    '+',
    'null',
    '1',
  );
  fc.assert(
    fc.property(fc.array(token, { maxLength: 60 }), tokens => {
      const reading = read(tokens.join(''));
      expect(reading.reason === null).toBe(reading.complete);
    }),
    { numRuns: 1000 },
  );
});

test(`${verifies('REV-16')} lines are read in every spelling`, () => {
  const lines = (fields: Record<string, unknown>) => [one(fields)?.line, one(fields)?.endLine];
  expect(lines({ line: 20 })).toEqual([20, 20]);
  expect(lines({ line: '20' })).toEqual([20, 20]);
  expect(lines({ line: 'L20', endLine: 'L25' })).toEqual([20, 25]);
  expect(lines({ line: 'L20-L25' })).toEqual([20, 25]);
  expect(lines({ lines: '20–25' })).toEqual([20, 25]);
  expect(lines({ line: 'lines 20 to 25' })).toEqual([20, 25]);
  expect(lines({ line: '20:7' })).toEqual([20, 20]);
  expect(lines({ start_line: 20, end_line: 25 })).toEqual([20, 25]);
  expect(lines({ lineStart: 20, lineEnd: '25' })).toEqual([20, 25]);
  expect(lines({ lines: [20, 25] })).toEqual([20, 25]);
  expect(lines({ lines: { start: 20, end: 25 } })).toEqual([20, 25]);
  expect(lines({ line: 25, endLine: 20 })).toEqual([20, 25]);
  expect(lines({ line: 20, endLine: null })).toEqual([20, 20]);
  expect(lines({ line: null })).toEqual([0, 0]);
  expect(lines({})).toEqual([0, 0]);
  expect(lines({ line: -3 })).toEqual([0, 0]);
  expect(lines({ line: 1e300 })).toEqual([0, 0]);
});

test(`${verifies('REV-16')} a path of the change wins over taking prefixes off`, () => {
  const known = ['b/real.ts', 'src/deep/only.ts', 'x/same.ts', 'y/same.ts', 'src/a.ts'];
  const matched = (written: string) => one({ path: written }, known)?.path;
  expect(matched('b/real.ts')).toBe('b/real.ts');
  expect(matched('b/b/real.ts')).toBe('b/real.ts');
  expect(matched('a/src/a.ts')).toBe('src/a.ts');
  expect(matched('./src/a.ts')).toBe('src/a.ts');
  expect(matched('`src/a.ts`')).toBe('src/a.ts');
  expect(matched('src\\a.ts')).toBe('src/a.ts');
  expect(matched('/src/a.ts')).toBe('src/a.ts');
  expect(matched('deep/only.ts')).toBe('src/deep/only.ts');
  expect(matched('same.ts')).toBe('same.ts');
  expect(one({ path: 'b/src/a.ts' })?.path).toBe('src/a.ts');
});

test(`${verifies('REV-16')} severities map by a table, an unknown one is minor, an unknown category is null`, () => {
  const severity = (word: unknown) => one({ severity: word })?.severity;
  expect(['CRITICAL', 'Blocker', 'high', '🔴 HIGH severity', 'Warning', 'medium', 'low', 'Info', 'nit'].map(severity)).toEqual([
    'blocker',
    'blocker',
    'major',
    'major',
    'major',
    'minor',
    'minor',
    'note',
    'note',
  ]);
  expect([severity('spicy'), severity(undefined), severity(null)]).toEqual(['minor', 'minor', 'minor']);
  expect(one({ category: 'Security' })).toMatchObject({ category: 'security', rule: 'correctness/security' });
  expect(one({ category: 'vibes' })).toMatchObject({ category: null, rule: 'correctness/general' });
});

test(`${verifies('REV-16')} parts under other names are found`, () => {
  expect(one({ message: undefined, description: 'First one. Second.' })).toMatchObject({ title: 'First one', message: 'First one. Second.' });
  expect(one({ message: undefined, title: 'Only a title.' })).toMatchObject({ title: 'Only a title', message: 'Only a title.' });
  expect(one({ code: 'x()', suggested_fix: '```ts\ny()\n```' })).toMatchObject({ quote: 'x()', suggestion: 'y()' });
  expect(one({ suggestion: ['a', 'b'] })?.suggestion).toBe('a\nb');
  expect(one({ suggestion: 'none' })?.suggestion).toBeNull();
  expect(one({ side: 'LEFT' })?.side).toBe('old');
  expect(one({ title: 'x'.repeat(500) })?.title.length).toBe(120);
  expect(one({ evidence: [{ path: 'b/src/z.ts', line: '4', note: 'n' }, 'reads it', { note: 'bare' }] })?.evidence).toEqual([
    { path: 'src/z.ts', line: 4, note: 'n' },
    { path: 'src/a.ts', line: null, note: 'reads it' },
    { path: 'src/a.ts', line: null, note: 'bare' },
  ]);
});

test(`${verifies('REV-16a', 'REV-14')} what is lost is listed with its reason and an excerpt, and the cap is named`, () => {
  const reading = readFindings('{"findings":[{"path":"a","message":"m"},{"message":"lost"},{"path":"b","mess', {
    finish: 'length',
    rulePrefix: 'correctness',
    maxOutputTokens: 900,
  });
  expect(reading.findings.map(finding => finding.path)).toEqual(['a']);
  expect(reading.reason).toContain('cap of 900 output tokens');
  expect(reading.dropped).toEqual([
    { reason: 'a finding was dropped: it names no path', excerpt: '{"message":"lost"}' },
    { reason: 'the answer ends inside a finding', excerpt: '{"path":"b","mess' },
  ]);
});

test(`${verifies('REV-16')} text inside strings survives to the letter`, () => {
  const message = 'a\tb\nc \\d+ "q" \'s\' {x} [y] // z /* w */ é 😀';
  expect(one({ message })?.message).toBe(message);
  expect(read('{"findings":[{"path":"a","message":"line one\nline\ttwo \\d+ \\u00e9 \\uZZ"}]}').findings[0]?.message).toBe('line one\nline\ttwo \\d+ é \\uZZ');
});

test(`${verifies('REV-16')} a repeated key keeps its value for the finding that it belongs to, and a list of lines loses none`, () => {
  const { findings } = read('{"findings":[{"severity":"blocker","path":"a","message":"m","severity":"blocker","path":"b","message":"n"}]}');
  expect(findings.map(({ path, severity }) => [path, severity])).toEqual([
    ['a', 'blocker'],
    ['b', 'blocker'],
  ]);
  expect(one({ line: '10, 20, 35' })).toMatchObject({ line: 10, endLine: 35 });
  expect(read('{"findings":[{"path":"a","message":"m","line":"10, 20, x"}]}').complete).toBe(false);
});
