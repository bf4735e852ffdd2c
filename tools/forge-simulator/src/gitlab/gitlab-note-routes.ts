/** GitLab: notes, discussions, draft notes and award emoji of merge requests and issues. */
import { type Answer, type Call, empty, json, list, type RouteTable } from '../http/call.ts';
import type { Site } from '../http/dialect.ts';
import { actor, type RepositoryGuard } from '../http/repository-route.ts';
import type { Change, Thread } from '../state/change.ts';
import type { Issue, Reaction, Remark } from '../state/issue.ts';
import type { Repository } from '../state/repository.ts';
import { addRemark, deleteRemark, editRemark, openThread, replyInThread, resolveThread } from '../state/talk-actions.ts';
import type { World } from '../state/world.ts';
import { checkNote, gitlabPlace } from './gitlab-placement.ts';
import { iso, need, printDiscussion, printNote, printPosition, printUser, refuse } from './gitlab-print.ts';

export const changeOf = (repository: Repository, call: Call): Change => need(repository.changes.find(change => change.number === Number(call.params['iid'])));
export const issueOf = (repository: Repository, call: Call): Issue => need(repository.issues.find(issue => issue.number === Number(call.params['iid'])));

interface Said {
  readonly thread: Thread;
  readonly remark: Remark;
}

const saidIn = (change: Change): readonly Said[] => change.threads.flatMap(thread => thread.remarks.map(remark => ({ thread, remark })));
const saidOf = (change: Change, call: Call): Said => need(saidIn(change).find(said => said.remark.id === Number(call.params['note_id'])));
const threadOf = (change: Change, call: Call): Thread =>
  need(
    change.threads.find(thread => thread.key === call.params['discussion_id']),
    'Discussion',
  );

function mayEdit(world: World, repository: Repository, call: Call, remark: Remark): boolean {
  return remark.author.id === actor(call).id || world.may(repository, actor(call), 'maintain');
}

export function gitlabNoteRoutes(world: World, site: Site, guard: RepositoryGuard): RouteTable {
  const NOTES = '/projects/{id}/merge_requests/{iid}/notes';
  const DISCUSSIONS = '/projects/{id}/merge_requests/{iid}/discussions';
  const edit = (call: Call, repository: Repository, change: Change, said: Said): Answer => {
    if (!mayEdit(world, repository, call, said.remark)) return refuse(403, '403 Forbidden');
    editRemark(world, repository, change, { ...said, by: actor(call), body: checkNote(call.fields.text('body')) });
    return json(printNote(site, repository, change, said));
  };
  const remove = (call: Call, repository: Repository, change: Change, said: Said): Answer => {
    if (!mayEdit(world, repository, call, said.remark)) return refuse(403, '403 Forbidden');
    deleteRemark(world, repository, change, { ...said, by: actor(call) });
    return empty();
  };
  return {
    [`GET ${NOTES}`]: guard('read', (call, repository) => {
      const change = changeOf(repository, call);
      const said = [...saidIn(change)].sort((one, other) => other.remark.id - one.remark.id);
      return list((call.query.get('sort') === 'asc' ? said.reverse() : said).map(one => printNote(site, repository, change, one)));
    }),
    [`POST ${NOTES}`]: guard('read', (call, repository) => {
      const change = changeOf(repository, call);
      const thread = openThread(world, repository, change, { by: actor(call), body: checkNote(call.fields.text('body')), place: null, individual: true });
      return json(printNote(site, repository, change, { thread, remark: need(thread.remarks[0]) }), 201);
    }),
    [`GET ${NOTES}/{note_id}`]: guard('read', (call, repository) => {
      const change = changeOf(repository, call);
      return json(printNote(site, repository, change, saidOf(change, call)));
    }),
    [`PUT ${NOTES}/{note_id}`]: guard('read', (call, repository) =>
      edit(call, repository, changeOf(repository, call), saidOf(changeOf(repository, call), call)),
    ),
    [`DELETE ${NOTES}/{note_id}`]: guard('read', (call, repository) =>
      remove(call, repository, changeOf(repository, call), saidOf(changeOf(repository, call), call)),
    ),
    [`GET ${DISCUSSIONS}`]: guard('read', (call, repository) => {
      const change = changeOf(repository, call);
      return list(change.threads.map(thread => printDiscussion(site, repository, change, thread)));
    }),
    [`POST ${DISCUSSIONS}`]: guard('read', async (call, repository) => {
      const change = changeOf(repository, call);
      const body = checkNote(call.fields.text('body'));
      const position = call.fields.object('position');
      const place = position === undefined ? null : await gitlabPlace(repository, change, position);
      return json(printDiscussion(site, repository, change, openThread(world, repository, change, { by: actor(call), body, place })), 201);
    }),
    [`GET ${DISCUSSIONS}/{discussion_id}`]: guard('read', (call, repository) => {
      const change = changeOf(repository, call);
      return json(printDiscussion(site, repository, change, threadOf(change, call)));
    }),
    [`PUT ${DISCUSSIONS}/{discussion_id}`]: guard('read', (call, repository) => settle(world, site, call, repository)),
    [`POST ${DISCUSSIONS}/{discussion_id}/notes`]: guard('read', (call, repository) => {
      const change = changeOf(repository, call);
      const thread = threadOf(change, call);
      const remark = replyInThread(world, repository, change, { thread, by: actor(call), body: checkNote(call.fields.text('body')) });
      return json(printNote(site, repository, change, { thread, remark }), 201);
    }),
    [`PUT ${DISCUSSIONS}/{discussion_id}/notes/{note_id}`]: guard('read', (call, repository) =>
      call.fields.has('resolved')
        ? settle(world, site, call, repository)
        : edit(call, repository, changeOf(repository, call), saidOf(changeOf(repository, call), call)),
    ),
    [`DELETE ${DISCUSSIONS}/{discussion_id}/notes/{note_id}`]: guard('read', (call, repository) =>
      remove(call, repository, changeOf(repository, call), saidOf(changeOf(repository, call), call)),
    ),
    ...issueNotes(world, site, guard),
    ...emoji(world, site, guard, '/projects/{id}/merge_requests/{iid}', (repository, call) => changeOf(repository, call).reactions),
    ...emoji(world, site, guard, `${NOTES}/{note_id}`, (repository, call) => saidOf(changeOf(repository, call), call).remark.reactions),
    ...draftNotes(world, guard),
  };
}

/** The change's author and anyone with the developer role may resolve. */
function settle(world: World, site: Site, call: Call, repository: Repository): Answer {
  const change = changeOf(repository, call);
  const thread = threadOf(change, call);
  const resolved = call.fields.flag('resolved') ?? (call.query.get('resolved') === null ? undefined : call.query.get('resolved') === 'true');
  if (resolved === undefined) return json({ error: 'resolved is missing' }, 400);
  if (thread.individual) return refuse(403, '403 Forbidden');
  if (change.author.id !== actor(call).id && !world.may(repository, actor(call), 'write')) return refuse(403, '403 Forbidden');
  resolveThread(world, repository, change, { thread, by: actor(call), resolved });
  return json(printDiscussion(site, repository, change, thread));
}

function issueNotes(world: World, site: Site, guard: RepositoryGuard): RouteTable {
  const NOTES = '/projects/{id}/issues/{iid}/notes';
  const print = (repository: Repository, issue: Issue, remark: Remark) =>
    printNote(site, repository, issue, {
      remark,
      thread: { id: remark.id, key: '', place: null, remarks: [remark], review: null, individual: true, resolved: false, resolvedBy: null },
    });
  return {
    [`GET ${NOTES}`]: guard('read', (call, repository) => {
      const issue = issueOf(repository, call);
      return list([...issue.remarks].reverse().map(remark => print(repository, issue, remark)));
    }),
    [`POST ${NOTES}`]: guard('read', (call, repository) => {
      const issue = issueOf(repository, call);
      return json(print(repository, issue, addRemark(world, repository, issue, { by: actor(call), body: checkNote(call.fields.text('body')) })), 201);
    }),
    [`PUT ${NOTES}/{note_id}`]: guard('read', (call, repository) => {
      const issue = issueOf(repository, call);
      const remark = need(issue.remarks.find(one => one.id === Number(call.params['note_id'])));
      if (!mayEdit(world, repository, call, remark)) return refuse(403, '403 Forbidden');
      editRemark(world, repository, issue, { remark, by: actor(call), body: checkNote(call.fields.text('body')) });
      return json(print(repository, issue, remark));
    }),
  };
}

function emoji(world: World, site: Site, guard: RepositoryGuard, path: string, of: (repository: Repository, call: Call) => Reaction[]): RouteTable {
  const print = (reaction: Reaction) => ({
    id: reaction.id,
    name: reaction.content,
    user: printUser(site, reaction.by),
    created_at: iso(reaction.at),
    updated_at: iso(reaction.at),
    awardable_id: 1,
    awardable_type: 'Note',
    url: null,
  });
  return {
    [`GET ${path}/award_emoji`]: guard('read', (call, repository) => list(of(repository, call).map(print))),
    [`POST ${path}/award_emoji`]: guard('read', (call, repository) => {
      const content = call.fields.text('name') ?? call.query.get('name') ?? '';
      const held = of(repository, call);
      if (held.some(one => one.content === content && one.by.id === actor(call).id))
        return refuse(404, '404 Award Emoji Name has already been taken Not Found');
      const reaction = { id: world.id('reaction'), content, by: actor(call), at: world.now() };
      held.push(reaction);
      return json(print(reaction), 201);
    }),
    [`DELETE ${path}/award_emoji/{award_id}`]: guard('read', (call, repository) => {
      const held = of(repository, call);
      held.splice(held.indexOf(need(held.find(one => one.id === Number(call.params['award_id'])))), 1);
      return empty();
    }),
  };
}

interface Draft {
  readonly id: number;
  readonly change: Change;
  readonly author: number;
  note: string;
  readonly place: Thread['place'];
  readonly answers: string | null;
}

/** Draft notes are their author's alone until they are published, all at once or one by one. */
function draftNotes(world: World, guard: RepositoryGuard): RouteTable {
  const DRAFTS = '/projects/{id}/merge_requests/{iid}/draft_notes';
  const drafts: Draft[] = [];
  const own = (change: Change, call: Call): readonly Draft[] => drafts.filter(draft => draft.change === change && draft.author === actor(call).id);
  const draftOf = (change: Change, call: Call): Draft => need(own(change, call).find(draft => draft.id === Number(call.params['draft_note_id'])));
  const print = (draft: Draft) => ({
    id: draft.id,
    author_id: draft.author,
    merge_request_id: draft.change.id,
    resolve_discussion: false,
    discussion_id: draft.answers,
    note: draft.note,
    commit_id: null,
    line_code: null,
    position: printPosition(draft.place),
  });
  const publish = (call: Call, repository: Repository, draft: Draft): void => {
    drafts.splice(drafts.indexOf(draft), 1);
    const thread = draft.change.threads.find(one => one.key === draft.answers);
    if (thread !== undefined) replyInThread(world, repository, draft.change, { thread, by: actor(call), body: draft.note });
    else openThread(world, repository, draft.change, { by: actor(call), body: draft.note, place: draft.place });
  };
  return {
    [`GET ${DRAFTS}`]: guard('write', (call, repository) => list(own(changeOf(repository, call), call).map(print))),
    [`POST ${DRAFTS}`]: guard('write', async (call, repository) => {
      const change = changeOf(repository, call);
      const position = call.fields.object('position');
      const draft = {
        id: world.id('draft'),
        change,
        author: actor(call).id,
        note: checkNote(call.fields.text('note'), 'note'),
        place: position === undefined ? null : await gitlabPlace(repository, change, position),
        answers: call.fields.text('in_reply_to_discussion_id') ?? null,
      };
      drafts.push(draft);
      return json(print(draft), 201);
    }),
    [`GET ${DRAFTS}/{draft_note_id}`]: guard('write', (call, repository) => json(print(draftOf(changeOf(repository, call), call)))),
    [`PUT ${DRAFTS}/{draft_note_id}`]: guard('write', (call, repository) => {
      const draft = draftOf(changeOf(repository, call), call);
      draft.note = call.fields.text('note') ?? draft.note;
      return json(print(draft));
    }),
    [`DELETE ${DRAFTS}/{draft_note_id}`]: guard('write', (call, repository) => {
      drafts.splice(drafts.indexOf(draftOf(changeOf(repository, call), call)), 1);
      return empty();
    }),
    [`PUT ${DRAFTS}/{draft_note_id}/publish`]: guard('write', (call, repository) => {
      publish(call, repository, draftOf(changeOf(repository, call), call));
      return empty();
    }),
    [`POST ${DRAFTS}/bulk_publish`]: guard('write', (call, repository) => {
      for (const draft of own(changeOf(repository, call), call)) publish(call, repository, draft);
      return empty();
    }),
  };
}
