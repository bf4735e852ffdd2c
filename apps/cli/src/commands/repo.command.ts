/** `weir repo add | list | set | remove`: the repositories whose changes are reviewed, and their webhooks (REV-9, REV-10). */
import { randomBytes } from 'node:crypto';
import { EXIT, type ExitCode, SEVERITIES, type Severity } from '@weir/contract';
import { AppError } from '@weir/kernel';
import type { ForgeAccount, RegisteredRepository } from '@weir/ports';
import { oneLine } from '@weir/report';
import { type Options, textOf } from '../action.ts';
import type { Flags } from '../composition/load-settings.ts';
import { givenFlags } from '../flags.ts';
import { type OpenOperatorStores, withOperatorStores } from '../gateway/open-operator-stores.ts';
import { secretBoxForWriting } from '../gateway/open-secret-box.ts';
import { writeJson, writeOut } from '../output.ts';
import { type AccountForge, withAccountForge } from '../registration/open-account-forge.ts';
import { peopleOf, peopleText, stableIds } from '../registration/people.ts';
import { hookAddress, newHook, pasteText, registerHook, removeHook } from '../registration/register-hook.ts';
import { readRepositoryAddress } from '../registration/repository-address.ts';
import { accountNamed } from './account.command.ts';

const ID_BYTES = 5;

/** The reviewer of this origin: the only one, or the one that is named. */
async function reviewerAt(open: OpenOperatorStores, origin: string, named: string | undefined): Promise<ForgeAccount> {
  if (named !== undefined) return accountNamed(open, named);
  const [account, ...more] = (await open.stores.registry.accounts()).filter(one => one.origin === origin && one.role === 'reviewer');
  if (account === undefined) {
    throw new AppError('REGISTRATION_INVALID', `No reviewer account is for ${origin}.`, {
      next: `Add one: weir account add <forge> --origin ${origin} --token-env NAME.`,
    });
  }
  if (more.length > 0) throw new AppError('USAGE', `several accounts are for ${origin}: name one with --account`, { next: 'List them: weir account list.' });
  return account;
}

function severityOf(text: string): Severity | null {
  const severity = SEVERITIES.find(one => one === text);
  if (severity === undefined && text !== 'none') throw new AppError('USAGE', `--block-on is ${SEVERITIES.join(', ')} or none`);
  return severity ?? null;
}

/** What the flags say of a repository; what they do not say stays. */
function rulesOf(options: Options): Partial<RegisteredRepository> {
  const given = (name: string, key: keyof RegisteredRepository): Partial<RegisteredRepository> =>
    options[name] === undefined ? {} : { [key]: options[name] === true };
  const blockOn = textOf(options, 'blockOn');
  const factory = textOf(options, 'factory');
  return {
    ...given('observe', 'observe'),
    ...given('drafts', 'reviewDrafts'),
    ...given('cost', 'showCost'),
    ...(blockOn === undefined ? {} : { blockOn: severityOf(blockOn) }),
    ...(factory === undefined ? {} : { factoryAccount: factory === 'none' ? null : factory }),
  };
}

export async function runRepoAdd(address: string, options: Options): Promise<ExitCode> {
  const { origin, path } = readRepositoryAddress(address);
  const publicUrl = textOf(options, 'publicUrl');
  hookAddress(publicUrl, '');
  return withOperatorStores(givenFlags(options), async open => {
    const account = await reviewerAt(open, origin, textOf(options, 'account'));
    refuseSecondHook(account, publicUrl);
    return withAccountForge(open, account, async forge => {
      const { id: repositoryId, owner, name } = await forge.port.ask('repo.get', { repository: path }, new AbortController().signal);
      const repository: RegisteredRepository = {
        ...{ id: `repo-${randomBytes(ID_BYTES).toString('hex')}`, account: account.id, factoryAccount: null, forge: account.forge, origin, repositoryId },
        ...{ path: { owner, name }, reviewDrafts: false, observe: false, blockOn: null, showCost: false },
        ...{ deniedActors: [], grantedActors: [], hook: '', hookId: null, lastDeliveryAt: null },
        ...rulesOf(options),
      };
      return connect(open, forge, { account, repository, publicUrl });
    });
  });
}

/** The registration that an app delivers to itself, for all its repositories. */
const appHookOf = ({ credential }: ForgeAccount): string | undefined => (credential.kind === 'app' ? credential.hook : undefined);

/** Two hooks would deliver everything twice. Throws USAGE. */
function refuseSecondHook(account: ForgeAccount, publicUrl: string | undefined): void {
  if (publicUrl === undefined || appHookOf(account) === undefined) return;
  throw new AppError('USAGE', `the app of ${account.id} delivers by its own webhook: leave --public-url out`);
}

interface Connection {
  readonly account: ForgeAccount;
  readonly repository: RegisteredRepository;
  readonly publicUrl: string | undefined;
}

/** Gives the repository's hook a secret, and saves both before the forge hears of it: a delivery that comes at once is known. */
async function connect({ stores }: OpenOperatorStores, forge: AccountForge, { account, repository, publicUrl }: Connection): Promise<ExitCode> {
  const appHook = appHookOf(account);
  if (appHook !== undefined) {
    const saved = { ...repository, hook: appHook };
    await stores.registry.saveRepository(saved);
    await writeOut(`${lineOf(saved)}\nDeliveries come by the webhook of the app; install it on this repository too.\n`);
    return EXIT.clean;
  }
  const before = repository.hook === '' ? undefined : await stores.registry.hook(repository.hook);
  const { hook, secret } = newHook(account, await secretBoxForWriting(stores), before);
  const saved = { ...repository, hook: hook.id, hookId: null };
  await stores.registry.saveHook(hook);
  await stores.registry.saveRepository(saved);
  await writeOut(`${lineOf(saved)}\n`);
  const url = hookAddress(publicUrl, hook.id);
  if (publicUrl === undefined) {
    await writeOut(
      `No webhook was registered, since --public-url was not given. Enter it in the settings of the repository:\n${pasteText(forge, { url, secret })}`,
    );
    return EXIT.clean;
  }
  const outcome = await registerHook(forge, saved, { url, secret });
  if (!outcome.registered) {
    await writeOut(
      `The webhook could not be registered (${outcome.because}). Enter it in the settings of the repository:\n${pasteText(forge, { url, secret })}`,
    );
    return EXIT.incomplete;
  }
  await stores.registry.saveRepository({ ...saved, hookId: outcome.hookId });
  await writeOut(`webhook ${outcome.hookId} registered: ${url}\n`);
  return EXIT.clean;
}

function lineOf(repository: RegisteredRepository): string {
  const { id, path, origin, account, factoryAccount, observe, reviewDrafts, blockOn, showCost, deniedActors, grantedActors, lastDeliveryAt } = repository;
  const rules = [
    ...(observe ? ['observed, nothing is posted'] : []),
    ...(reviewDrafts ? ['drafts too'] : []),
    ...(blockOn === null ? [] : [`blocks on ${blockOn}`]),
    ...(showCost ? ['shows cost'] : []),
    ...(factoryAccount === null ? [] : [`factory ${factoryAccount}`]),
    ...(deniedActors.length === 0 ? [] : [`denied ${peopleText(deniedActors)}`]),
    ...(grantedActors.length === 0 ? [] : [`granted ${peopleText(grantedActors)}`]),
    lastDeliveryAt === null ? 'no delivery yet' : `last delivery ${new Date(lastDeliveryAt).toISOString()}`,
  ];
  return oneLine(`${id} ${path.owner}/${path.name} at ${origin}, by ${account}; ${rules.join('; ')}`);
}

export async function runRepoList(json: boolean, flags: Flags): Promise<ExitCode> {
  return withOperatorStores(flags, async ({ stores }) => {
    const repositories = await stores.registry.repositories();
    if (json) await writeJson({ repositories });
    else if (repositories.length === 0) await writeOut('No repositories yet. Add one: weir repo add <url>\n');
    else for (const repository of repositories) await writeOut(`${lineOf(repository)}\n`);
    return EXIT.clean;
  });
}

/** By its id or its path. Throws USAGE for a path that two forges have, REGISTRATION_INVALID for none. */
async function repositoryNamed({ stores }: OpenOperatorStores, name: string): Promise<RegisteredRepository> {
  const found = (await stores.registry.repositories()).filter(
    ({ id, path }) => id === name || `${path.owner}/${path.name}`.toLowerCase() === name.toLowerCase(),
  );
  const [repository, ...more] = found;
  if (repository === undefined)
    throw new AppError('REGISTRATION_INVALID', `There is no registered repository ${name}.`, { next: 'List them: weir repo list.' });
  if (more.length > 0) throw new AppError('USAGE', `several repositories are called ${name}: name one by its id`, { next: 'List them: weir repo list.' });
  return repository;
}

/** Whose commands are refused, and whose permission is not measured (REV-27); the forge is asked for logins alone. */
async function actorsOf(open: OpenOperatorStores, { account }: RegisteredRepository, options: Options): Promise<Partial<RegisteredRepository>> {
  const denied = peopleOf(options, 'deny', 'withoutDenied');
  const granted = peopleOf(options, 'grant', 'withoutGranted');
  if (denied === undefined && granted === undefined) return {};
  return withAccountForge(open, await accountNamed(open, account), async ({ port }) => ({
    ...(denied === undefined ? {} : { deniedActors: await stableIds(port, denied) }),
    ...(granted === undefined ? {} : { grantedActors: await stableIds(port, granted) }),
  }));
}

export async function runRepoSet(name: string, options: Options): Promise<ExitCode> {
  const publicUrl = textOf(options, 'publicUrl');
  const rules = rulesOf(options);
  return withOperatorStores(givenFlags(options), async open => {
    const before = await repositoryNamed(open, name);
    const repository = { ...before, ...rules, ...(await actorsOf(open, before, options)) };
    if (publicUrl === undefined) {
      await open.stores.registry.saveRepository(repository);
      await writeOut(`${lineOf(repository)}\n`);
      return EXIT.clean;
    }
    const account = await accountNamed(open, repository.account);
    refuseSecondHook(account, publicUrl);
    return withAccountForge(open, account, async forge => {
      const left = await removeHook(forge, repository);
      if (left !== undefined) await writeOut(`The former webhook stays at the forge (${left}); delete it there.\n`);
      return connect(open, forge, { account, repository, publicUrl });
    });
  });
}

export async function runRepoRemove(name: string, flags: Flags): Promise<ExitCode> {
  return withOperatorStores(flags, async open => {
    const repository = await repositoryNamed(open, name);
    const account = await accountNamed(open, repository.account);
    const left = repository.hook === appHookOf(account) ? undefined : await withAccountForge(open, account, forge => removeHook(forge, repository));
    await open.stores.registry.deleteRepository(repository.id);
    await writeOut(`removed ${repository.path.owner}/${repository.path.name} (${repository.id}); its reviews stay\n`);
    if (left !== undefined) await writeOut(`The webhook stays at the forge (${left}); delete it there.\n`);
    return EXIT.clean;
  });
}
