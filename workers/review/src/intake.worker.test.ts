/** A comment's way to a command: what is read from the forge and the registry, and when it counts. */
import type { IntegrationEvent } from '@weir/contract';
import { AppError } from '@weir/kernel';
import type { ForgeAccount, RegisteredRepository } from '@weir/ports';
import { verifies } from '@weir/requirements';
import { expect, test } from 'vitest';
import { intakeEvent } from './intake.worker.ts';
import { changeOf, memoryForge, roundWorld } from './round-world.fixture.ts';

const place = { forge: 'memory', origin: 'https://forge.example' };
const ACCOUNT: ForgeAccount = {
  ...{ ...place, id: 'reviewer', baseUrl: 'https://forge.example', role: 'reviewer', identity: { id: '99', login: 'weir', kind: 'bot' } },
  ...{ credential: { kind: 'token' }, sealedSecret: 's', scopes: null, observedAt: 1, state: 'active', listedAuthors: [], allowedBots: [] },
};
const REPOSITORY: RegisteredRepository = {
  ...{ ...place, id: 'r', account: 'reviewer', factoryAccount: null, repositoryId: '12', path: { owner: 'acme', name: 'ledger' }, reviewDrafts: false },
  ...{ observe: false, blockOn: null, showCost: false, deniedActors: [], grantedActors: [], hook: 'h', hookId: null, lastDeliveryAt: 1 },
};

const LEE = { id: '8', login: 'lee', kind: 'person' } as const;
const said = (body: string): IntegrationEvent => ({
  type: 'comment.created',
  repository: { id: '12', owner: 'acme', name: 'ledger' },
  actor: LEE,
  change: { number: 7, title: null, url: null, state: 'open', draft: null, author: null, head: null, base: null },
  comment: { id: 'c1', body, url: null },
});

interface Given {
  readonly repository?: Partial<RegisteredRepository>;
  /** What is changed in the registry while the forge measures. */
  readonly meanwhile?: { readonly repository?: Partial<RegisteredRepository>; readonly account?: Partial<ForgeAccount> };
  readonly permission?: 'read' | 'write';
  readonly unregistered?: boolean;
  /** With which the forge answers the question for the permission. */
  readonly refusal?: Error | null;
}

function intakeOf({ repository = {}, meanwhile = {}, permission = 'write', unregistered = false, refusal = null }: Given = {}) {
  let registered = { ...REPOSITORY, ...repository };
  let account = ACCOUNT;
  const port = memoryForge({
    'change.get': () => changeOf(),
    'account.permission': () => {
      registered = { ...registered, ...meanwhile.repository };
      account = { ...account, ...meanwhile.account };
      if (refusal !== null) throw refusal;
      return { permission };
    },
  });
  const { parts } = roundWorld(port);
  const registry = { findRepository: async () => (unregistered ? undefined : registered), accounts: async () => [account] };
  const intake = { ...parts, registry, forge: async () => ({ port, repository: registered, account }) };
  const answered = (event: IntegrationEvent, signal = new AbortController().signal) => intakeEvent(intake, { ...place, event }, signal);
  return {
    asked: port.asked,
    answered,
    taken: async (body = '/review') => {
      const answer = await answered(said(body));
      if ('dropped' in answer) throw new Error(answer.dropped);
      return answer.command;
    },
  };
}

test(`${verifies('REV-27')} who is denied asks for nothing, and who is granted is not measured`, async () => {
  const denied = intakeOf({ repository: { deniedActors: ['8'], grantedActors: ['8'] } });
  expect(await denied.taken()).toMatchObject({ type: 'DropRequest', code: 'actor_denied', by: '8' });
  const granted = intakeOf({ repository: { grantedActors: ['8'] }, permission: 'read' });
  expect(await granted.taken()).toMatchObject({ type: 'RequestRound', cause: 'command', by: '8' });
  expect([denied.asked, granted.asked]).toEqual([['change.get'], ['change.get']]);
});

test(`${verifies('REV-27')} without a list the forge is asked, for this comment alone`, async () => {
  const writer = intakeOf();
  expect(await writer.taken()).toMatchObject({ type: 'RequestRound' });
  expect(await writer.taken()).toMatchObject({ type: 'RequestRound' });
  expect(writer.asked.filter(verb => verb === 'account.permission')).toHaveLength(2);
  expect(await intakeOf({ permission: 'read' }).taken()).toMatchObject({ type: 'DropRequest', code: 'actor_not_permitted' });
});

test.each<[string, NonNullable<Given['meanwhile']>]>([
  ['the deny list', { repository: { deniedActors: ['5'] } }],
  ['the grant list', { repository: { grantedActors: ['5'] } }],
  ['the repository', { repository: { account: 'another' } }],
  ['the account', { account: { sealedSecret: 'another' } }],
])(`${verifies('REV-27')} a measurement is discarded when %s has changed meanwhile`, async (_, meanwhile) => {
  expect(await intakeOf({ meanwhile }).taken()).toMatchObject({ type: 'DropRequest', code: 'permission_unknown' });
});

test(`${verifies('REV-27')} another delivery in between changes nothing`, async () => {
  expect(await intakeOf({ meanwhile: { repository: { lastDeliveryAt: 2 } } }).taken()).toMatchObject({ type: 'RequestRound' });
});

const REF = { id: 't1', root: 't1', review: null, path: 'src/ledger.ts', side: 'new', line: 42 } as const;
const note = (id: string) => ({ id, url: null, body: '', author: LEE, createdAt: '2026-01-31T08:00:00.000Z', updatedAt: null });

/** A review whose finding `1a` stands in the thread `t1`, at a forge whose deliveries name no thread unless `names` says otherwise. */
function unnamed({ names = false, posted = true }: { readonly names?: boolean; readonly posted?: boolean } = {}) {
  const port = memoryForge({
    'change.get': () => changeOf(),
    'account.permission': () => ({ permission: 'write' as const }),
    'thread.list': () => ({ threads: [{ ref: REF, resolved: false, outdated: false, comments: [note('t1'), note('c1')] }] }),
  });
  const silent = { ...port, namesThreads: names };
  const world = roundWorld(silent);
  const row = { ledger: { rows: { '1a': { id: '1a', thread: posted ? REF : null } } }, archived: false };
  const registry = { findRepository: async () => REPOSITORY, accounts: async () => [ACCOUNT] };
  const views = { get: async () => ({ row, page: {} }) as never };
  const intake = { ...world.parts, views, registry, forge: async () => ({ port: silent, repository: REPOSITORY, account: ACCOUNT }) };
  const given = (event: IntegrationEvent) => intakeEvent(intake, { ...place, event }, new AbortController().signal);
  return { asked: port.asked, given };
}

test(`${verifies('REV-26')} where deliveries name no thread, the forge says which one a reply stands in, and it is a question there`, async () => {
  const forge = unnamed();
  expect(await forge.given(said('Why does this matter?'))).toMatchObject({ command: { type: 'RequestAnswer', kind: 'question', finding: '1a', thread: 't1' } });
  expect(forge.asked.filter(verb => verb === 'thread.list')).toHaveLength(1);
});

test(`${verifies('REV-26')} a comment in no thread stays a comment on the change`, async () => {
  const other = said('Why does this matter?');
  const elsewhere = other.type === 'comment.created' ? { ...other, comment: { ...other.comment, id: 'c9' } } : other;
  expect(await unnamed().given(elsewhere)).toEqual({ dropped: 'nothing_asked' });
});

test(`${verifies('REV-26')} threads are not listed where deliveries name them, or before Weir has one`, async () => {
  for (const forge of [unnamed({ names: true }), unnamed({ posted: false })]) {
    expect(await forge.given(said('Why does this matter?'))).toEqual({ dropped: 'nothing_asked' });
    expect(forge.asked).not.toContain('thread.list');
  }
});

test(`${verifies('REV-10', 'REV-8')} what asks for nothing costs no call of the forge, and is counted by its reason`, async () => {
  const stranger = intakeOf({ unregistered: true });
  expect(await stranger.answered(said('/review'))).toEqual({ dropped: 'unknown_repository' });
  const known = intakeOf();
  const label: IntegrationEvent = { ...said(''), type: 'change.labelled', label: 'bug' } as never;
  const push: IntegrationEvent = {
    type: 'branch.pushed',
    repository: { id: '12', owner: 'acme', name: 'ledger' },
    actor: LEE,
    branch: 'main',
    before: null,
    after: null,
  };
  expect([await known.answered(label), await known.answered(push)]).toEqual([{ dropped: 'no_change' }, { dropped: 'no_change' }]);
  const own: IntegrationEvent = { ...said('Read: 3 of 3 files.'), actor: { ...LEE, id: '99' } } as never;
  expect(await known.answered(own)).toEqual({ dropped: 'own_comment' });
  expect([stranger.asked, known.asked]).toEqual([[], []]);
  expect(await known.answered(said('Looks good to me.'))).toEqual({ dropped: 'nothing_asked' });
});

test(`${verifies('REV-27')} a permission that the forge does not tell refuses; a bug and an interrupt are thrown`, async () => {
  const refusing = (refusal: Error) => intakeOf({ refusal });
  expect(await refusing(new AppError('FORGE_FORBIDDEN', 'no')).taken()).toMatchObject({ type: 'DropRequest', code: 'permission_unknown' });
  await expect(refusing(new TypeError('a bug')).taken()).rejects.toThrow('a bug');
  const gone = AbortSignal.abort(new Error('stopped'));
  await expect(refusing(new AppError('FORGE_FORBIDDEN', 'no')).answered(said('/review'), gone)).rejects.toThrow('stopped');
});

test(`${verifies('REV-39', 'REV-27')} on a change that nobody has heard of /finding keeps no text, and its line names the change`, async () => {
  const unseen = intakeOf();
  expect(await unseen.taken('/finding src/a.ts:3 the words of a person')).toMatchObject({
    type: 'DropRequest',
    code: 'nothing_posted',
    coordinates: { repositoryId: '12', change: 7 },
  });
  expect(await unseen.taken()).toMatchObject({ type: 'RequestRound', cause: 'command', forced: true, coordinates: { change: 7 } });
});
