/**
 * What a comment asks of a review (REV-8, REV-26, REV-27): a command at its very start, or a question, where it replies in one of Weir's
 * threads. Who may ask is decided before anything else is looked at; a refusal posts nothing and leaves one line.
 */
import { readMarker } from '@weir/comment';
import type { IntegrationEvent, ReviewCommand, ReviewRefusalCode, Severity } from '@weir/contract';
import { actorAuthority } from './actor-authority.policy.ts';
import { COMMENT_COMMANDS, type CommentCommandName, readCommand } from './comment-command.ts';
import { mentions } from './mention.ts';
import { admitRound, drop, type Intake, type IntakeFacts, isListed, type KeptText } from './round-admission.policy.ts';

type Commented = Extract<IntegrationEvent, { comment: unknown; change: unknown }>;

export const isCommented = (event: IntegrationEvent): event is Commented =>
  event.type === 'comment.created' || event.type === 'thread.commented' || event.type === 'thread.replied';

interface Asked {
  readonly name: CommentCommandName;
  readonly text: string;
  /** A plain reply; it is a question like /ask, and leaves no line when it comes from a program. */
  readonly reply: boolean;
}

/** Null for a comment that asks for nothing. One that carries Weir's own mark is Weir's, whosever token posted it. */
function readAsked(event: Commented, { finding }: IntakeFacts): Asked | null {
  const { body } = event.comment;
  if (readMarker(body) !== undefined) return null;
  const command = readCommand(body);
  if (command !== null) return { ...command, reply: false };
  return 'thread' in event && finding !== null ? { name: 'ask', text: body.trim(), reply: true } : null;
}

/** `silent` for replies of programs, which come back by the dozen. */
function admission({ actor }: Commented, asked: Asked, facts: IntakeFacts): 'allowed' | 'measure' | 'silent' | ReviewRefusalCode {
  const { ownAccounts, allowedBots } = facts.registration;
  if (ownAccounts.includes(actor.id)) return asked.reply ? 'silent' : 'own_action';
  if (actor.kind === 'bot' && !allowedBots.includes(actor.id)) return asked.reply ? 'silent' : 'bot_command';
  if (!isListed(facts)) return 'author_not_listed';
  return actorAuthority({ id: actor.id, isAuthor: actor.id === facts.change.author?.id }, COMMENT_COMMANDS[asked.name], facts.authority);
}

export interface IntakeNeeds {
  /** `account.permission` of the event's actor. */
  readonly permission: boolean;
  /** The thread's reference, by `thread.list`. */
  readonly thread: boolean;
}

/** What has to be read from the forge before this comment can be decided; `facts` without it. */
export function commentNeeds(event: Commented, facts: IntakeFacts): IntakeNeeds {
  const asked = readAsked(event, facts);
  if (asked === null) return { permission: false, thread: false };
  const may = admission(event, asked, facts);
  const goesOn = may === 'allowed' || may === 'measure';
  return { permission: may === 'measure', thread: goesOn && asked.name === 'finding' && 'thread' in event };
}

const placeOf = (event: Commented, { finding }: IntakeFacts) =>
  'thread' in event ? { finding, thread: event.thread.id ?? event.thread.root ?? event.comment.id } : { finding: null, thread: null };

const fromComment = (event: Commented, facts: IntakeFacts) => {
  const { reviewId, at, coordinates, change } = facts;
  return { reviewId, at, comment: event.comment.id, by: event.actor, coordinates, change, ...placeOf(event, facts) };
};

const refused = (event: Commented, facts: IntakeFacts, code: ReviewRefusalCode): Intake => ({ command: drop(facts, code, event.actor.id), keep: null });

type Ask = (event: Commented, facts: IntakeFacts, text: string) => Intake;

const answer =
  (kind: Extract<ReviewCommand, { type: 'RequestAnswer' }>['kind']): Ask =>
  (event, facts, text) => {
    if (facts.registration.observe) return refused(event, facts, 'observed');
    if (kind === 'question' && text === '') return refused(event, facts, 'command_incomplete');
    // A description stands in the conversation, wherever it is asked for.
    const place = kind === 'description' ? { finding: null, thread: null } : {};
    const mentioned = mentions(event.comment.body, facts.registration.reviewer);
    return { command: { type: 'RequestAnswer', ...fromComment(event, facts), ...place, kind, mentioned }, keep: null };
  };

/** Characters of a person's finding or reason that are kept. */
const MAX_KEPT_CHARS = 10_000;

const keep = ({ comment }: Commented, { reviewId }: IntakeFacts, kind: KeptText['kind'], text: string): KeptText => ({
  id: `${reviewId}/comment/${comment.id}`,
  kind,
  text: text.slice(0, MAX_KEPT_CHARS),
});

const FINDING_ID = /^([0-9]{1,9}[a-z]{1,6})(?:\s+|$)/;

/** The finding by its id, or by the thread that the comment stands in. */
const dismiss: Ask = (event, facts, text) => {
  const named = FINDING_ID.exec(text);
  const finding = named?.[1] ?? facts.finding;
  const reason = named === null ? text : text.slice(named[0].length);
  if (finding === null || reason === '') return refused(event, facts, 'command_incomplete');
  if (!facts.seen) return refused(event, facts, 'finding_unknown');
  const kept = keep(event, facts, 'reason', reason);
  const { reviewId, at } = facts;
  return { command: { type: 'DismissFinding', reviewId, at, finding, by: event.actor, content: kept.id, comment: event.comment.id }, keep: kept };
};

const SEVERITY = /^(blocker|major|minor|note):\s*/i;
/** What a person takes the trouble to write down has to be looked at. */
const DEFAULT_SEVERITY: Severity = 'major';
const PLACE = /^([^\s:]{1,1000}):([1-9]\d{0,6})(?:-([1-9]\d{0,6}))?\s+/;

/** The lines of the thread, else those that the text begins with, else the file of the thread; null for none. */
function linesOf(text: string, event: Commented, { thread }: IntakeFacts) {
  if (thread !== null && thread.path !== null) {
    const line = thread.line ?? 0;
    return { text, path: thread.path, side: thread.side ?? 'new', line, endLine: line } as const;
  }
  const [whole = '', path, first, last = first] = PLACE.exec(text) ?? [];
  if (path !== undefined && Number(last) >= Number(first))
    return { text: text.slice(whole.length), path, side: 'new', line: Number(first), endLine: Number(last) } as const;
  const file = 'thread' in event ? event.thread.path : null;
  return file === null ? null : ({ text, path: file, side: 'new', line: 0, endLine: 0 } as const);
}

const addFinding: Ask = (event, facts, written) => {
  const [label = '', word] = SEVERITY.exec(written) ?? [];
  const severity = (word?.toLowerCase() as Severity | undefined) ?? DEFAULT_SEVERITY;
  const lines = linesOf(written.slice(label.length), event, facts);
  if (lines === null || lines.text === '') return refused(event, facts, 'command_incomplete');
  if (!facts.seen) return refused(event, facts, 'nothing_posted');
  const { text, ...place } = lines;
  const kept = keep(event, facts, 'finding', text);
  const finding = { rule: 'person/finding', ...place, severity, category: null, fingerprint: `comment-${event.comment.id}` };
  // In the thread of another finding it has none of its own: two findings never close the same thread.
  const thread = facts.finding === null ? facts.thread : null;
  const { reviewId, at } = facts;
  return { command: { type: 'AddFinding', reviewId, at, finding, by: event.actor, content: kept.id, comment: event.comment.id, thread }, keep: kept };
};

const ASKS: Readonly<Record<CommentCommandName, Ask>> = {
  review: ({ actor }, facts) => ({ command: admitRound(facts, 'command', actor.id), keep: null }),
  ask: answer('question'),
  describe: answer('description'),
  help: answer('help'),
  finding: addFinding,
  dismiss,
  fix: (event, facts) => refused(event, facts, 'fix_unavailable'),
};

/** An archived review is only told that somebody asks (REV-28), and only where something may be posted. */
function ofArchived(event: Commented, facts: IntakeFacts): Intake | null {
  return facts.registration.observe ? null : { command: { type: 'NoteQuestion', ...fromComment(event, facts) }, keep: null };
}

export function commentIntake(event: Commented, facts: IntakeFacts): Intake | null {
  const asked = readAsked(event, facts);
  if (asked === null) return null;
  const may = admission(event, asked, facts);
  if (may === 'silent') return null;
  if (may !== 'allowed') return refused(event, facts, may === 'measure' ? 'permission_unknown' : may);
  return facts.archived ? ofArchived(event, facts) : ASKS[asked.name](event, facts, asked.text);
}
