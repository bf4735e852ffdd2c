import { readFileSync } from 'node:fs';
import path from 'node:path';
import { verifies } from '@weir/requirements';
import Ajv from 'ajv-draft-04';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import { finding, report } from '../fixtures/sample-report.ts';
import type { RuleInfo } from './rule-info.ts';
import { renderSarif } from './sarif.ts';

const schema = JSON.parse(readFileSync(path.resolve(import.meta.dirname, '../fixtures/sarif-schema-2.1.0.json'), 'utf8')) as object;
const ajv = new Ajv.default({ strict: false, allErrors: true });
addFormats.default(ajv);
const validate = ajv.compile(schema);

const rule: RuleInfo = { id: 'secrets/aws-key', title: 'AWS key', severity: 'blocker', category: 'security', why: 'Anyone can use it.', fix: 'Revoke it.' };

/** The only run of a report, after the published schema has accepted the whole. */
function runOf(text: string) {
  const log = JSON.parse(text) as { runs: [Record<string, unknown>] };
  expect(validate(log), JSON.stringify(validate.errors?.slice(0, 3))).toBe(true);
  return log.runs[0];
}

test(`${verifies('REV-20a')} the schema is really at work: a wrong report is refused`, () => {
  const log = JSON.parse(renderSarif(report(), { rules: [rule] })) as { runs: [{ results: [{ level: string }] }] };
  log.runs[0].results[0].level = 'fatal';
  expect(validate(log)).toBe(false);
});

test(`${verifies('REV-20a')} a run with its rules, results, fingerprints and levels`, () => {
  const run = runOf(renderSarif(report(), { rules: [rule], repositoryUri: 'https://example.org/acme/bank' }));
  expect(run).toMatchObject({
    tool: {
      driver: {
        name: 'Weir',
        version: '0.1.0',
        rules: [
          {
            id: 'secrets/aws-key',
            name: 'AwsKey',
            shortDescription: { text: 'AWS key' },
            defaultConfiguration: { level: 'error' },
            properties: { tags: ['security'], category: 'security', severity: 'blocker', 'security-severity': '9.5' },
          },
          { id: 'correctness/retry', name: 'Retry' },
        ],
      },
    },
    columnKind: 'utf16CodeUnits',
    automationDetails: { id: 'weir/review/' },
    versionControlProvenance: [{ repositoryUri: 'https://example.org/acme/bank', revisionId: 'b'.repeat(40) }],
    invocations: [{ executionSuccessful: true }],
    results: [
      {
        ruleId: 'correctness/retry',
        ruleIndex: 1,
        level: 'error',
        message: { text: 'Retry has no ceiling. A refused payment is sent again for ever.' },
        locations: [
          { physicalLocation: { artifactLocation: { uri: 'src/settlement/retry.ts', uriBaseId: '%SRCROOT%' }, region: { startLine: 17, endLine: 18 } } },
        ],
        partialFingerprints: { 'weir/v1': '0123456789abcdef0123456789abcdef' },
        properties: { id: '2c', category: 'correctness', severity: 'major', sources: ['correctness'] },
      },
      { ruleId: 'secrets/aws-key', ruleIndex: 0, partialFingerprints: { 'weir/v1': 'fedcba9876543210fedcba9876543210' } },
    ],
  });
  expect(Object.keys((run.results as { partialFingerprints: object }[])[0]?.partialFingerprints ?? {})).toEqual(['weir/v1']);
});

test(`${verifies('REV-20a')} levels map from severities`, () => {
  const severities = ['blocker', 'major', 'minor', 'note'] as const;
  const run = runOf(renderSarif(report({ findings: severities.map(severity => finding({ severity })) }), { rules: [] }));
  expect((run.results as { level: string }[]).map(({ level }) => level)).toEqual(['error', 'error', 'warning', 'note']);
});

test(`${verifies('REV-20a')} URIs are relative and percent-encoded, bytes that are no UTF-8 included`, () => {
  const paths = ['a dir/ü#?.ts', 'a:b.ts', 'c%20d.ts', 'caf\udce9/é.ts', '決済.ts', 'x\ud800.ts'];
  const run = runOf(renderSarif(report({ findings: paths.map(name => finding({ path: name })) }), { rules: [] }));
  type Result = { locations: [{ physicalLocation: { artifactLocation: { uri: string } } }] };
  expect((run.results as Result[]).map(result => result.locations[0].physicalLocation.artifactLocation.uri)).toEqual([
    'a%20dir/%C3%BC%23%3F.ts',
    'a%3Ab.ts',
    'c%2520d.ts',
    'caf%E9/%C3%A9.ts',
    '%E6%B1%BA%E6%B8%88.ts',
    'x%EF%BF%BD.ts',
  ]);
});

test(`${verifies('REV-17', 'REV-20a')} old lines and whole files have a location without region, and say why; a moved finding has its new place`, () => {
  const run = runOf(
    renderSarif(
      report({
        findings: [
          finding({ placement: { kind: 'line', side: 'old', line: 3, endLine: 4, hunk: 0, moved: false } }),
          finding({ line: 0, endLine: 0, placement: { kind: 'file', reason: 'the file is binary' } }),
          finding({ placement: { kind: 'line', side: 'new', line: 30, endLine: 31, hunk: 0, moved: true } }),
          finding({ placement: { kind: 'summary', reason: 'its line is not in the diff' } }),
        ],
      }),
      { rules: [] },
    ),
  );
  type Result = { locations: [{ physicalLocation: { region?: object } }]; properties: object; fixes?: object };
  const results = run.results as Result[];
  expect(results.map(result => result.locations[0].physicalLocation.region)).toEqual([
    undefined,
    undefined,
    { startLine: 30, endLine: 31 },
    { startLine: 17, endLine: 18 },
  ]);
  expect(results[0]?.properties).toMatchObject({
    regionOmitted: 'the finding is about line 3 of the file before the change',
    side: 'old',
    line: 3,
    endLine: 4,
  });
  expect(results[1]?.properties).toMatchObject({ regionOmitted: 'the finding is about the whole file', placementReason: 'the file is binary' });
  expect(results[3]?.properties).toMatchObject({ placement: 'summary', placementReason: 'its line is not in the diff' });
  expect(results.map(result => result.fixes !== undefined)).toEqual([false, false, true, true]);
});

test(`${verifies('REV-20a')} a suggestion replaces whole lines; an empty one deletes them with their line break`, () => {
  const run = runOf(renderSarif(report({ findings: [finding(), finding({ suggestion: '' })] }), { rules: [] }));
  type Result = { fixes: [{ artifactChanges: [{ replacements: object[] }] }] };
  expect((run.results as Result[]).map(result => result.fixes[0].artifactChanges[0].replacements)).toEqual([
    [{ deletedRegion: { startLine: 17, endLine: 18 }, insertedContent: { text: 'for (let i = 0; i < 3; i++) {\n  send();' } }],
    [{ deletedRegion: { startLine: 17, startColumn: 1, endLine: 19, endColumn: 1 } }],
  ]);
});

test(`${verifies('PRO-2', 'REV-16b')} what was not read and what failed are notifications, so no empty result looks clean`, () => {
  const run = runOf(
    renderSarif(
      report({
        findings: [],
        complete: false,
        coverage: [
          { path: 'logo.png', reading: 'skipped', reason: 'binary', byRule: true },
          { path: 'big.ts', reading: 'partial', reason: 'larger than the budget', byRule: false },
        ],
        specialists: [{ key: 'secrets', failure: 'it ran out of time', findings: 0 }],
      }),
      { rules: [] },
    ),
  );
  expect(run.invocations).toEqual([
    {
      executionSuccessful: false,
      toolExecutionNotifications: [
        { level: 'error', message: { text: 'secrets failed: it ran out of time' } },
        { level: 'note', message: { text: 'No model is configured: only the deterministic specialists ran.' } },
        {
          level: 'warning',
          message: { text: 'Read in part: larger than the budget' },
          locations: [{ physicalLocation: { artifactLocation: { uri: 'big.ts', uriBaseId: '%SRCROOT%' } } }],
        },
        {
          level: 'note',
          message: { text: 'Not read: binary' },
          locations: [{ physicalLocation: { artifactLocation: { uri: 'logo.png', uriBaseId: '%SRCROOT%' } } }],
        },
      ],
    },
  ]);
});

test(`${verifies('REV-20a')} text that Weir did not write makes no link in a viewer`, () => {
  expect(renderSarif(report({ findings: [finding({ message: '[fix](https://evil.example)' })] }), { rules: [] })).toContain('[fix] (https://evil.example)');
});
