/** GitHub: issues (a pull request is one), conversation comments, events and the timeline. */
import { type Answer, type Call, empty, json, list, type RouteTable } from '../http/call.ts';
import type { Site } from '../http/dialect.ts';
import { actor, type RepositoryGuard } from '../http/repository-route.ts';
import type { Change } from '../state/change.ts';
import { editChange, labelChange } from '../state/change-actions.ts';
import type { Issue, Label, Remark, TimelineEntry } from '../state/issue.ts';
import { editIssue, ensureLabel, labelIssue, openIssue } from '../state/issue-actions.ts';
import type { Repository } from '../state/repository.ts';
import { addRemark, deleteRemark, editRemark, isChange } from '../state/talk-actions.ts';
import type { World } from '../state/world.ts';
import { bodyTooLong, iso, need, nodeId, refuse, tooLong } from './github-words.ts';
import { printLabel, printRemark, printUser, repositoryUrl } from './print-account.ts';
import { printIssue, printReview } from './print-pull.ts';
import { mayEdit } from './review-comment-routes.ts';

export type Subject = Change | Issue;

export const subjects = (repository: Repository): readonly Subject[] =>
  [...repository.issues, ...repository.changes].sort((one, other) => other.number - one.number);
export const subjectOf = (repository: Repository, call: Call): Subject =>
  need(subjects(repository).find(one => one.number === Number(call.params['issue_number'])));

export function setLabels(
  world: World,
  repository: Repository,
  subject: Subject,
  edit: { readonly labels: readonly Label[]; readonly by: Parameters<typeof labelIssue>[3]['by'] },
): void {
  if (isChange(subject)) labelChange(world, repository, subject, edit);
  else labelIssue(world, repository, subject, edit);
}

/** Names, or objects with a name, as label lists take them. */
export const labelNames = (values: readonly unknown[]): readonly string[] =>
  values.flatMap(value =>
    typeof value === 'string' ? [value] : typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string' ? [value.name] : [],
  );

export function remarkOf(repository: Repository, call: Call): { readonly subject: Subject; readonly remark: Remark } {
  const id = Number(call.params['comment_id']);
  return need(
    subjects(repository)
      .flatMap(subject => subject.remarks.map(remark => ({ subject, remark })))
      .find(one => one.remark.id === id),
  );
}

export function issueRoutes(world: World, site: Site, guard: RepositoryGuard): RouteTable {
  const ISSUE = '/repos/{owner}/{repo}/issues/{issue_number}';
  const COMMENT = '/repos/{owner}/{repo}/issues/comments/{comment_id}';
  return {
    'GET /repos/{owner}/{repo}/issues': guard('read', (call, repository) =>
      list(filterIssues(call, repository).map(issue => printIssue(site, repository, issue))),
    ),
    'POST /repos/{owner}/{repo}/issues': guard('read', (call, repository) => createIssue(world, site, call, repository)),
    [`GET ${ISSUE}`]: guard('read', (call, repository) => json(printIssue(site, repository, subjectOf(repository, call)))),
    [`PATCH ${ISSUE}`]: guard('read', (call, repository) => updateIssue(world, site, call, repository)),
    [`GET ${ISSUE}/comments`]: guard('read', (call, repository) => {
      const subject = subjectOf(repository, call);
      const since = call.query.get('since');
      const remarks = since === null ? subject.remarks : subject.remarks.filter(remark => remark.updatedAt >= new Date(since));
      return list(remarks.map(remark => printRemark(site, repository, remark, subject.number)));
    }),
    [`POST ${ISSUE}/comments`]: guard('read', (call, repository) => {
      const subject = subjectOf(repository, call);
      const body = call.fields.text('body') ?? '';
      if (tooLong(body)) return bodyTooLong('IssueComment');
      const remark = addRemark(world, repository, subject, { by: actor(call), body });
      const printed = printRemark(site, repository, remark, subject.number);
      return json(printed, 201, { location: String(printed['url']) });
    }),
    'GET /repos/{owner}/{repo}/issues/comments': guard('read', (_, repository) =>
      list(subjects(repository).flatMap(subject => subject.remarks.map(remark => printRemark(site, repository, remark, subject.number)))),
    ),
    [`GET ${COMMENT}`]: guard('read', (call, repository) => {
      const { subject, remark } = remarkOf(repository, call);
      return json(printRemark(site, repository, remark, subject.number));
    }),
    [`PATCH ${COMMENT}`]: guard('read', (call, repository) => {
      const { subject, remark } = remarkOf(repository, call);
      const body = call.fields.text('body') ?? '';
      if (!mayEdit(world, repository, call, remark)) return refuse(403, 'Must have admin rights to Repository.');
      if (tooLong(body)) return bodyTooLong('IssueComment');
      editRemark(world, repository, subject, { remark, by: actor(call), body });
      return json(printRemark(site, repository, remark, subject.number));
    }),
    [`DELETE ${COMMENT}`]: guard('read', (call, repository) => {
      const { subject, remark } = remarkOf(repository, call);
      if (!mayEdit(world, repository, call, remark)) return refuse(403, 'Must have admin rights to Repository.');
      deleteRemark(world, repository, subject, { remark, by: actor(call) });
      return empty();
    }),
    [`GET ${ISSUE}/events`]: guard('read', (call, repository) => {
      const subject = subjectOf(repository, call);
      return list(subject.timeline.filter(entry => entry.kind !== 'commented' && entry.kind !== 'reviewed').map(entry => printEvent(site, repository, entry)));
    }),
    [`GET ${ISSUE}/timeline`]: guard('read', (call, repository) => {
      const subject = subjectOf(repository, call);
      return list(subject.timeline.map(entry => printTimeline(site, repository, subject, entry)));
    }),
  };
}

function filterIssues(call: Call, repository: Repository): readonly Subject[] {
  const state = call.query.get('state') ?? 'open';
  const labels = call.query.get('labels')?.split(',').filter(Boolean) ?? [];
  const creator = call.query.get('creator');
  const since = call.query.get('since');
  const kept = subjects(repository).filter(
    issue =>
      (state === 'all' || (state === 'open') === (issue.state === 'open')) &&
      labels.every(name => issue.labels.some(label => label.name.toLowerCase() === name.toLowerCase())) &&
      (creator === null || issue.author.login === creator) &&
      (since === null || issue.updatedAt >= new Date(since)),
  );
  return call.query.get('direction') === 'asc' ? [...kept].reverse() : kept;
}

function createIssue(world: World, site: Site, call: Call, repository: Repository): Answer {
  const { fields } = call;
  if (tooLong(fields.text('body'))) return bodyTooLong('Issue');
  const by = actor(call);
  // Labels from someone without push access are dropped without a word.
  const names = world.may(repository, by, 'triage') ? labelNames(fields.array('labels') ?? []) : [];
  const issue = openIssue(world, repository, {
    title: String(fields.value('title') ?? ''),
    body: fields.text('body') ?? '',
    by,
    labels: names.map(name => ensureLabel(world, repository, name)),
  });
  const number = fields.number('milestone');
  issue.milestone = repository.milestones.find(milestone => milestone.number === number) ?? null;
  issue.assignees = world.accounts.filter(account => fields.texts('assignees')?.includes(account.login));
  return json(printIssue(site, repository, issue), 201);
}

async function updateIssue(world: World, site: Site, call: Call, repository: Repository): Promise<Answer> {
  const subject = subjectOf(repository, call);
  const by = actor(call);
  const { fields } = call;
  if (by.id !== subject.author.id && !world.may(repository, by, 'triage')) return refuse(403, 'Must have admin rights to Repository.');
  if (tooLong(fields.text('body'))) return bodyTooLong('Issue');
  const [title, body, state] = [fields.text('title'), fields.text('body'), fields.text('state') as 'open' | 'closed' | undefined];
  const edit = { by, ...(title && { title }), ...(body !== undefined && { body }), ...(state && { state }) };
  if (isChange(subject)) await editChange(world, repository, subject, edit);
  else editIssue(world, repository, subject, { ...edit, stateReason: fields.text('state_reason') ?? null });
  takeRest(world, repository, subject, call);
  return json(printIssue(site, repository, subject));
}

/** Labels, milestone and assignees: each replaces what was there. */
function takeRest(world: World, repository: Repository, subject: Subject, call: Call): void {
  const { fields } = call;
  const by = actor(call);
  const labels = fields.array('labels');
  if (labels !== undefined) setLabels(world, repository, subject, { labels: labelNames(labels).map(name => ensureLabel(world, repository, name)), by });
  if (fields.has('milestone')) subject.milestone = repository.milestones.find(milestone => milestone.number === fields.number('milestone')) ?? null;
  const assignees = fields.texts('assignees');
  if (assignees !== undefined) subject.assignees = world.accounts.filter(account => assignees.includes(account.login));
}

function printEvent(site: Site, repository: Repository, entry: TimelineEntry): Record<string, unknown> {
  return {
    id: entry.id,
    node_id: nodeId('EV', entry.id),
    url: `${repositoryUrl(site, repository)}/issues/events/${entry.id}`,
    actor: printUser(site, entry.by),
    event: entry.kind,
    commit_id: entry.commit ?? null,
    commit_url: null,
    created_at: iso(entry.at),
    ...(entry.label && { label: { name: entry.label.name, color: entry.label.color } }),
    performed_via_github_app: null,
  };
}

function printTimeline(site: Site, repository: Repository, subject: Subject, entry: TimelineEntry): Record<string, unknown> {
  if (entry.remark !== undefined)
    return { ...printRemark(site, repository, entry.remark, subject.number), event: 'commented', actor: printUser(site, entry.by) };
  const review = isChange(subject) && entry.kind === 'reviewed' ? subject.reviews.find(one => one.id === entry.id) : undefined;
  if (review !== undefined && isChange(subject)) return { ...printReview(site, repository, subject, review), state: review.state, event: 'reviewed' };
  return printEvent(site, repository, entry);
}

/** Labels of one issue, shared with the label routes. */
export const printLabels = (site: Site, repository: Repository, labels: readonly Label[]): Answer =>
  list(labels.map(label => printLabel(site, repository, label)));
