/** `weir help <topic>`: short pages, examples first. Facts that are data elsewhere are printed from there. */
import { EXIT, OUTPUT_FORMATS, SEVERITIES, SEVERITY_MEANING, SETTINGS, type Setting } from '@weir/contract';
import { expectedForm } from '@weir/settings';

interface Topic {
  readonly name: string;
  readonly title: string;
  readonly text: () => string;
}

const EXIT_MEANING: Readonly<Record<keyof typeof EXIT, string>> = {
  clean: 'clean, or every finding is below --fail-on',
  findings: 'a finding at or above --fail-on',
  usage: 'the command line is wrong',
  configuration: 'a setting is wrong',
  refused: 'refused: a limit, a policy, or not available yet',
  upstream: 'a model endpoint failed; trying again may help',
  incomplete: 'incomplete: a part of the change was not read',
  bug: 'a fault of Weir',
  interrupted: 'interrupted',
};

const exitCodes = (): string =>
  Object.entries(EXIT)
    .map(([name, code]) => `  ${String(code).padStart(3)}  ${EXIT_MEANING[name as keyof typeof EXIT]}`)
    .join('\n');

const environment = (): string =>
  (SETTINGS as readonly Setting[])
    .map(
      ({ name, env, type, secret, description }) =>
        `  ${env}${secret ? ` (or ${env}_FILE)` : ''}\n      ${name}: ${description}\n      Value: ${expectedForm(type)}.`,
    )
    .join('\n');

const TOPICS: readonly Topic[] = [
  {
    name: 'changes',
    title: 'which change is reviewed',
    text: () => `  weir review                        uncommitted work; if there is none, this branch since it left the default branch
  weir review --working-tree         staged, unstaged and untracked changes
  weir review --staged               what the next commit would hold
  weir review --base main            HEAD since it left main
  weir review main...feature         feature since it left main
  weir review v1.0..v1.1             v1.1 compared with v1.0
  git diff | weir review --diff -    a diff from anywhere; what it does not show is reported as partial

A diff from anywhere has no target branch: neither rules files nor .weir/config.yaml are read for it.`,
  },
  {
    name: 'models',
    title: 'asking a model',
    text: () => `  export WEIR_MODEL_BASE_URL=https://models.example.com/v1
  export WEIR_MODEL=name-of-the-model
  export WEIR_MODEL_KEY_FILE=~/.config/weir/model-key
  weir doctor
  weir review

Any endpoint that speaks Chat Completions works. A server on this machine or in a private network has to be allowed by its
origin, since Weir sends nothing to private addresses otherwise:

  export WEIR_MODEL_BASE_URL=http://127.0.0.1:11434/v1
  export WEIR_ALLOW_ORIGINS=http://127.0.0.1:11434

Without a model the deterministic specialists run alone, and the review says so. \`weir debug prompt\` shows what a model would get.`,
  },
  {
    name: 'post',
    title: 'reviewing in a CI, without a server',
    text: () => `  export WEIR_FORGE_TOKEN=...
  weir review --post https://git.example/owner/name/pulls/7

One round: the change is read from its forge, the findings are posted there as one review, with a summary and a check. Nothing is kept:
earlier rounds are told by Weir's own comments. The same head again posts nothing; after a push, open findings are reconciled.

  --observe            run everything, post nothing
  --block-on major     the check fails from this severity on
  --fail-on major      the exit code is 1 from this severity on, counted over all that is open
  --force              another round of a head that has had one

docs/guides/ci.md has an action, a CI template, and what a token needs.`,
  },
  {
    name: 'formats',
    title: 'output formats',
    text: () => `  weir review --format sarif > review.sarif

Formats: ${OUTPUT_FORMATS.join(', ')}. --json is short for --format json. The result is on stdout, progress and notes are on stderr.
human    for people
json     the whole report; its keys are stable within one schemaVersion
jsonl    one finding a line, then a summary line
sarif    SARIF 2.1.0, for code scanning
rdjson   for reviewdog
github   workflow annotations`,
  },
  { name: 'exit-codes', title: 'exit codes', text: exitCodes },
  {
    name: 'severities',
    title: 'severities',
    text: () => SEVERITIES.map(level => `  ${level.padEnd(7)}  ${SEVERITY_MEANING[level]}`).join('\n'),
  },
  {
    name: 'import',
    title: 'findings of other tools',
    text: () => `  weir review --import semgrep.sarif --import checkstyle.xml

SARIF 2.1.0, checkstyle XML and rdjson are read. Those that mean the same matter as a
finding of Weir's are merged with it. Only findings on lines of the change, or about a whole file of it, are kept. What is left out is counted.`,
  },
  {
    name: 'ignore',
    title: 'leaving things out',
    text: () => `  weir review --exclude 'vendor/**' --exclude '*.lock'

review.exclude takes globs. Files that .gitattributes of the target branch marks linguist-generated or linguist-vendored are left out
unless review.ignoreGenerated is false. review.ignoreTitles, ignoreBranches, ignoreAuthors and, on a forge, ignoreLabels leave out whole changes; their patterns know * and ?.
Every file left out is named in the report with its reason.`,
  },
  {
    name: 'repository',
    title: 'what a repository may decide',
    text: () => `  weir init

.weir/config.yaml may narrow: ${(SETTINGS as readonly Setting[])
      .filter(setting => setting.scope === 'repository')
      .map(setting => setting.name)
      .join(', ')}.
.weir/rules.md, AGENTS.md and CLAUDE.md are shown to the model as data. All are read from the target branch, never from the change.`,
  },
  { name: 'environment', title: 'environment variables', text: environment },
];

/** Text of a topic, the list of topics for `topics`, or undefined. */
export function helpTopic(name: string): string | undefined {
  if (name === 'topics') return `Topics (weir help <topic>):\n${TOPICS.map(topic => `  ${topic.name.padEnd(12)} ${topic.title}`).join('\n')}\n`;
  const topic = TOPICS.find(candidate => candidate.name === name);
  return topic && `${topic.name}: ${topic.title}\n\n${topic.text()}\n`;
}
