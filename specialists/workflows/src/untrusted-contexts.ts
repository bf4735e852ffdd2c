/**
 * Contexts that hold text written by somebody outside the repository's own files, as data.
 * Source of the facts: GitHub's hardening guide, and the lists of CodeQL's Actions queries and of actionlint.
 */
import type { Path } from './expression.ts';

export interface Source {
  /** The path as people write it; `*` stands for an element of a list. */
  readonly context: string;
  /** Who chooses the text, as the subject of a sentence. */
  readonly who: string;
  /** `outsider`: no right in the repository is needed. `insider`: the right to start a run. */
  readonly by: 'outsider' | 'insider';
  /** True when the text may hold line feeds. */
  readonly multiline: boolean;
  /** Events whose payload has it. */
  readonly events: readonly string[];
}

const PULL_REQUEST = ['pull_request', 'pull_request_target', 'pull_request_review', 'pull_request_review_comment'];
const ISSUE = ['issues', 'issue_comment'];
const DISCUSSION = ['discussion', 'discussion_comment'];
const COMMENT = ['issue_comment', 'pull_request_review_comment', 'discussion_comment', 'commit_comment'];
const EDITED = ['issues', 'issue_comment', 'discussion', 'discussion_comment', ...PULL_REQUEST];

const AUTHOR = 'The author of the pull request';
const COMMITTER = 'The author of a commit';

/** `+` in front of a path marks text that may hold line feeds. */
const OUTSIDE: readonly (readonly [who: string, events: readonly string[], paths: readonly string[]])[] = [
  ['Anyone who opens an issue', ISSUE, ['issue.title', '+issue.body']],
  [AUTHOR, PULL_REQUEST, ['pull_request.title', '+pull_request.body', 'pull_request.head.ref', 'pull_request.head.label']],
  [AUTHOR, PULL_REQUEST, ['pull_request.head.repo.default_branch', 'pull_request.head.repo.description', 'pull_request.head.repo.homepage']],
  ['Anyone who comments', COMMENT, ['+comment.body', '+review_comment.body']],
  ['Anyone who reviews', ['pull_request_review', 'pull_request_review_comment'], ['+review.body']],
  ['Anyone who opens a discussion', DISCUSSION, ['discussion.title', '+discussion.body']],
  ['Anyone who may edit the text', EDITED, ['changes.title.from', '+changes.body.from', 'changes.head.ref.from']],
  ['Anyone who may edit the wiki', ['gollum'], ['pages.*.page_name', 'pages.*.title', 'pages.*.summary']],
  [COMMITTER, ['push'], ['+commits.*.message', 'commits.*.author.name', 'commits.*.author.email', 'commits.*.committer.name', 'commits.*.committer.email']],
  [COMMITTER, ['push'], ['+head_commit.message', 'head_commit.author.name', 'head_commit.author.email']],
  [COMMITTER, ['push'], ['head_commit.committer.name', 'head_commit.committer.email']],
  [AUTHOR, ['workflow_run'], ['workflow_run.head_branch', 'workflow_run.display_title', 'workflow_run.pull_requests.*.head.ref']],
  [AUTHOR, ['workflow_run'], ['+workflow_run.head_commit.message', 'workflow_run.head_commit.author.name', 'workflow_run.head_commit.author.email']],
  [AUTHOR, ['workflow_run'], ['workflow_run.head_commit.committer.name', 'workflow_run.head_commit.committer.email']],
  [AUTHOR, ['workflow_run'], ['workflow_run.head_repository.description']],
];

const sourceOf = (who: string, events: readonly string[], path: string): Source => {
  const multiline = path.startsWith('+');
  return { context: `github.event.${multiline ? path.slice(1) : path}`, who, by: 'outsider', multiline, events };
};

export const UNTRUSTED: readonly Source[] = [
  { context: 'github.head_ref', who: AUTHOR, by: 'outsider', multiline: false, events: PULL_REQUEST },
  ...OUTSIDE.flatMap(([who, events, paths]) => paths.map(path => sourceOf(who, events, path))),
  {
    context: 'github.event.client_payload.*',
    who: 'Anyone with a token that may dispatch',
    by: 'insider',
    multiline: true,
    events: ['repository_dispatch'],
  },
];

/** How much of a value a look-up reaches: the text itself, or a list or object around it. */
export type Reach = 'text' | 'list' | 'object';

const fits = (wanted: string, given: string): boolean => given === '*' || wanted === '*' || wanted === given;

const reachOf = (wanted: Path, path: Path): Reach | undefined => {
  const shared = Math.min(wanted.length, path.length);
  for (let at = 0; at < shared; at++) if (!fits(wanted[at] ?? '', path[at] ?? '')) return undefined;
  if (path.length < wanted.length) return 'object';
  const filtered = path.lastIndexOf('*');
  return filtered >= 0 && !path.slice(filtered + 1).includes('#') ? 'list' : 'text';
};

/** The sources that a look-up reaches, each with how. `github` alone reaches all of them as an object. */
export const sourcesAt = (table: readonly Source[], path: Path): readonly { readonly source: Source; readonly reach: Reach }[] =>
  table.flatMap(source => {
    const reach = reachOf(source.context.split('.'), path);
    return reach === undefined ? [] : [{ source, reach }];
  });
