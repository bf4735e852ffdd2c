/** What every registry of accounts, repositories and hooks has to do (REV-8a, REV-9, REV-10). */
import type { ForgeAccount, HookRegistration, RegisteredRepository, ReviewRegistry } from './review-registry.port.ts';
import { accountSecretPlace, hookSecretPlace } from './review-registry.port.ts';
import type { SealedColumn } from './secret-box.port.ts';
import { failureCode, failureMessage, type SuiteTools } from './suite-tools.ts';

export type SuiteRegistry = ReviewRegistry & { readonly secrets: readonly SealedColumn[] };

export interface ReviewRegistrySuiteSubject {
  /** Two over the same registry, as two processes have. Called inside each test. */
  readonly open: () => readonly [SuiteRegistry, SuiteRegistry];
}

const FORGE = { forge: 'github', origin: 'https://forge.example' };

const account = (id: string, changes: Partial<ForgeAccount> = {}): ForgeAccount => ({
  ...{ ...FORGE, id, baseUrl: 'https://api.forge.example', role: 'reviewer', identity: { id: `id of ${id}`, login: id, kind: 'bot' } },
  ...{ credential: { kind: 'token' }, sealedSecret: `sealed ${id}`, scopes: ['repo'], observedAt: 1, state: 'active', listedAuthors: ['7'], allowedBots: [] },
  ...changes,
});

const hook = (id: string, owner: string, changes: Partial<HookRegistration> = {}): HookRegistration => ({
  ...{ ...FORGE, id, account: owner, sealedSecrets: [`sealed ${id} 0`] },
  ...changes,
});

const repository = (id: string, owner: string, changes: Partial<RegisteredRepository> = {}): RegisteredRepository => ({
  ...{
    ...FORGE,
    id,
    account: owner,
    factoryAccount: null,
    repositoryId: `number ${id}`,
    path: { owner: 'Acme', name: id },
    reviewDrafts: false,
    observe: false,
  },
  ...{ blockOn: null, showCost: false, deniedActors: [], grantedActors: [], hook: `hook of ${owner}`, hookId: null, lastDeliveryAt: null },
  ...changes,
});

export function reviewRegistrySuite(subject: ReviewRegistrySuiteSubject, tools: SuiteTools): void {
  /** A registry with a reviewer and its hook. */
  async function open(owner: string): Promise<readonly [SuiteRegistry, SuiteRegistry]> {
    const registries = subject.open();
    await registries[0].saveAccount(account(owner));
    await registries[0].saveHook(hook(`hook of ${owner}`, owner));
    return registries;
  }
  rowTests(open, tools);
  ruleTests(open, tools);
  placeTests(open, tools);
  deliveryTests(open, tools);
  secretTests(open, tools);
}

type Open = (owner: string) => Promise<readonly [SuiteRegistry, SuiteRegistry]>;

function rowTests(open: Open, { test, expect }: SuiteTools): void {
  test('what is saved is found by the other process, and saved again it is replaced', async () => {
    const [one, two] = await open('rows');
    expect([await two.account('rows'), await two.hook('hook of rows')]).toEqual([account('rows'), hook('hook of rows', 'rows')]);
    const app = account('rows', {
      credential: { kind: 'app', appId: '1', installationId: 2, hook: 'hook of rows' },
      scopes: null,
      state: 'rejected',
      allowedBots: ['9'],
    });
    await two.saveAccount(app);
    await two.saveHook(hook('hook of rows', 'rows', { sealedSecrets: ['new', 'old'] }));
    expect([await one.account('rows'), await one.hook('hook of rows')]).toEqual([app, hook('hook of rows', 'rows', { sealedSecrets: ['new', 'old'] })]);
    await one.saveRepository(repository('rows', 'rows', { observe: true, blockOn: 'major', deniedActors: ['3'], hookId: '5' }));
    await one.saveRepository(repository('rows', 'rows', { reviewDrafts: true, showCost: true, deniedActors: ['4'], grantedActors: ['5', '6'] }));
    const mine = async (): Promise<unknown> => (await two.repositories()).filter(({ id }) => id === 'rows');
    expect(await mine()).toEqual([repository('rows', 'rows', { reviewDrafts: true, showCost: true, deniedActors: ['4'], grantedActors: ['5', '6'] })]);
    expect([(await two.accounts()).some(({ id }) => id === 'rows'), (await two.hooks()).some(({ id }) => id === 'hook of rows')]).toEqual([true, true]);
    await two.deleteRepository('rows');
    expect(await mine()).toEqual([]);
    await two.deleteAccount('rows');
    expect([await one.account('rows'), await one.hook('hook of rows')]).toEqual([undefined, undefined]);
  });

  test('what a forge says of a credential is kept, and of one that was replaced nothing', async () => {
    const [one, two] = await open('noted');
    const seen = { id: 'noted', sealedSecret: 'sealed noted', state: 'rejected', observedAt: 7 } as const;
    await one.noteCredential(seen);
    expect(await two.account('noted')).toEqual(account('noted', { state: 'rejected', observedAt: 7 }));
    await two.saveAccount(account('noted', { sealedSecret: 'another' }));
    await one.noteCredential({ ...seen, observedAt: 8 });
    await one.noteCredential({ ...seen, id: 'nobody' });
    expect(await two.account('noted')).toEqual(account('noted', { sealedSecret: 'another' }));
  });

  test('a hook goes with its last repository, and the hook of an app stays', async () => {
    const [one, two] = await open('hooked');
    for (const id of ['hooked', 'hooked too']) await one.saveRepository(repository(id, 'hooked'));
    await two.deleteRepository('hooked');
    expect(await one.hook('hook of hooked')).toEqual(hook('hook of hooked', 'hooked'));
    await two.deleteRepository('hooked too');
    expect(await one.hook('hook of hooked')).toEqual(undefined);
    await one.saveHook(hook('hook of hooked', 'hooked'));
    await one.saveAccount(account('hooked', { credential: { kind: 'app', appId: '1', installationId: 2, hook: 'hook of hooked' } }));
    await one.saveRepository(repository('hooked', 'hooked'));
    await one.deleteRepository('hooked');
    expect(await two.hook('hook of hooked')).toEqual(hook('hook of hooked', 'hooked'));
  });

  test('strangers are refused by name', async () => {
    const [one] = await open('strangers');
    const strangers = [
      () => one.deleteAccount('nobody'),
      () => one.deleteRepository('nobody'),
      () => one.saveHook(hook('h', 'nobody')),
      () => one.saveRepository(repository('s', 'nobody')),
      () => one.saveRepository(repository('s', 'strangers', { hook: 'nobody' })),
      () => one.saveRepository(repository('s', 'strangers', { factoryAccount: 'nobody' })),
    ];
    for (const stranger of strangers) expect(await failureCode(stranger())).toBe('REGISTRATION_INVALID');
  });
}

function ruleTests(open: Open, { test, expect }: SuiteTools): void {
  test('an account in use is not deleted, not moved to another origin or forge, and keeps its role', async () => {
    const [one, two] = await open('used');
    await one.saveRepository(repository('used', 'used'));
    expect(await failureMessage(two.deleteAccount('used'))).toBe('The account used is in use by Acme/used.');
    for (const changes of [{ origin: 'https://other.example' }, { forge: 'gitea' }, { role: 'factory' as const }]) {
      expect(await failureCode(two.saveAccount(account('used', changes)))).toBe('REGISTRATION_INVALID');
    }
    await two.saveAccount(account('used', { sealedSecret: 'a new token' }));
    await one.saveHook(hook('another hook of used', 'used'));
    await one.deleteRepository('used');
    expect(await failureCode(two.saveAccount(account('used', { origin: 'https://other.example' })))).toBe('REGISTRATION_INVALID');
    await two.deleteAccount('used');
  });

  test('a reviewer and a factory account of one repository are two people to the forge, when bound and ever after', async () => {
    const [one, two] = await open('pair');
    const same = { role: 'factory' as const, identity: account('pair').identity };
    await one.saveAccount(account('pair factory', same));
    const bound = repository('pair', 'pair', { factoryAccount: 'pair factory' });
    expect(await failureCode(one.saveRepository(bound))).toBe('REGISTRATION_INVALID');
    await one.saveAccount(account('pair factory', { role: 'factory' }));
    await one.saveRepository(bound);
    for (const turned of [account('pair factory', same), account('pair', { identity: account('pair factory').identity })]) {
      expect(await failureMessage(two.saveAccount(turned))).toBe(
        `The reviewer pair and the factory account pair factory of Acme/pair are both ${turned.identity.login} at the forge.`,
      );
    }
    expect(await failureCode(two.deleteAccount('pair factory'))).toBe('REGISTRATION_INVALID');
    await one.saveRepository({ ...bound, factoryAccount: null });
    await two.deleteAccount('pair factory');
  });

  test('an account serves its own forge and origin, in its own role', async () => {
    const [one] = await open('own');
    await one.saveAccount(account('own factory', { role: 'factory' }));
    await one.saveAccount(account('own elsewhere', { role: 'factory', origin: 'https://other.example' }));
    for (const changes of [
      { origin: 'https://other.example' },
      { forge: 'gitea' },
      { account: 'own factory' },
      { factoryAccount: 'own' },
      { factoryAccount: 'own elsewhere' },
    ]) {
      expect(await failureCode(one.saveRepository(repository('own', 'own', changes)))).toBe('REGISTRATION_INVALID');
    }
    expect(await failureCode(one.saveHook(hook('own', 'own', { origin: 'https://other.example' })))).toBe('REGISTRATION_INVALID');
  });

  test('of a deletion and a use at once, one is refused', async () => {
    const [one, two] = await open('race');
    const outcomes = await Promise.all([failureCode(one.saveRepository(repository('race', 'race'))), failureCode(two.deleteAccount('race'))]);
    expect([...outcomes].sort()).toEqual(['REGISTRATION_INVALID', 'none']);
  });
}

function placeTests(open: Open, { test, expect }: SuiteTools): void {
  const place = (repositoryId: string | null, owner: string, name: string) => ({ ...FORGE, repositoryId, path: { owner, name } });

  test('a repository is found by its stable id after a rename, and its path is brought up to date', async () => {
    const [one, two] = await open('renamed');
    await one.saveRepository(repository('renamed', 'renamed'));
    const moved = repository('renamed', 'renamed', { path: { owner: 'Beta', name: 'new' } });
    expect(await two.findRepository(place('number renamed', 'Beta', 'new'))).toEqual(moved);
    expect((await one.repositories()).find(({ id }) => id === 'renamed')).toEqual(moved);
    expect(await one.findRepository(place('another number', 'Beta', 'new'))).toBe(undefined);
    expect(await one.findRepository(place('number renamed', 'Beta', 'new'))).toEqual(moved);
    expect(await one.findRepository({ ...place('number renamed', 'Beta', 'new'), origin: 'https://other.example' })).toBe(undefined);
  });

  test('without an id the path decides, however it is spelled', async () => {
    const [one] = await open('path');
    await one.saveRepository(repository('path', 'path', { repositoryId: null, path: { owner: 'group/Sub', name: 'Name' } }));
    expect((await one.findRepository(place(null, 'group/Sub', 'Name')))?.id).toBe('path');
    expect((await one.findRepository(place('an id', 'Group/sub', 'name')))?.id).toBe('path');
    expect(await one.findRepository(place(null, 'group', 'Sub/Name2'))).toBe(undefined);
  });

  test('a repository is registered once', async () => {
    const [one] = await open('once');
    await one.saveRepository(repository('once', 'once'));
    const { path } = repository('once', 'once');
    for (const again of [
      repository('once more', 'once', { repositoryId: 'number once' }),
      repository('once more', 'once', { repositoryId: null, path: { owner: 'ACME', name: 'ONCE' } }),
    ]) {
      expect(await failureCode(one.saveRepository(again))).toBe('REGISTRATION_INVALID');
    }
    await one.saveRepository(repository('once anew', 'once', { path }));
  });
}

function deliveryTests(open: Open, { test, expect }: SuiteTools): void {
  const note = (registration: string, name: string, at: number, registered: boolean) => ({
    ...{ registration, repositoryId: `number ${name}`, path: { owner: 'Acme', name }, at, registered },
  });

  test('deliveries of an unregistered repository are counted in one row, which its registration ends', async () => {
    const [one, two] = await open('inbox');
    const inbox = async (): Promise<readonly unknown[]> => (await two.unregistered(100)).filter(({ registration }) => registration === 'hook of inbox');
    for (const at of [5_000, 7_000, 6_000]) await one.noteDelivery(note('hook of inbox', 'inbox', at, false));
    await one.noteDelivery(note('hook of inbox', 'other', 9_000, false));
    const row = { registration: 'hook of inbox', repositoryId: 'number inbox', path: { owner: 'Acme', name: 'inbox' }, count: 3, lastAt: 7_000 };
    const other = { ...row, repositoryId: 'number other', path: { owner: 'Acme', name: 'other' }, count: 1, lastAt: 9_000 };
    expect(await inbox()).toEqual([other, row]);
    expect((await two.unregistered(1)).length).toBe(1);
    await one.saveRepository(repository('inbox', 'inbox'));
    expect(await inbox()).toEqual([other]);
  });

  test('a delivery of a registered repository leaves its moment, which no save takes back', async () => {
    const [one, two] = await open('seen');
    await one.saveRepository(repository('seen', 'seen'));
    await two.noteDelivery(note('hook of seen', 'seen', 8_000, true));
    await two.noteDelivery(note('hook of seen', 'seen', 6_000, true));
    await one.saveRepository(repository('seen', 'seen', { observe: true }));
    const seen = (await two.repositories()).find(({ id }) => id === 'seen');
    expect([seen?.lastDeliveryAt, seen?.observe]).toEqual([8_000, true]);
  });
}

function secretTests(open: Open, { test, expect }: SuiteTools): void {
  test('a rotation of the keyset walks through all secrets, and replaces only what it has read', async () => {
    const [one, two] = await open('walk');
    await one.saveHook(hook('hook of walk', 'walk', { sealedSecrets: ['s0', 's1', 's2'] }));
    const places: unknown[] = [];
    for (const column of one.secrets) {
      const walked: string[] = [];
      for (let page = await column.list('', 2); page.length > 0; page = await column.list(page.at(-1)?.cursor ?? '', 2)) {
        for (const { cursor, place, sealed } of page) {
          walked.push(cursor);
          if (!place.row.includes('walk')) continue;
          places.push(place);
          expect(await column.replace(cursor, 'something else', 'lost')).toBe(false);
          expect(await column.replace(cursor, sealed, `${sealed} anew`)).toBe(true);
        }
      }
      expect(new Set(walked).size).toBe(walked.length);
    }
    expect(places).toEqual([accountSecretPlace('walk'), ...[0, 1, 2].map(index => hookSecretPlace('hook of walk', index))]);
    expect([(await two.account('walk'))?.sealedSecret, (await two.hook('hook of walk'))?.sealedSecrets]).toEqual([
      'sealed walk anew',
      ['s0 anew', 's1 anew', 's2 anew'],
    ]);
  });
}
