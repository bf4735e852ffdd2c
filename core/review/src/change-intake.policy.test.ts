import type { IntegrationEvent } from '@weir/contract';
import { verifies } from '@weir/requirements';
import { expect, test } from 'vitest';
import { intake } from './change-intake.policy.ts';
import { readCommand } from './comment-command.ts';
import { a1, at, coordinates, kim, openChange, reviewId } from './given.fixture.ts';
import type { IntakeFacts } from './round-admission.policy.ts';

const own = { id: '99', login: 'weir', kind: 'bot' } as const;
const repository = { id: '12', owner: 'team', name: 'shop' };
const onChange = {
  repository,
  actor: kim,
  change: { number: 3, title: null, url: null, state: 'open', draft: null, author: null, head: null, base: null },
} as const;
const comment = (body: string, actor: { id: string; login: string; kind: 'person' | 'bot' } = kim): IntegrationEvent => ({
  type: 'comment.created',
  ...onChange,
  actor,
  comment: { id: 'c1', body, url: null },
});
const pushed: IntegrationEvent = { type: 'change.head_pushed', ...onChange, before: null };

const facts = (registration: Partial<IntakeFacts['registration']> = {}, more: Partial<IntakeFacts> = {}): IntakeFacts => ({
  reviewId,
  at,
  coordinates,
  change: openChange,
  head: a1,
  registration: {
    reviewer: own,
    ownAccounts: ['99'],
    factoryAccount: null,
    listedAuthors: [],
    allowedBots: [],
    reviewDrafts: false,
    observe: false,
    ...registration,
  },
  seen: true,
  archived: false,
  finding: null,
  thread: null,
  authority: { denied: [], granted: [], measured: 'write' },
  ...more,
});

const commandOf = (event: IntegrationEvent, given: IntakeFacts) => intake(event, given)?.command ?? null;

test.each([
  ['change.opened', 'opened'],
  ['change.reopened', 'reopened'],
  ['change.ready', 'ready'],
] as const)(`${verifies('REV-5')} %s asks for a round`, (type, cause) => {
  expect(commandOf({ type, ...onChange }, facts())).toMatchObject({ type: 'RequestRound', cause, head: a1, forced: false, by: '7' });
});

test(`${verifies('REV-5')} a new head asks for a round, a command for a forced one`, () => {
  expect(commandOf(pushed, facts())).toMatchObject({ type: 'RequestRound', cause: 'pushed', forced: false });
  expect(commandOf(comment('/review please'), facts())).toMatchObject({ type: 'RequestRound', cause: 'command', forced: true });
});

test.each<[string, IntegrationEvent]>([
  ['a label', { type: 'change.labelled', ...onChange, label: 'bug' }],
  ['a review by somebody', { type: 'review.submitted', ...onChange, review: { id: '1', verdict: 'approved', body: '', commit: null } }],
  ['an ordinary comment', comment('looks good')],
  ['a command in the middle', comment('they said\n/review')],
  ['a quoted command', comment('> /review')],
  ['an edited comment', { type: 'comment.edited', ...onChange, comment: { id: 'c1', body: '/review', url: null } }],
  ['a check', { type: 'check.updated', repository, commit: a1, name: 'ci', state: 'success' }],
])(`${verifies('REV-5')} %s asks for nothing`, (_, event) => {
  expect(commandOf(event, facts())).toBeNull();
});

test(`${verifies('REV-8')} a command by Weir's own account is dropped with a line; its other comments leave none`, () => {
  expect(commandOf(comment('/review', own), facts())).toMatchObject({ type: 'DropRequest', code: 'own_action', by: '99' });
  expect(commandOf(comment('Not ready: 1 blocker.', own), facts())).toBeNull();
});

test(`${verifies('REV-8')} accounts are compared by stable id, not by name`, () => {
  expect(commandOf(comment('/review', { ...kim, login: 'weir' }), facts())).toMatchObject({ type: 'RequestRound' });
});

test(`${verifies('REV-8')} another bot starts nothing unless it is allowed`, () => {
  const bot = { id: '50', login: 'renew', kind: 'bot' } as const;
  expect(commandOf(comment('/review', bot), facts())).toMatchObject({ type: 'DropRequest', code: 'bot_command' });
  expect(commandOf(comment('/review', bot), facts({ allowedBots: ['50'] }))).toMatchObject({ type: 'RequestRound' });
});

test(`${verifies('REV-8')} a change by the factory's account is reviewed like a listed author's`, () => {
  const change = { ...openChange, author: own };
  const event: IntegrationEvent = { type: 'change.opened', ...onChange, actor: own };
  expect(commandOf(event, facts({ listedAuthors: ['7'], factoryAccount: '99' }, { change }))).toMatchObject({ type: 'RequestRound' });
  expect(commandOf(event, facts({ listedAuthors: ['7'] }, { change }))).toMatchObject({ type: 'DropRequest', code: 'author_not_listed' });
});

test(`${verifies('REV-9')} an unlisted author is not touched, by a command of another either; an empty list is everyone`, () => {
  const change = { ...openChange, author: { ...kim, id: '8' } };
  expect(commandOf(pushed, facts({ listedAuthors: ['7'] }, { change }))).toMatchObject({ type: 'DropRequest', code: 'author_not_listed', head: a1 });
  expect(commandOf(comment('/review'), facts({ listedAuthors: ['7'] }, { change }))).toMatchObject({ type: 'DropRequest', code: 'author_not_listed' });
  expect(commandOf(pushed, facts({}, { change }))).toMatchObject({ type: 'RequestRound' });
});

test(`${verifies('REV-9')} an author that the forge does not name is not on a list`, () => {
  expect(commandOf(pushed, facts({ listedAuthors: ['7'] }, { change: { ...openChange, author: null } }))).toMatchObject({ type: 'DropRequest' });
});

test(`${verifies('REV-9')} a draft waits until it is ready, unless the repository or a person says otherwise`, () => {
  const change = { ...openChange, draft: true };
  expect(commandOf({ type: 'change.opened', ...onChange }, facts({}, { change }))).toMatchObject({ type: 'DropRequest', code: 'draft' });
  expect(commandOf({ type: 'change.opened', ...onChange }, facts({ reviewDrafts: true }, { change }))).toMatchObject({ type: 'RequestRound' });
  expect(commandOf(comment('/review'), facts({}, { change }))).toMatchObject({ type: 'RequestRound' });
});

test(`${verifies('REV-9')} observe mode is handed to the round`, () => {
  expect(commandOf(pushed, facts({ observe: true }))).toMatchObject({ observe: true });
});

test(`${verifies('REV-7')} an end, an edit and a draft are noted as the forge has the change now`, () => {
  const change = { ...openChange, state: 'closed' as const };
  for (const type of ['change.closed', 'change.merged', 'change.edited', 'change.drafted'] as const)
    expect(commandOf({ type, ...onChange }, facts({}, { change }))).toMatchObject({ type: 'NoteChange', change });
});

test(`${verifies('REV-22')} a thread of a finding that is resolved by hand is noted; another's is not`, () => {
  const event: IntegrationEvent = { type: 'thread.resolved', ...onChange, thread: { id: 't1', root: null, path: null } };
  expect(commandOf(event, facts({}, { finding: '1a' }))).toMatchObject({ type: 'SettleThread', finding: '1a', resolved: true, by: kim });
  expect(commandOf(event, facts())).toBeNull();
  expect(commandOf({ ...event, actor: own }, facts({}, { finding: '1a' }))).toBeNull();
});

test('a command is a word of the list at the very start; what follows is text and sets nothing', () => {
  expect(readCommand('/review --model=x http://y')).toEqual({ name: 'review', text: '--model=x http://y' });
  expect(readCommand('/reviews')).toBeNull();
  expect(readCommand(' /review')).toBeNull();
  expect(readCommand('/constructor')).toBeNull();
});
