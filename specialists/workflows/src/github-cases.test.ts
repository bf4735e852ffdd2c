import { verifies } from '@weir/requirements';
import { expect, test } from 'vitest';
import { check } from './check.ts';
import { changed, contextOf } from './test-change.ts';

/** `expected` lists `severity rule line`, rule without its prefix; an empty list means that nothing may be reported. */
interface Case {
  readonly name: string;
  readonly text: string;
  readonly expected: readonly string[];
  readonly path?: string;
}

const SHA = '48d8f15b2aaa3d255ca5af3eba4870f807ce6b3c';
const DIGEST = `sha256:${'0123456789abcdef'.repeat(4)}`;

/** A workflow of one job whose steps are given, each already indented by six. */
const job = (on: string, steps: string, more = ''): string => `on: ${on}\njobs:\n  a:\n    runs-on: ubuntu-latest\n${more}    steps:\n${steps}`;

const injection: readonly Case[] = [
  {
    name: 'a title in a one-line script',
    text: job('issues', '      - run: echo "${{ github.event.issue.title }}"'),
    expected: ['blocker script-injection 6'],
  },
  {
    name: 'a body in a later line of a block',
    text: job('issues', '      - run: |\n          echo start\n\n          echo ${{ github.event.issue.body }}'),
    expected: ['blocker script-injection 9'],
  },
  {
    name: 'a folded block',
    text: job('issue_comment', '      - run: >-\n          echo a\n          ${{ github.event.comment.body }}'),
    expected: ['blocker script-injection 8'],
  },
  {
    name: 'a double-quoted script over two lines',
    text: job('issues', '      - run: "echo \\"a\\" \\n\n          echo ${{ github.event.issue.title }}"'),
    expected: ['blocker script-injection 7'],
  },
  {
    name: 'index syntax and other case',
    text: job('issues', "      - run: echo ${{ GitHub['Event']['issue'].TITLE }}"),
    expected: ['blocker script-injection 6'],
  },
  {
    name: 'no blanks, many blanks',
    text: job('issues', '      - run: echo ${{github.event.issue.title}} ${{\n            github.event.issue.body\n            }}'),
    expected: ['blocker script-injection 6'],
  },
  {
    name: 'format',
    text: job('pull_request_target', "      - run: ${{ format('echo {0}', github.head_ref) }}"),
    expected: ['blocker script-injection 6'],
  },
  {
    name: 'the whole event as JSON',
    text: job('issues', "      - run: echo '${{ toJSON(github.event) }}'"),
    expected: ['blocker script-injection 6'],
  },
  {
    name: 'the whole context as JSON',
    text: job('issue_comment', "      - run: echo '${{ toJson(github) }}'"),
    expected: ['blocker script-injection 6'],
  },
  {
    name: 'a joined filter',
    text: job('push', "      - run: echo ${{ join(github.event.commits.*.message, ' ') }}"),
    expected: ['major script-injection 6'],
  },
  {
    name: 'one element of a list',
    text: job('push', '      - run: echo ${{ github.event.commits[0].author.name }}'),
    expected: ['major script-injection 6'],
  },
  {
    name: 'a bare filter expands to one word today',
    text: job('issues', '      - run: echo ${{ github.event.*.title }}'),
    expected: ['minor script-injection 6'],
  },
  {
    name: 'the second side of an alternative',
    text: job('pull_request', '      - run: echo ${{ inputs.ref || github.head_ref }}'),
    expected: ['major script-injection 6'],
  },
  {
    name: 'the value of a ternary',
    text: job('pull_request', "      - run: echo ${{ github.event_name == 'pull_request' && github.head_ref || github.ref_name }}"),
    expected: ['major script-injection 6'],
  },
  {
    name: 'through env of the step, expanded',
    text: job('issues', '      - env:\n          TITLE: ${{ github.event.issue.title }}\n        run: echo ${{ env.TITLE }}'),
    expected: ['blocker script-injection 8'],
  },
  {
    name: 'through env of the workflow and the job',
    text: `env:\n  A: \${{ github.event.issue.title }}\n${job('issues', '      - run: echo ${{ env.b }}', '    env:\n      B: x ${{ env.A }}\n')}`,
    expected: ['blocker script-injection 10'],
  },
  {
    name: 'through the output of a step',
    text: job(
      'issues',
      '      - id: t\n        env:\n          TITLE: ${{ github.event.issue.title }}\n        run: echo "title=$TITLE" >> "$GITHUB_OUTPUT"\n      - run: echo ${{ steps.t.outputs.title }}',
    ),
    expected: ['blocker script-injection 10'],
  },
  {
    name: 'through an exported variable',
    text: job(
      'issues',
      '      - env:\n          T: ${{ github.event.issue.title }}\n        run: echo "TITLE=$T" >> $GITHUB_ENV\n      - run: echo ${{ env.TITLE }}',
    ),
    expected: ['blocker script-injection 9'],
  },
  {
    name: 'through the output of a job',
    text: `on: issues
jobs:
  first:
    runs-on: ubuntu-latest
    outputs:
      title: \${{ github.event.issue.title }}
    steps: []
  second:
    needs: first
    runs-on: ubuntu-latest
    steps:
      - run: echo \${{ needs.first.outputs.title }}`,
    expected: ['blocker script-injection 12'],
  },
  {
    name: 'through the matrix',
    text: job('pull_request_target', '      - run: echo ${{ matrix.name }}', '    strategy:\n      matrix:\n        name: ["${{ github.head_ref }}"]\n'),
    expected: ['blocker script-injection 9'],
  },
  {
    name: 'github-script',
    text: job(
      'issues',
      `      - uses: actions/github-script@${SHA}\n        with:\n          script: |\n            const t = "\${{ github.event.issue.title }}"`,
    ),
    expected: ['blocker script-injection 9'],
  },
  {
    name: 'JSON inside a template of github-script',
    text: job(
      'issues',
      `      - uses: actions/github-script@${SHA}\n        with:\n          script: const t = JSON.parse(\`\${{ toJSON(github.event.issue.title) }}\`)`,
    ),
    expected: ['blocker script-injection 8'],
  },
  {
    name: 'another action that runs its input, whatever the case',
    text: job('issues', `      - uses: Azure/CLI@${SHA}\n        with:\n          inlineScript: echo \${{ github.event.issue.title }}`),
    expected: ['blocker script-injection 8'],
  },
  {
    name: 'the branch of a workflow_run',
    text: job('workflow_run', '      - run: git checkout ${{ github.event.workflow_run.head_branch }}'),
    expected: ['blocker script-injection 6'],
  },
  {
    name: 'a body in a quoted here-document can end it',
    text: job('issues', "      - run: |\n          cat <<'EOF'\n          ${{ github.event.issue.body }}\n          EOF"),
    expected: ['blocker script-injection 8'],
  },
  {
    name: 'a title in a here-document that expands',
    text: job('issues', '      - run: |\n          cat <<EOF\n          ${{ github.event.issue.title }}\n          EOF'),
    expected: ['blocker script-injection 8'],
  },
  {
    name: 'a comment of the shell with a text of many lines',
    text: job('issues', '      - run: |\n          # ${{ github.event.issue.body }}\n          true'),
    expected: ['blocker script-injection 7'],
  },
  {
    name: 'a text input of workflow_dispatch',
    text: job('\n  workflow_dispatch:\n    inputs:\n      tag:\n        type: string', '      - run: echo ${{ inputs.tag }} ${{ github.event.inputs.tag }}'),
    expected: ['minor script-injection 10'],
  },
  {
    name: 'an input of a reusable workflow',
    text: job('\n  workflow_call:\n    inputs:\n      tag: {type: string}', '      - run: echo ${{ inputs.tag }}'),
    expected: ['minor script-injection 9'],
  },
  {
    name: 'an input of a composite action',
    path: 'setup/action.yml',
    text: 'inputs:\n  tag:\n    description: x\nruns:\n  using: composite\n  steps:\n    - run: echo ${{ inputs.tag }}\n      shell: bash',
    expected: ['minor script-injection 7'],
  },
  {
    name: 'an untrusted default of an input of a composite action',
    path: 'action.yaml',
    text: 'inputs:\n  t:\n    default: ${{ github.event.issue.title }}\nruns:\n  using: composite\n  steps:\n    - run: echo ${{ inputs.t }}',
    expected: ['blocker script-injection 7'],
  },
  {
    name: 'a context that no trigger sets',
    text: job('schedule', '      - run: echo ${{ github.event.issue.title }}'),
    expected: ['minor script-injection 6'],
  },
  {
    name: 'a gate on the author lowers it',
    text: job('issue_comment', "      - if: github.event.comment.author_association == 'MEMBER'\n        run: echo ${{ github.event.comment.body }}"),
    expected: ['major script-injection 7'],
  },
  {
    name: 'the triggers as a list',
    text: job('[push, issues]', '      - run: echo ${{ github.event.issue.title }}'),
    expected: ['blocker script-injection 6'],
  },
  {
    name: 'a merged env',
    text: `x: &e {T: "\${{ github.event.issue.title }}"}\n${job('issues', '      - env:\n          <<: *e\n        run: echo ${{ env.T }}')}`,
    expected: ['blocker script-injection 9'],
  },
  {
    name: 'an anchored step',
    text: job('issues', '      - &say\n        run: echo ${{ github.event.issue.title }}\n      - *say'),
    expected: ['blocker script-injection 7'],
  },
];

const harmless: readonly Case[] = [
  {
    name: 'a merged env that the own one hides',
    text: `x: &e {T: "\${{ github.event.issue.title }}"}\n${job('issues', '      - env:\n          <<: *e\n          T: fixed\n        run: echo ${{ env.T }}')}`,
    expected: [],
  },
  {
    name: 'env and a shell variable',
    text: job('issues', '      - env:\n          T: ${{ github.event.issue.title }}\n        run: echo $T "$T" ${T}'),
    expected: [],
  },
  {
    name: 'env of the workflow and a shell variable',
    text: `env:\n  T: \${{ github.head_ref }}\n${job('pull_request_target', '      - run: echo "$T"')}`,
    expected: [],
  },
  { name: 'a condition', text: job('issues', "      - if: ${{ contains(github.event.issue.title, 'x') }}\n        run: echo hi"), expected: [] },
  {
    name: 'a YAML comment',
    text: job('issues', '      # run: echo ${{ github.event.issue.title }}\n      - run: echo hi # ${{ github.event.issue.title }}'),
    expected: [],
  },
  { name: 'a step name', text: job('issues', '      - name: Greet ${{ github.event.issue.title }}\n        run: echo hi'), expected: [] },
  {
    name: 'an input of an ordinary action',
    text: job('issues', `      - uses: x/y@${SHA}\n        with:\n          title: \${{ github.event.issue.title }}`),
    expected: [],
  },
  { name: 'a comparison', text: job('pull_request', "      - run: echo ${{ github.head_ref == 'x' }} ${{ startsWith(github.head_ref, 'a') }}"), expected: [] },
  { name: 'the condition of a ternary', text: job('pull_request', "      - run: echo ${{ github.head_ref && 'a' || 'b' }}"), expected: [] },
  { name: 'an untrusted name in a string', text: job('issues', "      - run: echo ${{ format('{0} github.event.issue.title', github.sha) }}"), expected: [] },
  {
    name: 'ordinary contexts',
    text: job(
      'pull_request',
      '      - run: echo ${{ github.sha }} ${{ github.event.number }} ${{ github.repository }} ${{ github.event.pull_request.head.sha }} ${{ matrix.os }}',
    ),
    expected: [],
  },
  {
    name: 'a title in a comment of the shell',
    text: job('issues', '      - run: |\n          # ${{ github.event.issue.title }}\n          true'),
    expected: [],
  },
  {
    name: 'a title in a quoted here-document',
    text: job('issues', "      - run: |\n          cat <<'EOF'\n          ${{ github.event.issue.title }}\n          EOF"),
    expected: [],
  },
  {
    name: 'JSON as a value of github-script',
    text: job('issues', `      - uses: actions/github-script@${SHA}\n        with:\n          script: const t = \${{ toJSON(github.event.issue.title) }}`),
    expected: [],
  },
  {
    name: 'a choice of workflow_dispatch',
    text: job(
      '\n  workflow_dispatch:\n    inputs:\n      t: {type: choice, options: [a]}\n      b: {type: boolean}',
      '      - run: echo ${{ inputs.t }} ${{ inputs.b }}',
    ),
    expected: [],
  },
  {
    name: 'an output that another command made',
    text: job(
      'issues',
      '      - id: t\n        env:\n          T: ${{ github.event.issue.title }}\n        run: echo "n=$(echo "$T" | wc -c)" >> "$GITHUB_OUTPUT"\n      - run: echo ${{ steps.t.outputs.n }}',
    ),
    expected: [],
  },
  {
    name: 'an output of a later step',
    text: job('issues', '      - run: echo ${{ steps.t.outputs.n }}\n      - id: t\n        run: echo "n=${{ github.sha }}" >> $GITHUB_OUTPUT'),
    expected: [],
  },
  {
    name: 'env of another job',
    text: `on: issues\njobs:\n  a:\n    runs-on: x\n    env: {T: "\${{ github.event.issue.title }}"}\n    steps: []\n  b:\n    runs-on: x\n    steps:\n      - run: echo \${{ env.T }}`,
    expected: [],
  },
  {
    name: 'an env that a nearer one hides',
    text: `env: {T: "\${{ github.event.issue.title }}"}\n${job('issues', '      - env: {T: fixed}\n        run: echo ${{ env.T }}')}`,
    expected: [],
  },
  { name: 'no expression at all', text: job('issues', '      - run: echo github.event.issue.title $github.event'), expected: [] },
  { name: 'an expression that does not parse', text: job('issues', '      - run: echo ${{ github.event.issue.title + }} ${{ unclosed'), expected: [] },
  {
    name: 'a file that calls itself',
    text: job('issues', '      - env: {A: "${{ env.B }}", B: "${{ env.A }}"}\n        run: echo ${{ env.A }}'),
    expected: [],
  },
  {
    name: 'a sub folder of the workflows',
    path: '.github/workflows/sub/x.yml',
    text: job('issues', '      - run: echo ${{ github.event.issue.title }}'),
    expected: [],
  },
  { name: 'any other YAML', path: 'config/x.yml', text: job('issues', '      - run: echo ${{ github.event.issue.title }}'), expected: [] },
];

const HEAD = '          ref: ${{ github.event.pull_request.head.sha }}';
const checkout = (version: string, ...inputs: readonly string[]): string =>
  [`      - uses: actions/checkout@${version}`, '        with:', ...inputs].join('\n');
const TARGET = 'pull_request_target';

const checkouts: readonly Case[] = [
  {
    name: 'the head, then a build',
    text: job(TARGET, `${checkout('v4', HEAD)}\n      - run: npm ci && npm test`),
    expected: ['blocker pull-request-target-checkout 8'],
  },
  {
    name: 'the head, and nothing runs it',
    text: job(TARGET, `${checkout('v4', HEAD)}\n      - run: cat README.md`),
    expected: ['major pull-request-target-checkout 8'],
  },
  { name: 'on as a list', text: job(`[push, ${TARGET}]`, `${checkout('v4', HEAD)}\n      - run: make`), expected: ['blocker pull-request-target-checkout 8'] },
  {
    name: 'on as a map, and the key true',
    text: job(`\n  ${TARGET}:\n    types: [opened]`, `${checkout('v4', HEAD)}\n      - run: ./build.sh`).replace('on:', 'true:'),
    expected: ['blocker pull-request-target-checkout 10'],
  },
  {
    name: 'the merge ref',
    text: job(TARGET, `${checkout('v4', '          ref: refs/pull/${{ github.event.number }}/merge')}\n      - run: cargo test`),
    expected: ['blocker pull-request-target-checkout 8'],
  },
  {
    name: 'the repository of the fork',
    text: job(
      TARGET,
      `${checkout('v4', '          repository: ${{ github.event.pull_request.head.repo.full_name }}', '          ref: ${{ github.head_ref }}')}\n      - run: |\n          cd app\n          go test ./...`,
    ),
    expected: ['blocker pull-request-target-checkout 9'],
  },
  {
    name: 'a branch name reaches no fork',
    text: job(TARGET, `${checkout('v4', '          ref: ${{ github.head_ref }}')}\n      - run: make`),
    expected: ['major pull-request-target-checkout 8'],
  },
  {
    name: 'the head through env',
    text: `env:\n  SHA: \${{ github.event.pull_request.head.sha }}\n${job(TARGET, `${checkout('v4', '          ref: ${{ env.SHA }}')}\n      - run: make`)}`,
    expected: ['blocker pull-request-target-checkout 10'],
  },
  {
    name: 'workflow_run',
    text: job(
      '\n  workflow_run:\n    workflows: [CI]',
      `${checkout('v4', '          ref: ${{ github.event.workflow_run.head_sha }}')}\n      - run: npm install`,
    ),
    expected: ['blocker pull-request-target-checkout 10'],
  },
  {
    name: 'gh pr checkout',
    text: job(TARGET, '      - run: |\n          gh pr checkout ${{ github.event.number }}\n          npm ci'),
    expected: ['blocker pull-request-target-checkout 7'],
  },
  {
    name: 'git fetch of the pull ref',
    text: job(TARGET, '      - run: git fetch origin pull/${{ github.event.number }}/head:pr && git checkout pr\n      - run: make'),
    expected: ['blocker pull-request-target-checkout 6'],
  },
  {
    name: 'git checkout of the head through a variable',
    text: job(TARGET, '      - env:\n          SHA: ${{ github.event.pull_request.head.sha }}\n        run: |\n          git checkout "$SHA"\n          make'),
    expected: ['blocker pull-request-target-checkout 9'],
  },
  {
    name: 'a comment that checks a pull request out',
    text: job('issue_comment', '      - run: gh pr checkout ${{ github.event.issue.number }}\n      - run: make'),
    expected: ['blocker pull-request-target-checkout 6'],
  },
  {
    name: 'a local action out of the head',
    text: job(TARGET, `${checkout('v4', HEAD)}\n      - uses: ./.github/actions/build`),
    expected: ['blocker pull-request-target-checkout 8'],
  },
  { name: 'a new version refuses forks', text: job(TARGET, `${checkout('v7', HEAD)}\n      - run: make`), expected: ['major pull-request-target-checkout 8'] },
  {
    name: 'a new version that is told not to',
    text: job(TARGET, `${checkout('v7', HEAD, '          allow-unsafe-pr-checkout: true')}\n      - run: make`),
    expected: ['blocker pull-request-target-checkout 8'],
  },
  {
    name: 'a label lowers it',
    text: job(TARGET, `${checkout('v4', HEAD)}\n      - run: make`, "    if: contains(github.event.pull_request.labels.*.name, 'safe')\n"),
    expected: ['major pull-request-target-checkout 9'],
  },
  {
    name: 'a sub folder that a step works in',
    text: job(TARGET, `${checkout('v4', HEAD, '          path: pr')}\n      - run: make\n        working-directory: pr`),
    expected: ['blocker pull-request-target-checkout 8'],
  },
  {
    name: 'a sub folder that no step works in',
    text: job(TARGET, `${checkout('v4', HEAD, '          path: pr-head')}\n      - run: make`),
    expected: ['major pull-request-target-checkout 8'],
  },
  {
    name: 'no scripts of the head',
    text: job(TARGET, `${checkout('v4', HEAD)}\n      - run: npm ci --ignore-scripts`),
    expected: ['major pull-request-target-checkout 8'],
  },
  {
    name: 'a build of the base before the checkout',
    text: job(TARGET, `      - run: make\n${checkout('v4', HEAD)}\n      - run: cat README.md`),
    expected: ['major pull-request-target-checkout 9'],
  },
  { name: 'under pull_request', text: job('pull_request', `${checkout('v4', HEAD)}\n      - run: make`), expected: [] },
  { name: 'the base', text: job(TARGET, `${checkout('v4', '          ref: ${{ github.event.pull_request.base.sha }}')}\n      - run: make`), expected: [] },
  { name: 'no ref', text: job(TARGET, '      - uses: actions/checkout@v4\n      - run: make'), expected: [] },
  {
    name: 'own branches only',
    text: job(TARGET, `${checkout('v4', HEAD)}\n      - run: make`, '    if: github.event.pull_request.head.repo.full_name == github.repository\n'),
    expected: [],
  },
  {
    name: 'no forks',
    text: job(TARGET, `${checkout('v4', HEAD)}\n      - run: make`, '    if: ${{ !github.event.pull_request.head.repo.fork }}\n'),
    expected: [],
  },
  {
    name: 'workflow_run of a push',
    text: job(
      'workflow_run',
      `${checkout('v4', '          ref: ${{ github.event.workflow_run.head_sha }}')}\n      - run: make`,
      "    if: github.event.workflow_run.event == 'push' && github.event.workflow_run.conclusion == 'success'\n",
    ),
    expected: [],
  },
  {
    name: 'a comment of a member',
    text: job('issue_comment', '      - run: gh pr checkout 1\n      - run: make', "    if: github.event.comment.author_association == 'OWNER'\n"),
    expected: [],
  },
];

const references: readonly Case[] = [
  { name: 'a tag', text: job('push', '      - uses: tj-actions/changed-files@v44'), expected: ['major unpinned-action 6'] },
  { name: 'a branch', text: job('push', '      - uses: a/b/c@main'), expected: ['major unpinned-action 6'] },
  { name: 'a short hash', text: job('push', '      - uses: a/b@48d8f15'), expected: ['major unpinned-action 6'] },
  { name: 'a computed reference', text: job('push', '      - uses: a/b@${{ matrix.v }}'), expected: ['major unpinned-action 6'] },
  { name: 'an image without a digest', text: job('push', '      - uses: docker://alpine:3.20'), expected: ['major unpinned-action 6'] },
  { name: 'a reusable workflow', text: 'on: push\njobs:\n  a:\n    uses: o/r/.github/workflows/x.yml@v1', expected: ['major unpinned-action 4'] },
  {
    name: 'a step of a composite action',
    path: 'action.yml',
    text: 'runs:\n  using: composite\n  steps:\n    - uses: a/b@v1',
    expected: ['major unpinned-action 4'],
  },
  {
    name: 'the image of a container action',
    path: 'action.yml',
    text: 'runs:\n  using: docker\n  image: docker://a/b:1',
    expected: ['major unpinned-action 3'],
  },
  { name: 'a full hash with a comment', text: job('push', `      - uses: a/b@${SHA} # v1\n      - uses: a/b@${'ab'.repeat(32)}`), expected: [] },
  {
    name: 'first-party actions',
    text: job('push', '      - uses: actions/checkout@v4\n      - uses: github/codeql-action/init@v3\n      - uses: Actions/cache@main'),
    expected: [],
  },
  {
    name: 'local actions and workflows',
    text: `on: push\njobs:\n  a:\n    uses: ./.github/workflows/x.yml\n  b:\n    runs-on: x\n    steps:\n      - uses: ./build\n      - uses: docker://a@${DIGEST}`,
    expected: [],
  },
  { name: 'a Dockerfile of an action', path: 'action.yml', text: 'runs:\n  using: docker\n  image: Dockerfile', expected: [] },
  { name: 'uses in a script', text: job('push', '      - run: |\n          uses: a/b@v1'), expected: [] },
];

const others: readonly Case[] = [
  { name: 'write-all of the workflow', text: `permissions: write-all\n${job('push', '      - run: true')}`, expected: ['major excessive-permissions 1'] },
  { name: 'write-all of a job', text: job('push', '      - run: true', '    permissions: write-all\n'), expected: ['major excessive-permissions 5'] },
  {
    name: 'read-all, none, single ones',
    text: `permissions: read-all\n${job('push', '      - run: true', '    permissions:\n      contents: write\n')}`,
    expected: [],
  },
  {
    name: 'a self-hosted runner on pull requests',
    text: 'on: pull_request\njobs:\n  a:\n    runs-on: self-hosted\n    steps: []',
    expected: ['major self-hosted-on-forks 4'],
  },
  { name: 'among other labels', text: 'on:\n  pull_request:\njobs:\n  a:\n    runs-on: [self-hosted, linux]', expected: ['major self-hosted-on-forks 5'] },
  {
    name: 'as labels of a group',
    text: 'on: pull_request\njobs:\n  a:\n    runs-on:\n      group: g\n      labels: self-hosted',
    expected: ['major self-hosted-on-forks 6'],
  },
  {
    name: 'out of the matrix',
    text: 'on: pull_request\njobs:\n  a:\n    strategy:\n      matrix:\n        os: [ubuntu-latest, self-hosted]\n    runs-on: ${{ matrix.os }}',
    expected: ['major self-hosted-on-forks 7'],
  },
  {
    name: 'out of an include of the matrix',
    text: 'on: pull_request\njobs:\n  a:\n    strategy:\n      matrix:\n        include:\n          - os: [self-hosted, x]\n    runs-on: ${{ matrix.os }}',
    expected: ['major self-hosted-on-forks 8'],
  },
  { name: 'as JSON', text: `on: pull_request\njobs:\n  a:\n    runs-on: \${{ fromJSON('["self-hosted","x"]') }}`, expected: ['major self-hosted-on-forks 4'] },
  { name: 'started by a comment', text: 'on: issue_comment\njobs:\n  a:\n    runs-on: self-hosted', expected: ['minor self-hosted-on-forks 4'] },
  { name: 'started by a push', text: 'on: push\njobs:\n  a:\n    runs-on: self-hosted', expected: [] },
  { name: 'a hosted runner', text: 'on: pull_request\njobs:\n  a:\n    runs-on: ubuntu-latest\n    # self-hosted\n    name: self-hosted', expected: [] },
  {
    name: 'forks kept out',
    text: "on: [push, pull_request]\njobs:\n  a:\n    if: github.event_name != 'pull_request' || github.event.pull_request.head.repo.full_name == github.repository\n    runs-on: self-hosted",
    expected: [],
  },
  {
    name: 'only for pushes',
    text: "on: [push, pull_request]\njobs:\n  a:\n    runs-on: ${{ github.event_name == 'push' && 'self-hosted' || 'ubuntu-latest' }}",
    expected: [],
  },
  {
    name: 'all secrets as JSON',
    text: job('push', '      - run: deploy\n        env:\n          ALL: ${{ toJSON(secrets) }}'),
    expected: ['major secrets-exposed 8'],
  },
  {
    name: 'all secrets for another repository',
    text: `on: push\njobs:\n  a:\n    uses: o/r/.github/workflows/x.yml@${SHA}\n    secrets: inherit`,
    expected: ['minor secrets-exposed 5'],
  },
  {
    name: 'all secrets for an own workflow, one secret',
    text: 'on: push\njobs:\n  a:\n    uses: ./.github/workflows/x.yml\n    secrets: inherit\n  b:\n    uses: ./.github/workflows/x.yml\n    secrets:\n      T: ${{ secrets.T }}',
    expected: [],
  },
  {
    name: 'old commands allowed',
    text: job('push', '      - run: true', "    env:\n      ACTIONS_ALLOW_UNSECURE_COMMANDS: 'true'\n"),
    expected: ['major insecure-commands 6'],
  },
  {
    name: 'old commands used',
    text: job('push', '      - run: |\n          echo a\n          echo "::set-env name=A::b"'),
    expected: ['major insecure-commands 8'],
  },
  {
    name: 'old commands named in a comment, not allowed',
    text: job(
      'push',
      '      - run: |\n          # ::set-env name=A::b\n          echo "::add-mask::x"',
      '    env:\n      ACTIONS_ALLOW_UNSECURE_COMMANDS: false\n',
    ),
    expected: [],
  },
  {
    name: 'a comment exported',
    text: job('issue_comment', '      - env:\n          B: ${{ github.event.comment.body }}\n        run: echo "BODY=$B" >> "$GITHUB_ENV"'),
    expected: ['blocker env-file-injection 8'],
  },
  {
    name: 'a branch name on the PATH',
    text: job('pull_request_target', '      - env:\n          B: ${{ github.head_ref }}\n        run: echo "/opt/$B" >> $GITHUB_PATH'),
    expected: ['blocker env-file-injection 8'],
  },
  {
    name: 'one line exported, a body counted',
    text: job(
      'issues',
      '      - env:\n          T: ${{ github.event.issue.title }}\n          B: ${{ github.event.issue.body }}\n        run: |\n          echo "T=$T" >> $GITHUB_ENV\n          echo "N=$(wc -c <<< "$B")" >> $GITHUB_ENV\n          echo "$B" >> body.txt',
    ),
    expected: [],
  },
];

for (const { name, text, expected, path } of [...injection, ...harmless, ...checkouts, ...references, ...others]) {
  test(`${verifies('SPEC-6')} ${name}`, async () => {
    const file = changed(path ?? '.github/workflows/ci.yml', text);
    const { findings, partial } = await check(contextOf([file], true));
    expect(findings.map(({ severity, rule, line }) => `${severity} ${rule.replace('workflows/', '')} ${line}`)).toEqual(expected);
    expect(partial).toEqual([]);
  });
}
