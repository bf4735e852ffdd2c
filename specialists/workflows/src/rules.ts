/**
 * The rules of this specialist, one row each. The reference pages are generated from these rows.
 * `equivalent` names the rules of other tools that mean the same matter; ids are lower case as imported findings are.
 */
import type { Rule } from '@weir/specialist-kit';

const scriptInjection: Rule = {
  id: 'workflows/script-injection',
  title: 'Untrusted text is expanded into a script',
  severity: 'blocker',
  category: 'security',
  why: 'The CI system pastes the text into the script before a shell or interpreter reads it. A title such as "; curl … | sh #" then runs as a command, with the secrets and the token of the run.',
  fix: 'Hand the text over as an environment variable and read it, quoted, in the script. A variable is data; it is never parsed as code.',
  bad: `on: issues
jobs:
  greet:
    runs-on: ubuntu-latest
    steps:
      - run: echo "New issue \${{ github.event.issue.title }}"`,
  good: `on: issues
jobs:
  greet:
    runs-on: ubuntu-latest
    steps:
      - env:
          TITLE: \${{ github.event.issue.title }}
        run: echo "New issue $TITLE"`,
  limits:
    'Values are followed within one file: through env, one-line writes to GITHUB_OUTPUT and GITHUB_ENV, job outputs, the matrix and inputs. Outputs of other actions, files and artifacts are not followed. Branch and tag names that only writers can set (github.ref_name) are left out. In GitLab pipelines variables are data to the shell, so only places that evaluate text again are reported: eval, sh -c, ssh and interpreters with an inline program.',
  equivalent: [
    'zizmor/template-injection',
    'actionlint/expression',
    'codeql/actions/code-injection*',
    'codeql/actions/command-injection*',
    'semgrep/yaml.github-actions.security.run-shell-injection*',
    'semgrep/yaml.github-actions.security.github-script-injection*',
    'checkov/ckv_gha_2',
    'plumber/issue-204',
    'poutine/injection',
  ],
};

const headCheckout: Rule = {
  id: 'workflows/pull-request-target-checkout',
  title: "A privileged run checks out a pull request's code",
  severity: 'blocker',
  category: 'security',
  why: "pull_request_target, workflow_run and issue_comment run with the repository's secrets and a token that may write. Code of a pull request that runs there belongs to a stranger who now has both.",
  fix: 'Build and test the head under pull_request, without secrets. Let a second workflow act on the result, without checking out or running the code.',
  bad: `on: pull_request_target
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
        with:
          ref: \${{ github.event.pull_request.head.sha }}
      - run: npm ci && npm test`,
  good: `on: pull_request
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - run: npm ci && npm test`,
  limits:
    'A blocker when a later step of the same job runs the code, else major. A condition that keeps forks out ends the matter; a label, a role or an environment lowers it. Commands are known by name; code that an unknown command runs is not seen. From v7 on (and under moved major tags since July 2026) actions/checkout itself refuses the head of a fork unless allow-unsafe-pr-checkout is true; git and gh do not.',
  equivalent: [
    'zizmor/dangerous-triggers',
    'codeql/actions/untrusted-checkout*',
    'semgrep/yaml.github-actions.security.pull-request-target-code-checkout*',
    'semgrep/yaml.github-actions.security.workflow-run-target-code-checkout*',
    'poutine/untrusted_checkout_exec',
  ],
};

const unpinnedAction: Rule = {
  id: 'workflows/unpinned-action',
  title: 'A third-party action is not pinned to a commit',
  severity: 'major',
  category: 'security',
  why: 'A tag or branch can be moved to other code at any time. Whoever takes over the action then runs in this pipeline, with its token and secrets, and no change of this repository shows it.',
  fix: 'Pin to the full commit hash and keep the version as a comment, so that update tools can raise both. Pin images to a digest.',
  bad: '- uses: tj-actions/changed-files@v44',
  good: '- uses: tj-actions/changed-files@48d8f15b2aaa3d255ca5af3eba4870f807ce6b3c # v45.0.2',
  limits:
    'Actions of the owners actions and github, and local ones, are not reported. Whether a hash belongs to the named repository, and what an action itself uses, is not checked. A reference that the change only moves or indents is not new. No replacement is offered: the right hash is not in the change.',
  equivalent: [
    'zizmor/unpinned-uses',
    'codeql/actions/unpinned-tag',
    'semgrep/yaml.github-actions.security.third-party-action-not-pinned-to-commit-sha*',
    'scorecard/pinneddependenciesid',
  ],
};

const excessivePermissions: Rule = {
  id: 'workflows/excessive-permissions',
  title: 'The run gets every write permission',
  severity: 'major',
  category: 'security',
  why: 'Every step, and every action that it uses, may then push code, publish packages and change settings. One compromised dependency is enough.',
  fix: 'Name the permissions that the job needs, at the job; start from `permissions: {}` or `contents: read`.',
  bad: 'permissions: write-all',
  good: `permissions:
  contents: read`,
  limits: 'Only write-all is certain. Single write permissions may be needed, and the default of a repository without `permissions` is not in the file.',
  equivalent: ['zizmor/excessive-permissions', 'checkov/ckv2_gha_1', 'scorecard/tokenpermissionsid'],
};

const selfHosted: Rule = {
  id: 'workflows/self-hosted-on-forks',
  title: 'Pull requests from forks run on a self-hosted runner',
  severity: 'major',
  category: 'security',
  why: 'A pull request brings its own code and workflow to a machine that outlives the job. It can leave a process or file behind, read what other jobs left, and reach the network around the machine.',
  fix: 'Run pull requests on hosted or single-use runners, or keep forks out with a condition on the head repository.',
  bad: `on: pull_request
jobs:
  test:
    runs-on: [self-hosted, linux]`,
  good: `on: pull_request
jobs:
  test:
    if: github.event.pull_request.head.repo.full_name == github.repository
    runs-on: [self-hosted, linux]`,
  limits:
    'Only the label self-hosted is certain; groups and custom labels may name hosted runners. Whether the repository is public, and whether runners are single-use, is not in the file. Major where the code of the pull request runs, minor where only the text of an outsider starts the run.',
  equivalent: ['zizmor/self-hosted-runner', 'poutine/pr_runs_on_self_hosted'],
};

const secretsExposed: Rule = {
  id: 'workflows/secrets-exposed',
  title: 'All secrets are handed over at once',
  severity: 'major',
  category: 'security',
  why: 'A step, log or workflow of somebody else gets secrets that it does not need. A leak there is a leak of all of them.',
  fix: 'Name the secrets that are needed, one by one.',
  bad: `env:
  ALL: \${{ toJSON(secrets) }}`,
  good: `env:
  TOKEN: \${{ secrets.PUBLISH_TOKEN }}`,
  limits:
    'Reported: toJSON(secrets), `secrets: inherit` to a workflow of another repository (minor: it may be of the same owner), and CI_DEBUG_TRACE switched on in a GitLab pipeline, which prints every variable to the log.',
  equivalent: [
    'zizmor/overprovisioned-secrets',
    'zizmor/secrets-inherit',
    'codeql/actions/excessive-secrets-exposure',
    'poutine/job_all_secrets',
    'poutine/debug_enabled',
  ],
};

const insecureCommands: Rule = {
  id: 'workflows/insecure-commands',
  title: 'The workflow uses the switched-off set-env commands',
  severity: 'major',
  category: 'security',
  why: 'With them, any text that a step prints can set environment variables and the PATH of later steps. They were switched off for that reason; without the switch such a line makes the step fail.',
  fix: 'Write to the files that GITHUB_ENV and GITHUB_PATH name.',
  bad: 'run: echo "::set-env name=VERSION::1.2"',
  good: 'run: echo "VERSION=1.2" >> "$GITHUB_ENV"',
  limits: 'Commands that a program prints are not seen.',
  equivalent: [
    'zizmor/insecure-commands',
    'actionlint/deprecated-commands',
    'checkov/ckv_gha_1',
    'semgrep/yaml.github-actions.security.allowed-unsecure-commands*',
  ],
};

const envFileInjection: Rule = {
  id: 'workflows/env-file-injection',
  title: "Untrusted text is written to the runner's environment",
  severity: 'blocker',
  category: 'security',
  why: 'A text with a line feed sets further variables, LD_PRELOAD or NODE_OPTIONS among them, and so runs code in the steps that follow. A line in GITHUB_PATH decides which programs they run.',
  fix: 'Do not export it: read it from env in each step that needs it. If it must be exported, use a random delimiter and drop line feeds.',
  bad: `- env:
    BODY: \${{ github.event.comment.body }}
  run: echo "BODY=$BODY" >> "$GITHUB_ENV"`,
  good: `- env:
    BODY: \${{ github.event.comment.body }}
  run: printf '%s' "$BODY" > body.txt`,
  limits:
    'Only writes that stand on one line are read, and only text that can hold a line feed counts for GITHUB_ENV. Text that another command has changed is not followed.',
  equivalent: ['zizmor/github-env', 'codeql/actions/envvar-injection*', 'codeql/actions/envpath-injection*'],
};

const unpinnedInclude: Rule = {
  id: 'workflows/unpinned-include',
  title: 'A pipeline includes a configuration that can change by itself',
  severity: 'major',
  category: 'security',
  why: 'The included file is part of this pipeline, with its variables and tokens. Who can change it, or the server that serves it, changes what runs here, and no change of this repository shows it.',
  fix: 'Give remote files an `integrity` hash, and projects and components a tag or commit.',
  bad: `include:
  - remote: https://example.com/ci/build.yml`,
  good: `include:
  - remote: https://example.com/ci/build.yml
    integrity: sha256-L3/GAoKaw0Arw6hDCKeKQlV1QPEgHYxGBHsH4zG1IY8=`,
  limits:
    'Major for remote files; minor for projects and components on a branch or without a version, which are often of the same owner. Tags count as pinned. A branch is known by its usual names.',
  equivalent: ['plumber/issue-404'],
};

/** All rules by the name that the checks use. */
export const rules = {
  scriptInjection,
  headCheckout,
  unpinnedAction,
  excessivePermissions,
  selfHosted,
  secretsExposed,
  insecureCommands,
  envFileInjection,
  unpinnedInclude,
} as const;
