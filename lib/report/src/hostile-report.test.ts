import { CATEGORIES, Finding, ReviewReport, SEVERITIES } from '@weir/contract';
import { AppError } from '@weir/kernel';
import { verifies } from '@weir/requirements';
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import Ajv from 'ajv-draft-04';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import { placeOf, withoutLines } from './finding-place.ts';
import { renderGithub } from './github.ts';
import { renderHuman } from './human.ts';
import { renderFinding } from './human-finding.ts';
import { importReport } from './import-report.ts';
import { renderJson, renderJsonl } from './json.ts';
import { renderRdjson } from './rdjson.ts';
import { renderSarif } from './sarif.ts';

const ajv = new Ajv.default({ strict: false });
addFormats.default(ajv);
const validate = ajv.compile(JSON.parse(readFileSync(path.resolve(import.meta.dirname, '../fixtures/sarif-schema-2.1.0.json'), 'utf8')) as object);

/** Milliseconds for a property test; a bound against hanging, not a claim. */
const SLOW = 60_000;

/** Pieces that have broken renderers before, mixed with any string of UTF-16 units, lone surrogates included. */
const PIECES = ['\u001b[31m', '\r\n', '\n', '::', '##[', '%0A', ',', '](', '\u202e', '\udc80', '\ud800', '決', '👩‍💻', '\0', '../', '{0}', '<', '&', '"', '`'];
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(fc.oneof(fc.constantFrom(...PIECES), fc.string())).map(parts => parts.join('')),
);
const filled = text.map(value => `x${value}`);
const position = fc.tuple(fc.integer({ min: 1, max: 2 ** 31 }), fc.nat({ max: 3 })).map(([line, more]) => ({ line, endLine: line + more }));
const side = fc.constantFrom('new', 'old');

const placement = fc.oneof(
  fc.record({ kind: fc.constant('line'), side, hunk: fc.nat(), moved: fc.boolean() }).chain(fixed => position.map(lines => ({ ...fixed, ...lines }))),
  fc.record({ kind: fc.constantFrom('file', 'summary'), reason: text }),
);
const finding = fc
  .record({
    rule: fc.constantFrom('secrets/aws-key', 'a/b:c', 'x.y/z/1'),
    path: filled,
    side,
    severity: fc.constantFrom(...SEVERITIES),
    category: fc.constantFrom(null, ...CATEGORIES),
    title: filled,
    message: text,
    quote: fc.option(text),
    evidence: fc.array(fc.record({ path: filled, line: fc.option(fc.integer({ min: 1 })), note: text }), { maxLength: 3 }),
    suggestion: fc.option(text),
    id: text.map(value => `1${value}a`),
    fingerprint: fc.constant('0123456789abcdef0123456789abcdef'),
    sources: fc.array(filled, { minLength: 1, maxLength: 2 }),
    placement,
  })
  .chain(fixed => fc.oneof(position, fc.constant({ line: 0, endLine: 0 })).map(lines => ({ ...fixed, ...lines })));
const count = fc.oneof(fc.nat(), fc.constant('unknown'));
const arbitraryReport = fc
  .record({
    schemaVersion: fc.constant(1),
    weir: filled,
    at: text,
    change: fc.record({
      kind: fc.constantFrom('range', 'diff'),
      base: fc.option(text),
      head: fc.option(text),
      files: fc.nat(),
      addedLines: fc.nat(),
      removedLines: fc.nat(),
    }),
    headline: text,
    complete: fc.boolean(),
    findings: fc.array(finding, { maxLength: 5 }),
    coverage: fc.array(fc.record({ path: filled, reading: fc.constantFrom('full', 'partial', 'skipped'), reason: fc.option(text), byRule: fc.boolean() }), {
      maxLength: 5,
    }),
    specialists: fc.array(fc.record({ key: filled, failure: fc.option(text), findings: fc.nat() }), { maxLength: 3 }),
    model: fc.record({
      state: fc.constantFrom('not_configured', 'ran', 'truncated', 'failed'),
      model: fc.option(text),
      usage: fc.record({ calls: fc.nat(), inputTokens: count, outputTokens: count }),
      failure: fc.constantFrom(null, 'MODEL_REJECTED', 'MODEL_TIMEOUT'),
      note: text,
    }),
    notes: fc.array(text, { maxLength: 3 }),
  })
  .map(value => ReviewReport.parse(value));

// The JSON formats escape these; terminals and logs must not see them.
const CURSOR = /(?![\n\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;
const plain = { colour: false, width: 80, verbose: true } as const;

test(`${verifies('REV-20a')} any report becomes SARIF that the published schema accepts, with its fingerprints`, { timeout: SLOW }, () => {
  fc.assert(
    fc.property(arbitraryReport, report => {
      const log = JSON.parse(renderSarif(report, { rules: [] })) as { runs: [{ results: { partialFingerprints: Record<string, string> }[] }] };
      expect(validate(log), JSON.stringify(validate.errors?.slice(0, 2))).toBe(true);
      expect(log.runs[0].results.map(result => result.partialFingerprints['weir/v1'])).toEqual(report.findings.map(entry => entry.fingerprint));
    }),
    { numRuns: 300 },
  );
});

test(`${verifies('REV-20a')} any report is read back from JSON without a loss`, { timeout: SLOW }, () => {
  fc.assert(
    fc.property(arbitraryReport, report => {
      expect(ReviewReport.parse(JSON.parse(renderJson(report)))).toEqual(report);
      expect(renderJsonl(report).split('\n')).toHaveLength(report.findings.length + 2);
    }),
  );
});

test(`${verifies('REV-20a')} no report moves the cursor or starts a command of a build log`, { timeout: SLOW }, () => {
  fc.assert(
    fc.property(arbitraryReport, report => {
      const shown = [renderHuman(report, plain), ...report.findings.map(entry => renderFinding(report, entry, plain))];
      for (const output of shown) {
        expect(output).not.toMatch(CURSOR);
        expect(output).not.toMatch(/^\s*::|##[a-z]*\[/im);
      }
      const lines = renderGithub(report).split(/\r\n|\r|\n/);
      expect(lines).toHaveLength(report.findings.length + 2);
      for (const line of lines.slice(0, -1)) expect(line).toMatch(/^::(error|warning|notice) (?:[a-zA-Z]+=[^:,]*)(?:,[a-zA-Z]+=[^:,]*)*::/);
    }),
    { numRuns: 300 },
  );
});

test(`${verifies('REV-20a', 'REV-20b')} what a report says of places and severities survives SARIF and rdjson`, { timeout: SLOW }, () => {
  const plainPath = fc.array(fc.constantFrom('src', 'ü', 'a b', '決', 'x%20', '#1', 'caf\udce9'), { minLength: 1 }).map(parts => parts.join('/'));
  const placed = fc.tuple(arbitraryReport, fc.array(plainPath, { minLength: 5, maxLength: 5 })).map(([report, paths]) => ({
    ...report,
    findings: report.findings.map((entry, index) => ({ ...entry, path: paths[index] ?? 'x', message: 'Something is wrong', title: 'Title' })),
  }));
  const classes = { blocker: 'major', major: 'major', minor: 'minor', note: 'note' } as const;
  fc.assert(
    fc.property(placed, report => {
      const expected = report.findings.map(entry => {
        const place = placeOf(entry);
        const lines = withoutLines(place) === null ? { line: place.line, endLine: place.endLine } : { line: 0, endLine: 0 };
        return { path: entry.path, ...lines, severity: entry.severity };
      });
      const shape = ({ path, line, endLine, severity }: Finding) => ({ path, line, endLine, severity });
      const read = (output: string) => importReport(output, 'own', { root: null }).findings.map(shape);
      expect(read(renderSarif(report, { rules: [] }))).toEqual(expected);
      expect(read(renderRdjson(report))).toEqual(
        expected.map(entry => ({ ...entry, path: entry.path.replaceAll('\udce9', '\ufffd'), severity: classes[entry.severity] })),
      );
    }),
  );
});

/** An import either gives findings that fit the contract or names its failure. */
function importsSafely(input: string): void {
  try {
    for (const entry of importReport(input, 'in', { root: '/repo' }).findings) {
      expect(Finding.safeParse(entry).success, JSON.stringify(entry)).toBe(true);
      expect(entry.path.split('/')).not.toContain('..');
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
}

/** A value of the right shape where each part may be of a wrong type. */
const spoilt = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<unknown> => fc.oneof({ weight: 6, arbitrary: value }, { weight: 1, arbitrary: fc.jsonValue() });
const record = (shape: Record<string, fc.Arbitrary<unknown>>) =>
  spoilt(fc.record(Object.fromEntries(Object.entries(shape).map(([key, value]) => [key, spoilt(value)])), { requiredKeys: [] }));
const list = (entry: fc.Arbitrary<unknown>) => spoilt(fc.array(entry, { maxLength: 3 }));
const number = fc.oneof(fc.integer(), fc.double(), fc.constantFrom(0, -1, 1e308, 2 ** 53, 1));
const uri = fc.oneof(text, fc.constantFrom('a.ts', '../x', 'file:///repo/a', 'file:', 'file://', '%', '%zz', '%ff%', 'C:\\x', '\\\\host\\x', 'constructor'));

test(`${verifies('REV-20b')} no SARIF, however wrong its types are, fails otherwise than by name`, { timeout: SLOW }, () => {
  const region = record({ startLine: number, endLine: number, startColumn: number, endColumn: number, snippet: record({ text }) });
  const artifact = record({ uri, uriBaseId: fc.constantFrom('A', '%SRCROOT%', '__proto__', 'constructor'), index: number });
  const message = record({ text, id: text, markdown: text, arguments: list(text) });
  const fix = record({
    artifactChanges: list(record({ artifactLocation: artifact, replacements: list(record({ deletedRegion: region, insertedContent: record({ text }) })) })),
  });
  const result = record({
    ruleId: text,
    ruleIndex: number,
    rule: record({ id: text, index: number, toolComponent: record({ index: number }) }),
    level: text,
    kind: text,
    message,
    locations: list(record({ physicalLocation: record({ artifactLocation: artifact, region }) })),
    suppressions: list(record({ status: text })),
    fixes: list(fix),
    properties: record({ severity: text, category: text, 'security-severity': fc.oneof(text, number) }),
  });
  const rule = record({
    id: text,
    messageStrings: record({ m: record({ text }) }),
    properties: record({ tags: list(text) }),
    defaultConfiguration: record({ level: text }),
  });
  const run = record({
    tool: record({ driver: record({ name: text, rules: list(rule) }), extensions: list(record({ rules: list(rule) })) }),
    results: list(result),
    artifacts: list(record({ location: artifact })),
    originalUriBaseIds: record({ A: record({ uri, uriBaseId: fc.constantFrom('A', 'B') }) }),
  });
  fc.assert(
    fc.property(fc.array(run, { maxLength: 2 }), runs => importsSafely(JSON.stringify({ version: '2.1.0', runs }))),
    { numRuns: 1_000 },
  );
});

test(`${verifies('REV-20b')} no rdjson, rdjsonl or XML fails otherwise than by name`, { timeout: SLOW }, () => {
  const range = record({ start: record({ line: number, column: number }), end: record({ line: number, column: number }) });
  const diagnostic = record({
    message: text,
    location: record({ path: uri, range }),
    severity: fc.oneof(text, number),
    source: record({ name: text }),
    code: record({ value: text }),
    suggestions: list(record({ range, text })),
  });
  fc.assert(
    fc.property(fc.array(diagnostic, { maxLength: 4 }), diagnostics => {
      importsSafely(JSON.stringify({ source: { name: 'x' }, diagnostics }));
      importsSafely(diagnostics.map(entry => JSON.stringify(entry)).join('\n'));
    }),
    { numRuns: 500 },
  );
  const XML = [
    '<checkstyle>',
    '</checkstyle>',
    '<file name="a.ts">',
    '</file>',
    '<error line="1" message="m"/>',
    '<',
    '>',
    '/',
    '"',
    "'",
    '=',
    ' ',
    '&amp;',
    '&#x0;',
    '&#xD800;',
    '&',
    '<!--',
    '-->',
    '<![CDATA[',
    ']]>',
    '<?',
    '?>',
    '<!DOCTYPE',
    'é',
  ];
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.constantFrom(...XML), text), { maxLength: 30 }), parts => importsSafely(`<checkstyle>${parts.join('')}`)),
    { numRuns: 1_000 },
  );
  fc.assert(fc.property(text, importsSafely));
});
