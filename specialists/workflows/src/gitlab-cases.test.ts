import { verifies } from '@weir/requirements';
import { expect, test } from 'vitest';
import { check } from './check.ts';
import { changed, contextOf } from './test-change.ts';

interface Case {
  readonly name: string;
  readonly text: string;
  readonly expected: readonly string[];
  readonly path?: string;
}

const script = (...lines: readonly string[]): string => `build:\n  script:\n${lines.map(line => `    - ${line}`).join('\n')}`;

const cases: readonly Case[] = [
  { name: 'eval', text: script('eval "echo $CI_COMMIT_TITLE"'), expected: ['major script-injection 3'] },
  { name: 'sh -c in double quotes', text: script(`'sh -c "echo $CI_MERGE_REQUEST_TITLE"'`), expected: ['major script-injection 3'] },
  { name: 'bash -lc without quotes', text: script('bash -lc echo\\ ${CI_COMMIT_MESSAGE}'), expected: ['major script-injection 3'] },
  { name: 'a shell in a container', text: script('docker exec app sh -c "notify $CI_COMMIT_MESSAGE"'), expected: ['major script-injection 3'] },
  { name: 'ssh joins its words', text: script('ssh -p 22 deploy@host "deploy $CI_COMMIT_TITLE"'), expected: ['major script-injection 3'] },
  { name: 'an inline program', text: script(`'python3 -c "print(\\"$CI_COMMIT_AUTHOR\\")"'`), expected: ['major script-injection 3'] },
  { name: 'a later line of a block', text: script('|\n      set -e\n      echo a\n      eval "$CI_COMMIT_MESSAGE"'), expected: ['major script-injection 6'] },
  {
    name: 'through a global variable',
    text: `variables:\n  TITLE: "$CI_MERGE_REQUEST_TITLE"\n${script('eval "echo $TITLE"')}`,
    expected: ['major script-injection 5'],
  },
  {
    name: 'through an assignment',
    text: script('MSG="$CI_COMMIT_MESSAGE"', 'export TEXT="v $MSG"', 'eval "log $TEXT"'),
    expected: ['major script-injection 5'],
  },
  { name: 'a branch name needs the right to push', text: script('eval "deploy $CI_COMMIT_REF_NAME"'), expected: ['minor script-injection 3'] },
  {
    name: 'default scripts and included files',
    path: '.gitlab/ci/base.yml',
    text: 'default:\n  before_script:\n    - eval "$CI_COMMIT_TITLE"',
    expected: ['major script-injection 3'],
  },
  {
    name: 'an anchored script',
    path: 'ci/build.gitlab-ci.yml',
    text: '.s: &s\n  - eval "$CI_COMMIT_TITLE"\nbuild:\n  script: *s',
    expected: ['major script-injection 2'],
  },
  {
    name: 'variables are data to the shell',
    text: script(
      'echo $CI_COMMIT_TITLE "$CI_COMMIT_MESSAGE"',
      'git checkout "$CI_COMMIT_REF_NAME"',
      'echo eval "$CI_COMMIT_TITLE"',
      '\'[ "$CI_COMMIT_TITLE" = x ] && deploy\'',
    ),
    expected: [],
  },
  { name: 'a program in single quotes', text: script(`bash -c 'echo "$CI_COMMIT_TITLE"'`, `bash -c 'echo "$1"' _ "$CI_COMMIT_TITLE"`), expected: [] },
  { name: 'an escaped variable', text: script('eval "echo \\$CI_COMMIT_TITLE"'), expected: [] },
  { name: 'what another command prints', text: script('eval "$(ssh-agent -s)"', 'eval "$(tool --ref "$CI_COMMIT_TITLE")"'), expected: [] },
  { name: 'slugs, ids and own variables', text: script('eval "deploy $CI_COMMIT_REF_SLUG $CI_COMMIT_SHA $OWN"'), expected: [] },
  { name: 'a variable that is set anew', text: `variables: {CI_COMMIT_TITLE: fixed}\n${script('eval "$CI_COMMIT_TITLE"')}`, expected: [] },
  {
    name: 'a comment and a rule',
    text: `build:\n  rules:\n    - if: $CI_COMMIT_TITLE =~ /eval/\n  script:\n    - |\n      # eval "$CI_COMMIT_TITLE"\n      true`,
    expected: [],
  },
  { name: 'the user of an ssh host', text: script('ssh "$CI_COMMIT_TITLE@host" uptime'), expected: [] },
  { name: 'a remote include', text: 'include:\n  - remote: https://example.com/ci.yml', expected: ['major unpinned-include 2'] },
  { name: 'a remote include in short form', text: 'include: https://example.com/ci.yml', expected: ['major unpinned-include 1'] },
  { name: 'a project without ref', text: 'include:\n  - project: g/p\n    file: /x.yml', expected: ['minor unpinned-include 2'] },
  { name: 'a project on a branch', text: 'include:\n  - project: g/p\n    ref: main\n    file: /x.yml', expected: ['minor unpinned-include 3'] },
  { name: 'a component without version', text: 'include:\n  - component: $CI_SERVER_FQDN/g/p/c@~latest', expected: ['minor unpinned-include 2'] },
  {
    name: 'an include of a child pipeline',
    text: 'a:\n  trigger:\n    include:\n      - project: g/p\n        file: x.yml',
    expected: ['minor unpinned-include 4'],
  },
  {
    name: 'pinned includes',
    text: `include:\n  - local: /a.yml\n  - template: Jobs/SAST.gitlab-ci.yml\n  - remote: https://e.com/a.yml\n    integrity: sha256-x\n  - remote: https://e.com/raw/${'a1'.repeat(20)}/a.yml\n  - project: g/p\n    ref: v1.2.0\n    file: x\n  - component: e.com/g/p/c@1.0.3\n  - component: e.com/g/p/c@$CI_COMMIT_SHA`,
    expected: [],
  },
  { name: 'a short local include', text: 'include:\n  - /a.yml\n  - ci/b.yml', expected: [] },
  { name: 'the debug trace', text: 'variables:\n  CI_DEBUG_TRACE: "true"', expected: ['major secrets-exposed 2'] },
  { name: 'the debug trace of a job', text: 'a:\n  variables:\n    CI_DEBUG_TRACE:\n      value: "true"', expected: ['major secrets-exposed 3'] },
  { name: 'the debug trace switched off', text: 'variables:\n  CI_DEBUG_TRACE: "false"', expected: [] },
  {
    name: 'references and a header',
    text: 'spec:\n  inputs:\n    x: {}\n---\nbuild:\n  script:\n    - !reference [.base, script]\n    - eval "$CI_COMMIT_TITLE"',
    expected: ['major script-injection 8'],
  },
];

for (const { name, text, expected, path } of cases) {
  test(`${verifies('SPEC-6')} pipeline: ${name}`, async () => {
    const { findings, partial } = await check(contextOf([changed(path ?? '.gitlab-ci.yml', text)], true));
    expect(findings.map(({ severity, rule, line }) => `${severity} ${rule.replace('workflows/', '')} ${line}`)).toEqual(expected);
    expect(partial).toEqual([]);
  });
}
