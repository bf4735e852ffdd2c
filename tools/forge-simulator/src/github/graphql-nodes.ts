/** Pull requests, review threads and comments as nodes of GitHub's GraphQL schema. */
import type { Site } from '../http/dialect.ts';
import { anchorOf, numberOn, placedLine, placedStart } from '../state/anchor.ts';
import type { Account } from '../state/account.ts';
import type { Change, Thread } from '../state/change.ts';
import type { Remark } from '../state/issue.ts';
import type { Repository } from '../state/repository.ts';
import { iso, nodeId } from './github-words.ts';
import { association, pageOf } from './print-account.ts';
import { connection, type GraphqlNode } from './graphql-select.ts';

export interface GraphScene {
  readonly site: Site;
  readonly viewer: Account | null;
}

export const threadId = (thread: Thread): string => nodeId('PRRT', thread.id);
export const changeId = (change: Change): string => nodeId('PR', change.id);
export const reviewCommentId = (remark: Remark): string => nodeId('PRRC', remark.id);

export const actorNode = (scene: GraphScene, account: Account): GraphqlNode => ({
  __typename: account.kind === 'bot' ? 'Bot' : 'User',
  id: nodeId('U', account.id),
  databaseId: account.id,
  // GraphQL prints an app's bot without the suffix that REST gives it.
  login: account.login.replace(/\[bot\]$/, ''),
  avatarUrl: `${scene.site.url}/avatars/u/${account.id}?v=4`,
  url: `${scene.site.url}/${account.login}`,
});

export function repositoryNode(scene: GraphScene, repository: Repository): GraphqlNode {
  return {
    __typename: 'Repository',
    id: nodeId('R', repository.id),
    databaseId: repository.id,
    name: repository.name,
    nameWithOwner: repository.fullName,
    owner: actorNode(scene, repository.owner),
    isPrivate: repository.private,
    url: pageOf(scene.site, repository),
    pullRequest: (values: Record<string, unknown>) => {
      const change = repository.changes.find(one => one.number === values['number']);
      return change === undefined ? null : changeNode(scene, repository, change);
    },
  };
}

export function changeNode(scene: GraphScene, repository: Repository, change: Change): GraphqlNode {
  const threads = change.threads.filter(
    thread => thread.place !== null && (thread.review?.state !== 'pending' || thread.review.author.id === scene.viewer?.id),
  );
  return {
    __typename: 'PullRequest',
    id: changeId(change),
    databaseId: change.id,
    number: change.number,
    title: change.title,
    body: change.body,
    state: change.state.toUpperCase(),
    isDraft: change.draft,
    merged: change.state === 'merged',
    closed: change.state !== 'open',
    headRefName: change.head,
    headRefOid: change.headSha,
    baseRefName: change.base,
    baseRefOid: change.baseSha,
    url: `${pageOf(scene.site, repository)}/pull/${change.number}`,
    author: actorNode(scene, change.author),
    updatedAt: iso(change.updatedAt),
    repository: () => repositoryNode(scene, repository),
    autoMergeRequest:
      change.autoMerge === null
        ? null
        : {
            __typename: 'AutoMergeRequest',
            enabledAt: iso(change.updatedAt),
            mergeMethod: change.autoMerge.method,
            enabledBy: actorNode(scene, change.autoMerge.by),
          },
    reviewThreads: connection(
      'PullRequestReviewThread',
      threads.map(thread => threadNode(scene, repository, change, thread)),
    ),
  };
}

export function threadNode(scene: GraphScene, repository: Repository, change: Change, thread: Thread): GraphqlNode {
  const { place } = thread;
  if (place === null) throw new Error('a review thread has a place');
  const anchor = async () => anchorOf(repository, change, place);
  return {
    __typename: 'PullRequestReviewThread',
    id: threadId(thread),
    isResolved: thread.resolved,
    isCollapsed: thread.resolved,
    isOutdated: async () => (await anchor()) === null,
    path: async () => (await anchor())?.file.path ?? place.path,
    line: async () => numberOn((await anchor())?.line, place.side),
    startLine: async () => numberOn((await anchor())?.start, place.startSide ?? 'NEW'),
    originalLine: placedLine(place),
    originalStartLine: placedStart(place),
    diffSide: place.side === 'OLD' ? 'LEFT' : 'RIGHT',
    startDiffSide: place.startSide === null ? null : place.startSide === 'OLD' ? 'LEFT' : 'RIGHT',
    subjectType: place.oldLine === null && place.newLine === null ? 'FILE' : 'LINE',
    resolvedBy: thread.resolvedBy === null ? null : actorNode(scene, thread.resolvedBy),
    viewerCanResolve: scene.viewer !== null && !thread.resolved,
    viewerCanUnresolve: scene.viewer !== null && thread.resolved,
    viewerCanReply: scene.viewer !== null,
    pullRequest: () => changeNode(scene, repository, change),
    comments: connection(
      'PullRequestReviewComment',
      thread.remarks.map(remark => commentNode(scene, repository, change, { thread, remark })),
    ),
  };
}

export function commentNode(
  scene: GraphScene,
  repository: Repository,
  change: Change,
  said: { readonly thread: Thread; readonly remark: Remark },
): GraphqlNode {
  const { thread, remark } = said;
  return {
    __typename: 'PullRequestReviewComment',
    id: reviewCommentId(remark),
    databaseId: remark.id,
    fullDatabaseId: String(remark.id),
    body: remark.body,
    path: thread.place?.path ?? '',
    outdated: async () => thread.place !== null && (await anchorOf(repository, change, thread.place)) === null,
    author: actorNode(scene, remark.author),
    authorAssociation: association(repository, remark.author),
    createdAt: iso(remark.createdAt),
    updatedAt: iso(remark.updatedAt),
    isMinimized: false,
    url: `${pageOf(scene.site, repository)}/pull/${change.number}#discussion_r${remark.id}`,
    originalCommit: { __typename: 'Commit', oid: thread.place?.commit ?? null },
    commit: { __typename: 'Commit', oid: change.headSha },
    replyTo: () => {
      const parent = thread.remarks.find(one => one.id === remark.parent);
      return parent === undefined ? null : commentNode(scene, repository, change, { thread, remark: parent });
    },
    pullRequestReview:
      thread.review === null
        ? null
        : { __typename: 'PullRequestReview', id: nodeId('PRR', thread.review.id), databaseId: thread.review.id, state: thread.review.state.toUpperCase() },
  };
}
