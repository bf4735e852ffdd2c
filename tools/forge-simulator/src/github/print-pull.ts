/** Pull requests, their files, commits, reviews and review comments as GitHub prints them. */
import type { ChangedFile } from '../git/changed-file.ts';
import type { GitCommit } from '../git/git-store.ts';
import type { Site } from '../http/dialect.ts';
import { anchorOf, changeFiles, diffBase, numberOn, placedLine, placedStart, writtenUnder } from '../state/anchor.ts';
import type { Change, Place, Review, Thread } from '../state/change.ts';
import type { Issue, Remark } from '../state/issue.ts';
import type { Repository } from '../state/repository.ts';
import { iso, isoOrNull, nodeId } from './github-words.ts';
import { association, pageOf, printLabel, printMilestone, printReactions, printRepository, printUser, repositoryUrl } from './print-account.ts';

type Json = Record<string, unknown>;

const link = (href: string): Json => ({ href });

function branch(site: Site, repository: Repository, ref: string, sha: string): Json {
  return { label: `${repository.owner.login}:${ref}`, ref, sha, user: printUser(site, repository.owner), repo: printRepository(site, repository) };
}

/** The short form that lists carry. */
export function printPull(site: Site, repository: Repository, change: Change): Json {
  const url = `${repositoryUrl(site, repository)}/pulls/${change.number}`;
  const page = `${pageOf(site, repository)}/pull/${change.number}`;
  const issueUrl = `${repositoryUrl(site, repository)}/issues/${change.number}`;
  const statuses = `${repositoryUrl(site, repository)}/statuses/${change.headSha}`;
  return {
    url,
    id: change.id,
    node_id: nodeId('PR', change.id),
    html_url: page,
    diff_url: `${page}.diff`,
    patch_url: `${page}.patch`,
    issue_url: issueUrl,
    number: change.number,
    state: change.state === 'open' ? 'open' : 'closed',
    locked: false,
    title: change.title,
    user: printUser(site, change.author),
    body: change.body === '' ? null : change.body,
    created_at: iso(change.createdAt),
    updated_at: iso(change.updatedAt),
    closed_at: isoOrNull(change.closedAt),
    merged_at: isoOrNull(change.merge?.at ?? null),
    merge_commit_sha: change.merge?.sha ?? null,
    assignee: change.assignees[0] ? printUser(site, change.assignees[0]) : null,
    assignees: change.assignees.map(account => printUser(site, account)),
    requested_reviewers: change.reviewers.map(account => printUser(site, account)),
    requested_teams: [],
    labels: change.labels.map(label => printLabel(site, repository, label)),
    milestone: change.milestone === null ? null : printMilestone(site, repository, change.milestone),
    draft: change.draft,
    commits_url: `${url}/commits`,
    review_comments_url: `${url}/comments`,
    review_comment_url: `${repositoryUrl(site, repository)}/pulls/comments{/number}`,
    comments_url: `${issueUrl}/comments`,
    statuses_url: statuses,
    head: branch(site, repository, change.head, change.headSha),
    base: branch(site, repository, change.base, change.baseSha),
    _links: {
      self: link(url),
      html: link(page),
      issue: link(issueUrl),
      comments: link(`${issueUrl}/comments`),
      review_comments: link(`${url}/comments`),
      review_comment: link(`${repositoryUrl(site, repository)}/pulls/comments{/number}`),
      commits: link(`${url}/commits`),
      statuses: link(statuses),
    },
    author_association: association(repository, change.author),
    auto_merge:
      change.autoMerge === null
        ? null
        : { enabled_by: printUser(site, change.autoMerge.by), merge_method: change.autoMerge.method.toLowerCase(), commit_title: null, commit_message: null },
    active_lock_reason: null,
  };
}

/** The long form of one pull request. */
export async function printWholePull(site: Site, repository: Repository, change: Change): Promise<Json> {
  const files = await changeFiles(repository, change);
  const clean = change.state !== 'open' || (await repository.git.mergeTree(change.baseSha, change.headSha)) !== undefined;
  return {
    ...printPull(site, repository, change),
    merged: change.state === 'merged',
    mergeable: change.state === 'open' ? clean : null,
    rebaseable: change.state === 'open' ? clean : null,
    mergeable_state: change.state === 'open' ? (change.draft ? 'draft' : clean ? 'clean' : 'dirty') : 'unknown',
    merged_by: change.merge === null ? null : printUser(site, change.merge.by),
    comments: change.remarks.length,
    review_comments: change.threads.reduce((sum, thread) => sum + thread.remarks.length, 0),
    maintainer_can_modify: false,
    commits: await repository.git.count(`${await diffBase(repository, change)}..${change.headSha}`),
    additions: files.reduce((sum, file) => sum + file.additions, 0),
    deletions: files.reduce((sum, file) => sum + file.deletions, 0),
    changed_files: files.length,
  };
}

export function printFile(site: Site, repository: Repository, file: ChangedFile, commit: string): Json {
  const path = file.path.split('/').map(encodeURIComponent).join('%2F');
  return {
    sha: /^0+$/.test(file.blob) ? null : file.blob,
    filename: file.path,
    status: file.patch === null && file.status === 'modified' && file.oldMode !== file.newMode ? 'changed' : file.status,
    additions: file.additions,
    deletions: file.deletions,
    changes: file.additions + file.deletions,
    blob_url: `${pageOf(site, repository)}/blob/${commit}/${path}`,
    raw_url: `${pageOf(site, repository)}/raw/${commit}/${path}`,
    contents_url: `${repositoryUrl(site, repository)}/contents/${path}?ref=${commit}`,
    ...(file.patch !== null && { patch: file.patch }),
    ...(file.oldPath !== file.path && { previous_filename: file.oldPath }),
  };
}

export function printCommit(site: Site, repository: Repository, commit: GitCommit): Json {
  const url = `${repositoryUrl(site, repository)}/commits/${commit.sha}`;
  const page = `${pageOf(site, repository)}/commit/${commit.sha}`;
  return {
    sha: commit.sha,
    node_id: nodeId('C', commit.sha),
    commit: {
      author: commit.author,
      committer: commit.author,
      message: commit.message,
      tree: { sha: commit.tree, url: `${repositoryUrl(site, repository)}/git/trees/${commit.tree}` },
      url: `${repositoryUrl(site, repository)}/git/commits/${commit.sha}`,
      comment_count: 0,
      verification: { verified: false, reason: 'unsigned', signature: null, payload: null, verified_at: null },
    },
    url,
    html_url: page,
    comments_url: `${url}/comments`,
    author: null,
    committer: null,
    parents: commit.parents.map(sha => ({
      sha,
      url: `${repositoryUrl(site, repository)}/commits/${sha}`,
      html_url: `${pageOf(site, repository)}/commit/${sha}`,
    })),
  };
}

export function printReview(site: Site, repository: Repository, change: Change, review: Review): Json {
  const page = `${pageOf(site, repository)}/pull/${change.number}#pullrequestreview-${review.id}`;
  const pull = `${repositoryUrl(site, repository)}/pulls/${change.number}`;
  return {
    id: review.id,
    node_id: nodeId('PRR', review.id),
    user: printUser(site, review.author),
    body: review.body,
    state: review.state.toUpperCase(),
    html_url: page,
    pull_request_url: pull,
    author_association: association(repository, review.author),
    _links: { html: link(page), pull_request: link(pull) },
    ...(review.submittedAt !== null && { submitted_at: iso(review.submittedAt) }),
    commit_id: review.commit,
  };
}

/** One inline comment; its present line is null once it is outdated, its original line stays. */
export async function printReviewComment(
  site: Site,
  repository: Repository,
  change: Change,
  said: { readonly thread: Thread; readonly remark: Remark },
): Promise<Json> {
  const { thread, remark } = said;
  const { place } = thread;
  if (place === null) throw new Error('a review comment has a place');
  const url = `${repositoryUrl(site, repository)}/pulls/comments/${remark.id}`;
  const page = `${pageOf(site, repository)}/pull/${change.number}#discussion_r${remark.id}`;
  const pull = `${repositoryUrl(site, repository)}/pulls/${change.number}`;
  return {
    url,
    pull_request_review_id: thread.review?.id ?? null,
    id: remark.id,
    node_id: nodeId('PRRC', remark.id),
    original_commit_id: place.commit,
    ...(remark.parent !== null && { in_reply_to_id: remark.parent }),
    user: printUser(site, remark.author),
    body: remark.body,
    created_at: iso(remark.createdAt),
    updated_at: iso(remark.updatedAt),
    html_url: page,
    pull_request_url: pull,
    author_association: association(repository, remark.author),
    _links: { self: link(url), html: link(page), pull_request: link(pull) },
    reactions: printReactions(url, remark.reactions),
    ...(await printPlace(repository, change, place)),
  };
}

/** Where the comment stood when it was written, and where it stands now. */
async function printPlace(repository: Repository, change: Change, place: Place): Promise<Json> {
  const anchor = await anchorOf(repository, change, place);
  const written = await writtenUnder(repository, place);
  const wholeFile = placedLine(place) === null;
  return {
    diff_hunk: written.hunk,
    ...(anchor === null ? { path: place.path, commit_id: place.commit } : { path: anchor.file.path, commit_id: change.headSha }),
    start_line: numberOn(anchor?.start, place.startSide ?? place.side),
    original_start_line: placedStart(place),
    start_side: place.startSide && githubSide(place.startSide),
    line: numberOn(anchor?.line, place.side),
    original_line: placedLine(place),
    side: githubSide(place.side),
    original_position: wholeFile ? 1 : written.position,
    position: wholeFile ? 1 : (anchor?.line?.position ?? null),
    subject_type: wholeFile ? 'file' : 'line',
  };
}

const githubSide = (side: 'OLD' | 'NEW'): string => (side === 'OLD' ? 'LEFT' : 'RIGHT');

/** An issue, or a pull request seen as one. */
export function printIssue(site: Site, repository: Repository, issue: Issue | Change): Json {
  const url = `${repositoryUrl(site, repository)}/issues/${issue.number}`;
  const pull = 'headSha' in issue;
  const page = `${pageOf(site, repository)}/${pull ? 'pull' : 'issues'}/${issue.number}`;
  return {
    url,
    repository_url: repositoryUrl(site, repository),
    labels_url: `${url}/labels{/name}`,
    comments_url: `${url}/comments`,
    events_url: `${url}/events`,
    html_url: page,
    id: issue.id,
    node_id: nodeId('I', issue.id),
    number: issue.number,
    title: issue.title,
    user: printUser(site, issue.author),
    labels: issue.labels.map(label => printLabel(site, repository, label)),
    state: issue.state === 'open' ? 'open' : 'closed',
    locked: false,
    assignee: issue.assignees[0] ? printUser(site, issue.assignees[0]) : null,
    assignees: issue.assignees.map(account => printUser(site, account)),
    milestone: issue.milestone === null ? null : printMilestone(site, repository, issue.milestone),
    comments: issue.remarks.length,
    created_at: iso(issue.createdAt),
    updated_at: iso(issue.updatedAt),
    closed_at: isoOrNull(issue.closedAt),
    author_association: association(repository, issue.author),
    active_lock_reason: null,
    ...(pull && {
      draft: issue.draft,
      pull_request: {
        url: `${repositoryUrl(site, repository)}/pulls/${issue.number}`,
        html_url: page,
        diff_url: `${page}.diff`,
        patch_url: `${page}.patch`,
        merged_at: isoOrNull(issue.merge?.at ?? null),
      },
    }),
    body: issue.body === '' ? null : issue.body,
    reactions: printReactions(url, issue.reactions),
    timeline_url: `${url}/timeline`,
    performed_via_github_app: null,
    state_reason: pull ? null : issue.stateReason,
  };
}
