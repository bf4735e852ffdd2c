import { Finding } from '@weir/contract';
import { verifies } from '@weir/requirements';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { check } from './check.ts';
import { specialist } from './specialist.ts';
import { changed, contextOf, cut } from './test-change.ts';

const PATH = '.github/workflows/ci.yml';
const through = `on:
  issues:
env:
  TITLE: \${{ github.event.issue.title }}
jobs:
  a:
    runs-on: ubuntu-latest
    steps:
      - uses: a/b@v1
      - run: |
          echo hello
          echo \${{ env.TITLE }}
`;
const privileged = `on:
  push:
  pull_request_target:
jobs:
  a:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
        with:
          ref: \${{ github.event.pull_request.head.sha }}
      - run: make
`;

const places = async (text: string, touched: readonly number[]): Promise<readonly string[]> => {
  const { findings } = await check(contextOf([changed(PATH, text, touched)], true));
  return findings.map(({ rule, line }) => `${rule.replace('workflows/', '')} ${line}`);
};

test(`${verifies('SPEC-6')} an old risk on untouched lines is not reported`, async () => {
  expect(await places(through, [11])).toEqual([]);
  expect(await places(through, [])).toEqual([]);
  expect(await places(privileged, [2, 6, 8])).toEqual([]);
});

test(`${verifies('SPEC-6')} each line that makes a risk brings it up, and the touched one nearest to the sink carries it`, async () => {
  expect(await places(through, [12])).toEqual(['script-injection 12']);
  expect(await places(through, [4])).toEqual(['script-injection 4']);
  expect(await places(through, [2])).toEqual(['script-injection 2']);
  expect(await places(through, [2, 4, 12])).toEqual(['script-injection 12']);
  expect(await places(through, [9])).toEqual(['unpinned-action 9']);
});

test(`${verifies('SPEC-6')} touching only the trigger or only the later build brings up a checkout of the head`, async () => {
  expect(await places(privileged, [3])).toEqual(['pull-request-target-checkout 3']);
  expect(await places(privileged, [11])).toEqual(['pull-request-target-checkout 11']);
  expect(await places(privileged, [10])).toEqual(['pull-request-target-checkout 10']);
});

test(`${verifies('SPEC-6')} the message names the context, the way and who writes it; the other lines are evidence`, async () => {
  const { findings } = await check(contextOf([changed(PATH, through, [4])], true));
  const [finding] = findings;
  expect(finding?.message).toContain('github.event.issue.title → env TITLE (line 4) → ${{ env.TITLE }}');
  expect(finding?.message).toContain('Anyone who opens an issue');
  expect(finding?.quote).toBe('  TITLE: ${{ github.event.issue.title }}');
  expect(finding?.evidence.map(({ line }) => line)).toEqual([12, 4, 2]);
});

test(`${verifies('SPEC-6')} two texts on one line are one finding that names both`, async () => {
  const text = 'on: issues\njobs:\n  a:\n    runs-on: x\n    steps:\n      - run: echo ${{ github.event.issue.title }} ${{ github.event.issue.body }}';
  const { findings } = await check(contextOf([changed(PATH, text)], true));
  expect(findings).toHaveLength(1);
  expect(findings[0]?.message).toMatch(/issue\.title[\s\S]*issue\.body/);
});

const suggestionOf = async (run: string, more = ''): Promise<string | null | undefined> => {
  const text = `on: issues\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - ${run}${more}`;
  return (await check(contextOf([changed(PATH, text)], true))).findings[0]?.suggestion;
};

test(`${verifies('SPEC-6')} a replacement is offered where its meaning is certain`, async () => {
  expect(await suggestionOf('run: echo "New ${{ github.event.issue.title }}!"')).toBe(
    '      - env:\n          ISSUE_TITLE: ${{ github.event.issue.title }}\n        run: echo "New $ISSUE_TITLE!"',
  );
  expect(await suggestionOf('run: greet ${{ github.event.issue.title }} now')).toContain('run: greet "$ISSUE_TITLE" now');
  expect(await suggestionOf("run: echo '${{ github.event.issue.title }}'")).toBeNull();
  expect(await suggestionOf('run: echo "${{ github.event.issue.title }}"', '\n        env: {A: b}')).toBeNull();
  expect(await suggestionOf('run: ${{ github.event.issue.title }}')).toBeNull();
  expect(await suggestionOf('run: "echo ${{ github.event.issue.title }}"')).toBeNull();
  expect(await suggestionOf('run: |\n          echo ${{ github.event.issue.title }}')).toBeNull();
});

test(`${verifies('SPEC-6', 'REV-14')} a bare diff judges the steps in sight and says that the rest was not read`, async () => {
  const file = cut(changed(PATH, through, [9, 12]), 9, 12);
  const { findings, partial } = await check(contextOf([file], false));
  expect(findings.map(({ rule, line }) => `${rule} ${line}`)).toEqual(['workflows/unpinned-action 9']);
  expect(partial).toEqual([{ path: PATH, reason: 'the whole workflow is not in the diff: triggers, env and permissions outside the hunks were not read' }]);
});

const bare = async (lines: string, path = PATH): Promise<readonly string[]> => {
  const text = `x:\n${lines}`;
  const { findings } = await check(contextOf([cut(changed(path, text, [...text.split('\n').keys()]), 2, 99)], false));
  return findings.map(({ rule, line }) => `${rule.replace('workflows/', '')} ${line}`);
};

test(`${verifies('SPEC-6')} lines of a bare diff that are certain by themselves`, async () => {
  expect(await bare('        run: echo ${{ github.event.issue.title }}\n')).toEqual(['script-injection 2']);
  expect(await bare('      - name: x\n        run: |\n          a\n          ${{ github.head_ref }}\n')).toEqual(['script-injection 5']);
  expect(await bare('      - name: x\n        env:\n          T: ${{ github.head_ref }}\n        run: echo ${{ env.T }}\n')).toEqual(['script-injection 5']);
  expect(await bare('    uses: o/r/.github/workflows/x.yml@main\n')).toEqual(['unpinned-action 2']);
  expect(await bare('permissions: write-all\n')).toEqual(['excessive-permissions 2']);
  expect(await bare('  ACTIONS_ALLOW_UNSECURE_COMMANDS: true\n')).toEqual(['insecure-commands 2']);
  expect(await bare('  script:\n    - eval "$CI_COMMIT_TITLE"\n', '.gitlab-ci.yml')).toEqual(['script-injection 3']);
  expect(await bare('  CI_DEBUG_TRACE: "true"\n', '.gitlab-ci.yml')).toEqual(['secrets-exposed 2']);
});

test(`${verifies('SPEC-6')} lines of a bare diff that may be harmless are left alone`, async () => {
  expect(await bare('          T: ${{ github.event.issue.title }}\n')).toEqual([]);
  expect(await bare('          echo ${{ github.event.issue.title }}\n')).toEqual([]);
  expect(await bare('    runs-on: self-hosted\n')).toEqual([]);
  expect(await bare('      # - uses: a/b@v1\n')).toEqual([]);
  expect(await bare('      - uses: a/b@v1 x: [\n')).toEqual([]);
  expect(await bare('  - remote: https://e.com/x.yml\n', '.gitlab-ci.yml')).toEqual([]);
});

test(`${verifies('SPEC-6')} a new file in a bare diff is whole`, async () => {
  const { findings, partial } = await check(contextOf([changed(PATH, privileged)], false));
  expect(findings.map(({ rule, severity }) => `${severity} ${rule}`)).toEqual(['blocker workflows/pull-request-target-checkout']);
  expect(partial).toEqual([]);
});

test(`${verifies('SPEC-6', 'REV-14')} a file that is not YAML is partly read, with the parser's sentence, and still checked line by line`, async () => {
  const text = 'on: push\njobs:\n  a: [unclosed\n    steps:\n      - uses: a/b@v1\n      - run: echo ${{ github.event.issue.title }}\n';
  const { findings, partial } = await check(contextOf([changed(PATH, text)], true));
  expect(findings.map(({ rule, line }) => `${rule} ${line}`)).toEqual(['workflows/unpinned-action 5', 'workflows/script-injection 6']);
  expect(partial[0]?.reason).toMatch(/^it could not be read as YAML: .+/);
});

test(`${verifies('REV-14')} multiplied aliases and a too large file end in a partial reading, not in the memory's end`, async () => {
  const levels = Array.from({ length: 30 }, (_, n) => `a${n + 1}: &a${n + 1} [${Array.from({ length: 9 }, () => `*a${n}`).join(', ')}]`);
  const bomb = ['a0: &a0 [x, x]', ...levels, 'on: push', ''].join('\n');
  expect((await check(contextOf([changed(PATH, bomb)], true))).partial[0]?.reason).toContain('aliases');
  const circle = 'on: push\njobs: &j\n  a: *j\n';
  expect((await check(contextOf([changed(PATH, circle)], true))).partial).toHaveLength(1);
  const long = `${privileged}${'#'.repeat(600_000)}\n`;
  expect((await check(contextOf([changed(PATH, long)], true))).partial[0]?.reason).toContain('524288');
});

test(`${verifies('REV-14')} values that refer to each other without end are cut off, and it is said`, async () => {
  const names = Array.from({ length: 12 }, (_, n) => `      V${n}: ${`\${{ env.V${n + 1} }} \${{ env.V${n + 2} }} `.repeat(8)}`);
  const text = `on: issues\njobs:\n  a:\n    runs-on: x\n    env:\n${names.join('\n')}\n    steps:\n      - run: echo \${{ env.V0 }}\n`;
  expect((await check(contextOf([changed(PATH, text)], true))).partial[0]?.reason).toContain('refer to each other');
});

test(`${verifies('SPEC-6')} deleted, binary and unnamed files are nothing; an aborted review names what it did not reach`, async () => {
  const file = changed(PATH, privileged);
  const gone = { ...file, kind: 'deleted' as const, newPath: null, oldPath: PATH };
  const result = await check(contextOf([gone, { ...file, binary: true }, changed('README.md', privileged)], true));
  expect(result).toEqual({ findings: [], partial: [] });
  const stopped = await check({ ...contextOf([file], true), signal: { aborted: true } });
  expect(stopped.partial).toEqual([{ path: PATH, reason: 'the review was stopped before this file was judged' }]);
});

test(`${verifies('SPEC-1')} appliesTo names the files that a CI system loads, and only those`, () => {
  const applies = (path: string): boolean => specialist.review?.appliesTo(path) === true;
  const yes = [
    '.github/workflows/a.yml',
    '.github/workflows/b.yaml',
    'action.yml',
    'x/y/action.yaml',
    '.gitlab-ci.yml',
    'ci/a.gitlab-ci.yml',
    '.gitlab/ci/a/b.yml',
  ];
  const no = [
    '.github/workflows/sub/a.yml',
    'x/.github/workflows/a.yml',
    'workflows/a.yml',
    'reaction.yml',
    '.gitlab/issue.yml',
    'a.yml',
    '.github/dependabot.yml',
  ];
  expect(yes.filter(path => !applies(path))).toEqual([]);
  expect(no.filter(applies)).toEqual([]);
});

test(`${verifies('SPEC-1')} every rule row is filled, its bad example is flagged and its good one is not`, async () => {
  for (const rule of specialist.review?.rules ?? []) {
    expect(rule.id).toMatch(/^workflows\/[a-z-]+$/);
    for (const text of [rule.title, rule.why, rule.fix, rule.limits]) expect(text.length).toBeGreaterThan(10);
    expect(rule.equivalent.filter(id => !/^[a-z0-9.-]+\/[a-z0-9_./-]+\*?$/.test(id))).toEqual([]);
    const path = rule.id.endsWith('include') ? '.gitlab-ci.yml' : PATH;
    const flagged = async (example: string): Promise<boolean> => {
      const step = /^(?:- |run:)/.test(example);
      const body = example.startsWith('run:') ? `- ${example}` : example;
      const text = step ? `on: issue_comment\njobs:\n  a:\n    runs-on: x\n    steps:\n${body.replaceAll(/^/gm, '      ')}` : example;
      return (await check(contextOf([changed(path, text)], true))).findings.some(finding => finding.rule === rule.id);
    };
    expect([rule.id, await flagged(rule.bad), await flagged(rule.good)]).toEqual([rule.id, true, false]);
  }
});

const fragment = fc.constantFrom(
  ...[
    'on:',
    'jobs:',
    'steps:',
    '- run: |',
    '- uses: a/b@v1',
    'env:',
    '${{ github.event.issue.title }}',
    '${{',
    '}}',
    "'",
    '"',
    '&a',
    '*a',
    '<<: *a',
    '---',
    '!x',
    '|',
    '>-',
  ],
  ...[
    'with:',
    'ref: ${{ github.head_ref }}',
    'pull_request_target',
    'eval "$CI_COMMIT_TITLE"',
    'script:',
    'include:',
    '- remote: https://x/y',
    '\t',
    '[',
    '{',
    '$(',
    '`',
    '<<EOF',
    '\\',
    '\ud800',
  ],
);

test(`${verifies('SPEC-6')} never throws, and answers well-formed findings on touched lines, whatever the file holds`, async () => {
  const line = fc
    .tuple(fc.nat(10), fc.array(fc.oneof(fragment, fc.string({ maxLength: 8 })), { maxLength: 4 }))
    .map(([indent, parts]) => ' '.repeat(indent) + parts.join(' ').replaceAll('\n', ' '));
  const paths = fc.constantFrom(PATH, 'action.yml', '.gitlab-ci.yml');
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { maxLength: 25 }),
      paths,
      fc.boolean(),
      fc.array(fc.integer({ min: 1, max: 25 })),
      async (lines, path, readable, touched) => {
        const file = changed(path, lines.join('\n'), touched);
        const { findings } = await check(contextOf([file], readable));
        for (const finding of findings) {
          Finding.parse(finding);
          expect(touched).toContain(finding.line);
        }
      },
    ),
    { numRuns: 400 },
  );
});

test('a reference that only moves or is indented is not new, another one in its place is', async () => {
  const workflow = (indent: string, uses: string) => `on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n${indent}- uses: ${uses}\n`;
  const indented = (uses: string) => {
    const after = workflow('      ', uses);
    const file = changed(PATH, after, [6]);
    const removed = { kind: 'removed' as const, old: 6, new: null, text: '    - uses: a/b@v1' };
    return { ...file, hunks: file.hunks.map(hunk => ({ ...hunk, lines: [...hunk.lines.slice(0, 5), removed, ...hunk.lines.slice(5)] })) };
  };
  const textOf = (uses: string) => async () => workflow('      ', uses);
  const signal = { aborted: false };
  expect((await check({ files: [indented('a/b@v1')], signal, readHead: textOf('a/b@v1') })).findings).toEqual([]);
  expect((await check({ files: [indented('a/b@v2')], signal, readHead: textOf('a/b@v2') })).findings.map(found => found.line)).toEqual([6]);
});

test('a file full of risks has 200 findings and says how many there are', async () => {
  const steps = Array.from({ length: 300 }, (_, index) => `      - uses: a/b${index}@v1`).join('\n');
  const { findings, partial } = await check(contextOf([changed(PATH, `on: push\njobs:\n  a:\n    runs-on: x\n    steps:\n${steps}`)], true));
  expect(findings).toHaveLength(200);
  expect(partial).toEqual([{ path: PATH, reason: '300 risks; the first 200 are listed' }]);
});
