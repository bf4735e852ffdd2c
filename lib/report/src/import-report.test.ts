import { Finding } from '@weir/contract';
import { AppError } from '@weir/kernel';
import { verifies } from '@weir/requirements';
import { expect, test } from 'vitest';
import { finding, report } from '../fixtures/sample-report.ts';
import { MAX_IMPORTED_FINDINGS } from './import-batch.ts';
import { importReport, MAX_IMPORT_CHARS } from './import-report.ts';
import { field, MAX_JSON_DEPTH } from './json-reader.ts';
import { renderRdjson } from './rdjson.ts';
import { renderSarif } from './sarif.ts';

const read = (value: unknown, root: string | null = null) => importReport(typeof value === 'string' ? value : JSON.stringify(value), 'in.json', { root });

const location = (uri: string, region: object = { startLine: 5 }, more: object = {}) => ({ physicalLocation: { artifactLocation: { uri, ...more }, region } });
const result = (change: object = {}) => ({ ruleId: 'no-var', message: { text: 'Unexpected var.' }, locations: [location('src/a.ts')], ...change });
const sarif = (results: unknown[], run: object = {}) => ({ version: '2.1.0', runs: [{ tool: { driver: { name: 'ESLint', rules: [] } }, results, ...run }] });

/** What a finding keeps through formats that know three levels. */
const essence = ({ path, line, endLine, severity, suggestion }: Finding) => ({
  path,
  line,
  endLine,
  severity: severity === 'blocker' ? 'major' : severity,
  suggestion,
});
const sample = [
  finding(),
  finding({ severity: 'minor', suggestion: '' }),
  finding({ severity: 'note', line: 0, endLine: 0, suggestion: null, placement: { kind: 'file', reason: 'x' } }),
  finding({ severity: 'blocker', path: 'a dir/ü#%20.ts' }),
];

test(`${verifies('REV-20b')} our own SARIF comes back with the same places, severities, categories and rules`, () => {
  const back = read(renderSarif(report({ findings: sample }), { rules: [] }));
  expect(back.findings.map(({ path, line, endLine, severity, suggestion }) => ({ path, line, endLine, severity, suggestion }))).toEqual(
    sample.map(({ path, line, endLine, severity, suggestion }) => ({ path, line, endLine, severity, suggestion })),
  );
  expect(back.findings[0]).toMatchObject({ rule: 'correctness/retry', category: 'correctness', title: 'Retry has no ceiling' });
  expect(back).toMatchObject({ tools: ['correctness'], dropped: [] });
});

test(`${verifies('REV-20a', 'REV-20b')} our own rdjson comes back with the same places, suggestions and severity classes`, () => {
  const back = read(renderRdjson(report({ findings: sample })));
  expect(back.findings.map(essence)).toEqual(sample.map(essence));
  expect(back.findings[0]?.rule).toBe('correctness/retry');
});

test(`${verifies('REV-20a')} an rdjson diagnostic`, () => {
  const { source, diagnostics } = JSON.parse(renderRdjson(report({ findings: [finding()] }))) as { source: object; diagnostics: object[] };
  expect(source).toEqual({ name: 'weir' });
  expect(diagnostics).toEqual([
    {
      message: 'Retry has no ceiling. A refused payment is sent again for ever.',
      location: { path: 'src/settlement/retry.ts', range: { start: { line: 17 }, end: { line: 18 } } },
      severity: 'ERROR',
      source: { name: 'correctness' },
      code: { value: 'correctness/retry' },
      suggestions: [{ range: { start: { line: 17 }, end: { line: 18 } }, text: 'for (let i = 0; i < 3; i++) {\n  send();' }],
      original_output: 'src/settlement/retry.ts:17: major: Retry has no ceiling (correctness/retry)',
    },
  ]);
});

test(`${verifies('REV-20b')} a SARIF result becomes a finding`, () => {
  expect(read(sarif([result()]))).toEqual({
    findings: [
      {
        rule: 'eslint/no-var',
        path: 'src/a.ts',
        side: 'new',
        line: 5,
        endLine: 5,
        severity: 'minor',
        category: null,
        title: 'Unexpected var',
        message: '',
        quote: null,
        evidence: [],
        suggestion: null,
      },
    ],
    tools: ['eslint'],
    dropped: [],
  });
});

test(`${verifies('REV-20b')} SARIF: several runs, rules by index and from extensions, default levels, security scores, stored messages`, () => {
  const driver = {
    name: 'CodeQL',
    rules: [
      { id: 'js/x', defaultConfiguration: { level: 'error' }, messageStrings: { m: { text: 'Value {0} from {{here}}.' } } },
      { id: 'js/sqli', properties: { 'security-severity': '8.8', tags: ['security', 'external/cwe'] } },
    ],
  };
  const extension = { name: 'pack', rules: [{ id: 'ext/y', defaultConfiguration: { level: 'note' } }] };
  const log = {
    version: '2.1.0',
    runs: [
      {
        tool: { driver, extensions: [extension] },
        results: [
          { ruleIndex: 0, message: { id: 'm', arguments: ['q'] }, locations: [location('a.js')] },
          { ruleId: 'js/sqli/1', level: 'warning', message: { text: 'Query. Built from input.' }, locations: [location('a.js')] },
          { rule: { index: 0, toolComponent: { index: 0 } }, message: { text: 'Y' }, locations: [location('a.js')] },
        ],
      },
      { tool: { driver: { name: 'Other Tool!' } }, results: [result({ level: 'error' })] },
    ],
  };
  const { findings, tools } = read(log);
  expect(findings.map(({ rule, severity, category, title }) => [rule, severity, category, title])).toEqual([
    ['codeql/js/x', 'major', null, 'Value q from {here}'],
    ['codeql/js/sqli/1', 'major', 'security', 'Query'],
    ['codeql/ext/y', 'note', null, 'Y'],
    ['other-tool/no-var', 'major', null, 'Unexpected var'],
  ]);
  expect(tools).toEqual(['codeql', 'other-tool']);
});

test(`${verifies('REV-20b', 'REV-14')} SARIF: what is no finding is counted by reason`, () => {
  const { findings, dropped } = read(
    sarif([
      result({ suppressions: [{ kind: 'inSource' }] }),
      result({ suppressions: [{ kind: 'external', status: 'rejected' }] }),
      result({ kind: 'pass' }),
      result({ baselineState: 'absent' }),
      result({ locations: [] }),
      result({ message: {} }),
      7,
    ]),
  );
  expect(findings).toHaveLength(1);
  expect(dropped).toEqual([
    { reason: 'it is suppressed in the report', count: 1 },
    { reason: 'it is not a problem (it passed or does not apply)', count: 1 },
    { reason: 'it is absent from the newer of two compared runs', count: 1 },
    { reason: 'it names no file', count: 1 },
    { reason: 'it has no message', count: 1 },
    { reason: 'it is not an entry of the format', count: 1 },
  ]);
});

test(`${verifies('REV-20b')} SARIF: addresses come out relative to the repository or not at all`, () => {
  const bases = {
    '%SRCROOT%': { uri: 'file:///somewhere/else/' },
    SUB: { uri: 'packages/x/', uriBaseId: '%SRCROOT%' },
    ABS: { uri: 'file:///repo/lib/' },
    A: { uri: 'a/', uriBaseId: 'B' },
    B: { uri: 'b/', uriBaseId: 'A' },
  };
  const cases: readonly (readonly [uri: string, base: string | undefined, path: string | null])[] = [
    ['src/a.ts', undefined, 'src/a.ts'],
    ['./src//a%20b.ts', '%SRCROOT%', 'src/a b.ts'],
    ['m.ts', 'SUB', 'packages/x/m.ts'],
    ['m.ts', 'ABS', 'lib/m.ts'],
    ['file:///repo/src/%C3%BC.ts', undefined, 'src/ü.ts'],
    ['file:/repo/src/a.ts', undefined, 'src/a.ts'],
    ['file://localhost/repo/a.ts', undefined, 'a.ts'],
    ['/repo/src/caf%E9.ts', undefined, 'src/caf\udce9.ts'],
    ['file:///repository/a.ts', undefined, null],
    ['/etc/passwd', undefined, null],
    ['../../etc/passwd', undefined, null],
    ['src/%2e%2e/%2e%2e/x', undefined, null],
    ['/repo/../etc/passwd', undefined, null],
    ['https://example.org/a.ts', undefined, null],
    ['.', undefined, null],
    ['a%00b', undefined, null],
  ];
  for (const [uri, base, path] of cases) {
    const more = base === undefined ? {} : { uriBaseId: base };
    const { findings, dropped } = read(sarif([result({ locations: [location(uri, {}, more)] })], { originalUriBaseIds: bases }), '/repo');
    expect(findings[0]?.path ?? null, uri).toBe(path);
    expect(dropped.length, uri).toBe(path === null ? 1 : 0);
  }
  const circle = read(sarif([result({ locations: [location('c.ts', {}, { uriBaseId: 'A' })] })], { originalUriBaseIds: bases }));
  expect(circle.findings[0]?.path).toBe('b/a/b/a/b/a/b/a/c.ts');
  expect(
    read(sarif([result({ locations: [{ physicalLocation: { artifactLocation: { index: 0 } } }] })], { artifacts: [{ location: { uri: 'z.ts' } }] }))
      .findings[0],
  ).toMatchObject({
    path: 'z.ts',
    line: 0,
  });
});

test(`${verifies('REV-20b')} Windows paths are read against a Windows root`, () => {
  const xml =
    '<checkstyle><file name="c:\\repo\\src\\a.ts"><error line="3" message="M"/></file><file name="src\\b.ts"><error message="M"/></file></checkstyle>';
  expect(importReport(xml, 'x', { root: 'C:\\repo' }).findings.map(({ path, line }) => [path, line])).toEqual([
    ['src/a.ts', 3],
    ['src/b.ts', 0],
  ]);
  expect(read(sarif([result({ locations: [location('file:///C:/repo/src/a.ts')] })]), 'C:\\repo').findings[0]?.path).toBe('src/a.ts');
});

test(`${verifies('REV-20b')} SARIF: an end column of 1 is the end of the line before; only a fix of the whole lines is a suggestion`, () => {
  const fix = (deletedRegion: object, uri = 'src/a.ts') => [
    { artifactChanges: [{ artifactLocation: { uri }, replacements: [{ deletedRegion, insertedContent: { text: 'let a;\n' } }] }] },
  ];
  const { findings } = read(
    sarif([
      result({
        locations: [location('src/a.ts', { startLine: 5, endLine: 6, endColumn: 1 })],
        fixes: fix({ startLine: 5, startColumn: 1, endLine: 6, endColumn: 1 }),
      }),
      result({ fixes: fix({ startLine: 5, startColumn: 3 }) }),
      result({ fixes: fix({ startLine: 6 }) }),
      result({ fixes: fix({ startLine: 5 }, 'src/b.ts') }),
    ]),
  );
  expect(findings.map(({ line, endLine, suggestion }) => [line, endLine, suggestion])).toEqual([
    [5, 5, 'let a;'],
    [5, 5, null],
    [5, 5, null],
    [5, 5, null],
  ]);
});

test(`${verifies('REV-20b')} checkstyle: sources name tool and rule, entities are read, ignored errors are counted`, () => {
  const xml = `\ufeff<?xml version="1.0" encoding="utf-8"?>
<!-- <error/> -->
<checkstyle version='4.3'>
  <file name="src/a.js">
    <error line="3" column="1" severity="error" message="Use &lt;b&gt; &amp; &quot;c&quot; &#x2603;&#33; It is better." source="eslint.rules.no-var" />
    <error line="4" severity="warning" message="Javadoc" source="com.puppycrawl.tools.checkstyle.checks.javadoc.JavadocMethodCheck"/>
    <error line="x" severity="info" message="W" source="standard:no-wildcard"></error>
    <error severity="ignore" message="I"/>
  </file>
  <file name="../up.js"><error line="1" message="M"/></file>
</checkstyle>`;
  expect(importReport(xml, 'c.xml', { root: null })).toMatchObject({
    findings: [
      { rule: 'eslint/no-var', path: 'src/a.js', line: 3, severity: 'major', title: 'Use <b> & "c" ☃!', message: 'Use <b> & "c" ☃! It is better.' },
      { rule: 'checkstyle/javadocmethodcheck', line: 4, severity: 'minor', title: 'Javadoc', message: '' },
      { rule: 'checkstyle/standard:no-wildcard', line: 0, severity: 'note' },
    ],
    tools: ['checkstyle', 'eslint'],
    dropped: [
      { reason: 'its severity is ignore', count: 1 },
      { reason: 'its file is outside of the repository', count: 1 },
    ],
  });
});

test(`${verifies('REV-20b')} rdjson and rdjsonl: severities, ranges with an exclusive end, sources`, () => {
  const diagnostic = (range: object, change: object = {}) => ({
    message: 'M',
    location: { path: 'a.ts', range },
    suggestions: [{ range, text: 'x\n' }],
    ...change,
  });
  const diagnostics = [
    diagnostic({ start: { line: 2 } }, { severity: 'ERROR', code: { value: 'E1' } }),
    diagnostic({ start: { line: 2 }, end: { line: 3 } }, { severity: 3 }),
    diagnostic({ start: { line: 2, column: 1 }, end: { line: 4, column: 1 } }),
    diagnostic({ start: { line: 2, column: 2 }, end: { line: 2, column: 5 } }, { source: { name: 'vale' } }),
  ];
  const expected = [
    [2, 2, 'major', 'x'],
    [2, 3, 'note', 'x'],
    [2, 3, 'minor', 'x'],
    [2, 2, 'minor', null],
  ];
  const shape = ({ line, endLine, severity, suggestion }: Finding) => [line, endLine, severity, suggestion];
  const whole = read({ source: { name: 'Super Lint' }, severity: 'WARNING', diagnostics });
  expect(whole.findings.map(shape)).toEqual(expected);
  expect(whole.findings.map(({ rule }) => rule)).toEqual(['super-lint/e1', 'super-lint/unnamed', 'super-lint/unnamed', 'vale/unnamed']);
  const lines = read(`${diagnostics.map(entry => JSON.stringify(entry)).join('\n')}\n\n{"cut\n`);
  expect(lines.findings.map(shape)).toEqual(expected);
  expect(lines.dropped).toEqual([{ reason: 'it is not an entry of the format', count: 1 }]);
  expect(read(diagnostics[0]).findings).toHaveLength(1);
});

test(`${verifies('REV-20b', 'REV-14')} beyond the limit of findings the rest is counted`, { timeout: 60_000 }, () => {
  const diagnostics = Array.from({ length: MAX_IMPORTED_FINDINGS + 3 }, () => ({ message: 'M', location: { path: 'a' } }));
  const { findings, dropped } = read({ diagnostics });
  expect(findings).toHaveLength(MAX_IMPORTED_FINDINGS);
  expect(dropped).toEqual([{ reason: 'the limit of imported findings is reached', count: 3 }]);
});

test(`${verifies('REV-20b')} inherited names are no fields`, () => {
  expect([field({}, 'toString'), field({}, '__proto__'), field([], 'length'), field(null, 'x')]).toEqual([undefined, undefined, undefined, undefined]);
});

/** The failure that an import names. */
function failure(text: string): AppError {
  try {
    importReport(text, 'report.txt', { root: null });
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('The import went through.');
}

test(`${verifies('REV-20b')} what is no report is refused with a sentence`, { timeout: 60_000 }, () => {
  const refused: readonly (readonly [text: string, says: RegExp])[] = [
    ['', /^report\.txt is empty\.$/],
    [' \n', /is empty/],
    ['hello', /^report\.txt is not SARIF, checkstyle or rdjson\.$/],
    ['{}', /is not SARIF/],
    ['null', /is not SARIF/],
    ['[1]', /is not SARIF/],
    ['{"version":"2.0.0","runs":[]}', /not version 2\.1\.0/],
    ['<a/>', /not a checkstyle report/],
    ['<?xml version="1.0"?>', /without an element/],
    ['<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><checkstyle>&b;</checkstyle>', /document type/],
    ['<checkstyle><file name="&evil;"/></checkstyle>', /entity/],
    ['<checkstyle><file name="a & b"/></checkstyle>', /ampersand/],
    ['<checkstyle><file name="a"></checkstyle>', /closes nothing/],
    ['<checkstyle>', /never closed/],
    ['<checkstyle><file name="a', /does not end/],
    ['<checkstyle><!-- ', /does not end/],
    ['<checkstyle a="1" a="2"/>', /may not stand there/],
    [`<checkstyle>${'<a>'.repeat(100_000)}`, /deeper than 50/],
    [`<checkstyle ${Array.from({ length: 60 }, (_, index) => `a${index}="1"`).join(' ')}/>`, /may not stand there/],
    [`${'['.repeat(1_000_000)}`, /deeper than 100/],
    [`{"runs":${'['.repeat(MAX_JSON_DEPTH)}${']'.repeat(MAX_JSON_DEPTH)}}`, /deeper than 100/],
  ];
  for (const [text, says] of refused) {
    const error = failure(text);
    expect(error.message, text.slice(0, 60)).toMatch(says);
    expect(error.code).toBe('IMPORT_INVALID');
  }
  expect(failure(' '.repeat(MAX_IMPORT_CHARS + 1)).code).toBe('INPUT_TOO_LARGE');
});

test(`${verifies('REV-20b')} every imported finding fits the contract, however strange its names are`, () => {
  const names = ['', '/', '---', 'É É', '../x', 'a/b/c', 'a'.repeat(10_000), '_x', '🙂', '__proto__', 'constructor'];
  const results = names.map(name => result({ ruleId: name }));
  const { findings } = read({ version: '2.1.0', runs: names.map(name => ({ tool: { driver: { name } }, results })) });
  expect(findings).toHaveLength(names.length ** 2);
  for (const entry of findings) expect(Finding.safeParse(entry).success, entry.rule).toBe(true);
});

test(`${verifies('REV-20b')} SARIF: a message that is a form takes the name of its rule as title`, () => {
  const rules = [{ id: 'DS001', shortDescription: { text: ':latest tag used' } }];
  const form = { ruleId: 'DS001', ruleIndex: 0, message: { text: 'Artifact: Dockerfile\nType: dockerfile\nSeverity: MEDIUM' } };
  const run = { tool: { driver: { name: 'Trivy', rules } } };
  const [asForm, asSentence] = read(sarif([result(form), result({ ...form, message: { text: 'Line one is wrong.\nMore: see below' } })], run)).findings;
  expect(asForm).toMatchObject({ title: ':latest tag used', message: 'Artifact: Dockerfile\nType: dockerfile\nSeverity: MEDIUM' });
  expect(asSentence).toMatchObject({ title: 'Line one is wrong' });
});

test(`${verifies('REV-20b')} SARIF: the code that a rule about secrets quotes is the secret, so it is not taken over`, () => {
  const snippet = { locations: [location('src/a.ts', { startLine: 5, snippet: { text: 'k = "glpat-abc"' } })] };
  const quoteOf = (ruleId: string, text: string) => read(sarif([result({ ...snippet, ruleId, message: { text } })])).findings[0]?.quote;
  expect(quoteOf('aws-access-token', 'found in src/a.ts')).toBeNull();
  expect(quoteOf('generic.detected-github-pat', 'GitHub Personal Access Token detected')).toBeNull();
  expect(quoteOf('no-var', 'Unexpected var.')).toBe('k = "glpat-abc"');
});
