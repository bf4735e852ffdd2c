/** GitHub's GraphQL endpoint: reading review threads, and the few mutations that REST lacks. Errors come inside a 200. */
import { type Answer, type Call, json } from '../http/call.ts';
import type { Site } from '../http/dialect.ts';
import { isRecord } from '../http/fields.ts';
import { actor } from '../http/repository-route.ts';
import type { Change, Thread } from '../state/change.ts';
import { setDraft } from '../state/change-actions.ts';
import type { Repository } from '../state/repository.ts';
import { replyInThread, resolveThread } from '../state/talk-actions.ts';
import type { World } from '../state/world.ts';
import { refuse } from './github-words.ts';
import { type GraphqlDocument, readGraphql } from './graphql-document.ts';
import { actorNode, changeId, changeNode, commentNode, type GraphScene, repositoryNode, threadId, threadNode } from './graphql-nodes.ts';
import { GraphqlError, type GraphqlNode, select } from './graphql-select.ts';

type Values = Record<string, unknown>;

export async function graphql(world: World, site: Site, call: Call): Promise<Answer> {
  if (call.account === null) return refuse(401, 'This endpoint requires you to be authenticated.');
  const source = call.fields.text('query');
  if (source === undefined) return json({ errors: [{ message: 'A query attribute must be specified and must be a string.' }] }, 200);
  try {
    return json(await execute(world, { site, viewer: call.account }, call, readGraphql(source)));
  } catch (error) {
    if (error instanceof GraphqlError)
      return json({
        ...(error.type === 'NOT_FOUND' && { data: null }),
        errors: [{ type: error.type, message: error.message, locations: [{ line: 1, column: 1 }] }],
      });
    if (error instanceof SyntaxError) return json({ errors: [{ message: `Parse error: ${error.message}`, locations: [{ line: 1, column: 1 }] }] });
    throw error;
  }
}

async function execute(world: World, scene: GraphScene, call: Call, document: GraphqlDocument): Promise<Values> {
  const variables = call.fields.object('variables')?.all() ?? {};
  const wanted = call.fields.text('operationName');
  const operation = document.operations.find(one => wanted === undefined || one.name === wanted);
  if (operation === undefined) return { errors: [{ message: `No operation named ${JSON.stringify(wanted ?? '')}` }] };
  const absent = operation.required.filter(name => variables[name] === undefined || variables[name] === null);
  const problems = [{ path: [], explanation: 'Expected value to not be null' }];
  if (absent.length > 0)
    return { errors: absent.map(name => ({ message: `Variable $${name} was provided invalid value`, extensions: { value: null, problems } })) };
  const root = operation.kind === 'query' ? queryRoot(world, scene) : mutationRoot(world, scene, call);
  return { data: await select(root, operation.selections, { document, variables }) };
}

function visible(world: World, scene: GraphScene): readonly Repository[] {
  return world.repositories.filter(repository => world.may(repository, scene.viewer, 'read'));
}

function queryRoot(world: World, scene: GraphScene): GraphqlNode {
  return {
    __typename: 'Query',
    viewer: scene.viewer === null ? null : actorNode(scene, scene.viewer),
    rateLimit: { __typename: 'RateLimit', limit: 5000, cost: 1, remaining: 4999, used: 1, resetAt: new Date(world.now().getTime() + 3_600_000).toISOString() },
    repository: (values: Values) => {
      const name = `${String(values['owner'])}/${String(values['name'])}`;
      const repository = visible(world, scene).find(one => one.fullName.toLowerCase() === name.toLowerCase());
      if (repository === undefined) throw new GraphqlError('NOT_FOUND', `Could not resolve to a Repository with the name '${name}'.`);
      return repositoryNode(scene, repository);
    },
    node: (values: Values) => {
      const id = String(values['id']);
      for (const repository of visible(world, scene))
        for (const change of repository.changes) {
          if (changeId(change) === id) return changeNode(scene, repository, change);
          const thread = change.threads.find(one => threadId(one) === id);
          if (thread !== undefined) return threadNode(scene, repository, change, thread);
        }
      throw new GraphqlError('NOT_FOUND', `Could not resolve to a node with the global id of '${id}'`);
    },
  };
}

interface Target {
  readonly repository: Repository;
  readonly change: Change;
}

function mutationRoot(world: World, scene: GraphScene, call: Call): GraphqlNode {
  const by = actor(call);
  const input = (values: Values): Values => (isRecord(values['input']) ? values['input'] : {});
  const everywhere = (): readonly Target[] => visible(world, scene).flatMap(repository => repository.changes.map(change => ({ repository, change })));
  const changeTarget = (values: Values): Target => {
    const id = String(input(values)['pullRequestId']);
    const target = everywhere().find(one => changeId(one.change) === id);
    if (target === undefined) throw new GraphqlError('NOT_FOUND', `Could not resolve to a node with the global id of '${id}'`);
    return target;
  };
  const threadTarget = (values: Values, field: string): Target & { readonly thread: Thread } => {
    const id = String(input(values)[field]);
    for (const target of everywhere()) {
      const thread = target.change.threads.find(one => threadId(one) === id);
      if (thread !== undefined) return { ...target, thread };
    }
    throw new GraphqlError('NOT_FOUND', `Could not resolve to a node with the global id of '${id}'`);
  };
  const settle = (resolved: boolean) => (values: Values) => {
    const { repository, change, thread } = threadTarget(values, 'threadId');
    if (change.author.id !== by.id && !world.may(repository, by, 'write')) throw new GraphqlError('FORBIDDEN', 'Resource not accessible by integration');
    resolveThread(world, repository, change, { thread, by, resolved });
    return {
      __typename: 'ResolveReviewThreadPayload',
      clientMutationId: input(values)['clientMutationId'] ?? null,
      thread: threadNode(scene, repository, change, thread),
    };
  };
  const draft = (value: boolean) => (values: Values) => {
    const { repository, change } = changeTarget(values);
    if (change.author.id !== by.id && !world.may(repository, by, 'write')) throw new GraphqlError('FORBIDDEN', `${by.login} does not have permission`);
    if (change.draft === value) throw new GraphqlError('UNPROCESSABLE', value ? 'Pull request is already a draft' : 'Pull request is not a draft');
    setDraft(world, repository, change, { draft: value, by });
    return { __typename: 'Payload', clientMutationId: null, pullRequest: changeNode(scene, repository, change) };
  };
  const autoMerge = (on: boolean) => (values: Values) => {
    const { repository, change } = changeTarget(values);
    if (on && change.state !== 'open') throw new GraphqlError('UNPROCESSABLE', 'Pull request is closed');
    if (on && !repository.protections.has(change.base))
      throw new GraphqlError('UNPROCESSABLE', 'Pull request Protected branch rules not configured for this branch');
    change.autoMerge = on ? { by, method: String(input(values)['mergeMethod'] ?? 'MERGE') } : null;
    return { __typename: 'Payload', clientMutationId: null, actor: actorNode(scene, by), pullRequest: changeNode(scene, repository, change) };
  };
  return {
    __typename: 'Mutation',
    resolveReviewThread: settle(true),
    unresolveReviewThread: settle(false),
    markPullRequestReadyForReview: draft(false),
    convertPullRequestToDraft: draft(true),
    enablePullRequestAutoMerge: autoMerge(true),
    disablePullRequestAutoMerge: autoMerge(false),
    addPullRequestReviewThreadReply: (values: Values) => {
      const { repository, change, thread } = threadTarget(values, 'pullRequestReviewThreadId');
      const remark = replyInThread(world, repository, change, { thread, by, body: String(input(values)['body'] ?? '') });
      return {
        __typename: 'AddPullRequestReviewThreadReplyPayload',
        clientMutationId: null,
        comment: commentNode(scene, repository, change, { thread, remark }),
      };
    },
  };
}
