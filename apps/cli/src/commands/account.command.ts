/** `weir account add | check | list | set | remove`: Weir's machine accounts at forges (REV-8a, REV-9). Their secrets are encrypted and shown nowhere. */
import { EXIT, type ExitCode } from '@weir/contract';
import { AppError } from '@weir/kernel';
import { accountSecretPlace, type ForgeAccount } from '@weir/ports';
import { type Options, textOf } from '../action.ts';
import type { Flags } from '../composition/load-settings.ts';
import { givenFlags } from '../flags.ts';
import { type OpenOperatorStores, withOperatorStores } from '../gateway/open-operator-stores.ts';
import { secretBoxForWriting } from '../gateway/open-secret-box.ts';
import { readCredential } from '../gateway/read-credential.ts';
import { writeJson, writeOut } from '../output.ts';
import { readText } from '../provider/call-arguments.ts';
import { loadProvider } from '../provider/provider-files.ts';
import { forgePlace } from '../registration/api-address.ts';
import { checkAccount, observe } from '../registration/check-account.ts';
import { withAccountForge } from '../registration/open-account-forge.ts';
import { peopleOf, peopleText, stableIds } from '../registration/people.ts';
import { missingOf } from '../registration/scope-advice.ts';

type Role = ForgeAccount['role'];
type Credential = Pick<ForgeAccount, 'credential'> & { readonly secret: string };

const never = (): AbortSignal => new AbortController().signal;

export function roleOf(text: string): Role {
  if (text === 'reviewer' || text === 'factory') return text;
  throw new AppError('USAGE', `--role is reviewer or factory, not ${JSON.stringify(text.slice(0, 40))}`);
}

/** The key of an app, or a token from the environment or from standard input. */
async function credentialOf(options: Options): Promise<Credential> {
  const [appId, installation, keyFile, tokenEnv] = ['appId', 'installation', 'keyFile', 'tokenEnv'].map(name => textOf(options, name));
  if (appId === undefined && installation === undefined && keyFile === undefined) return tokenOf(tokenEnv);
  if (appId === undefined || installation === undefined || keyFile === undefined || tokenEnv !== undefined) {
    throw new AppError('USAGE', 'an app has --app-id, --installation and --key-file, and no token');
  }
  return { credential: { kind: 'app', appId, installationId: installationOf(installation) }, secret: await readText(keyFile, never()) };
}

function installationOf(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new AppError('USAGE', '--installation is a number');
  return Number(text);
}

async function tokenOf(variable: string | undefined): Promise<Credential> {
  if (variable === undefined) return { credential: { kind: 'token' }, secret: await readCredential('-') };
  const secret = process.env[variable]?.trim() ?? '';
  if (secret === '') throw new AppError('USAGE', `the environment has no ${variable}`);
  return { credential: { kind: 'token' }, secret };
}

/** `weir-bot@github.com` */
export const accountId = (login: string, origin: string): string => `${login.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/-$/, '')}@${new URL(origin).host}`;

const OF_NEW_APPS = ['name', 'organization', 'publicUrl'];

export async function runAccountAdd(forge: string, options: Options): Promise<ExitCode> {
  if (OF_NEW_APPS.some(name => options[name] !== undefined)) throw new AppError('USAGE', '--name, --organization and --public-url are for --manifest');
  const { descriptor } = await loadProvider(forge);
  const place = forgePlace(descriptor, { origin: textOf(options, 'origin'), baseUrl: textOf(options, 'baseUrl') });
  const role = roleOf(String(options['role']));
  const { credential, secret } = await credentialOf(options);
  return withOperatorStores(givenFlags(options), async open => {
    const box = await secretBoxForWriting(open.stores);
    const draft: ForgeAccount = {
      ...{ ...place, forge, role, credential, id: 'new', identity: { id: '-', login: '-', kind: 'unknown' }, scopes: null, observedAt: Date.now() },
      ...{ state: 'active', listedAuthors: [], allowedBots: [], sealedSecret: box.seal(secret, accountSecretPlace('new')) },
    };
    const seen = await withAccountForge(open, draft, ({ port }) => observe(port, never()));
    const id = textOf(options, 'id') ?? accountId(seen.identity.login, place.origin);
    const before = await open.stores.registry.account(id);
    const lists = { listedAuthors: before?.listedAuthors ?? [], allowedBots: before?.allowedBots ?? [] };
    const account = { ...draft, ...seen, ...lists, id, credential: keepHook(credential, before), sealedSecret: box.seal(secret, accountSecretPlace(id)) };
    await open.stores.registry.saveAccount(account);
    await writeOut(`${before === undefined ? 'added' : 'replaced'} ${lineOf(account)}\n${await scopeText(account)}`);
    return EXIT.clean;
  });
}

/** An app that gets another key or installation still delivers to the same address. */
function keepHook(credential: ForgeAccount['credential'], before: ForgeAccount | undefined): ForgeAccount['credential'] {
  const old = before?.credential;
  if (credential.kind !== 'app' || old?.kind !== 'app' || old.appId !== credential.appId || old.hook === undefined) return credential;
  return { ...credential, hook: old.hook };
}

export const lineOf = ({ id, identity, origin, forge, role, state, credential }: ForgeAccount): string => {
  const marks = [...(state === 'active' ? [] : [state]), ...(credential.kind === 'app' && credential.installationId === null ? ['not installed yet'] : [])];
  return `${id}: ${[`${identity.login} (${identity.kind}, id ${identity.id}) at ${origin} (${forge})`, role, ...marks].join(', ')}`;
};

export async function scopeText(account: ForgeAccount): Promise<string> {
  const { scopes, observedAt } = account;
  const moment = new Date(observedAt).toISOString();
  if (scopes === null) return `  scopes: this credential tells none (asked ${moment}); what it lacks shows with the call that needs it\n`;
  const missing = await missingOf(account);
  return `  scopes: ${scopes.join(', ') || 'none'} (observed ${moment})\n${missing.map(what => `  missing: ${what}\n`).join('')}`;
}

export async function runAccountList(json: boolean, flags: Flags): Promise<ExitCode> {
  return withOperatorStores(flags, async ({ stores }) => {
    const accounts = await stores.registry.accounts();
    if (json)
      await writeJson({
        accounts: await Promise.all(accounts.map(async account => ({ ...account, sealedSecret: undefined, missing: await missingOf(account) }))),
      });
    else if (accounts.length === 0) await writeOut('No accounts yet. Add one: weir account add <forge> --token-env NAME\n');
    else for (const account of accounts) await writeOut(`${lineOf(account)}\n${await scopeText(account)}${listText(account)}`);
    return EXIT.clean;
  });
}

export function listText({ listedAuthors, allowedBots }: ForgeAccount): string {
  const authors = listedAuthors.length === 0 ? 'everyone' : peopleText(listedAuthors);
  return `  authors: ${authors}${allowedBots.length === 0 ? '' : `; bots: ${peopleText(allowedBots)}`}\n`;
}

/** Throws REGISTRATION_INVALID. */
export async function accountNamed({ stores }: Pick<OpenOperatorStores, 'stores'>, id: string): Promise<ForgeAccount> {
  const account = await stores.registry.account(id);
  if (account === undefined) throw new AppError('REGISTRATION_INVALID', `There is no account ${id}.`, { next: 'List them: weir account list.' });
  return account;
}

export async function runAccountCheck(id: string, options: Options, signal: AbortSignal): Promise<ExitCode> {
  const installation = textOf(options, 'installation');
  const wanted = installation === undefined ? {} : { installation: installationOf(installation) };
  return withOperatorStores(givenFlags(options), async open => {
    const account = await checkAccount(open, await accountNamed(open, id), { ...wanted, signal });
    await writeOut(`${lineOf(account)}\n${await scopeText(account)}`);
    return EXIT.clean;
  });
}

export async function runAccountSet(id: string, options: Options): Promise<ExitCode> {
  const authors = peopleOf(options, 'author', 'anyAuthor');
  const bots = peopleOf(options, 'bot', 'withoutBots');
  return withOperatorStores(givenFlags(options), async open => {
    const account = await accountNamed(open, id);
    const changed = await withAccountForge(open, account, async ({ port }) => ({
      ...account,
      ...(authors === undefined ? {} : { listedAuthors: await stableIds(port, authors) }),
      ...(bots === undefined ? {} : { allowedBots: await stableIds(port, bots) }),
    }));
    await open.stores.registry.saveAccount(changed);
    await writeOut(`${lineOf(changed)}\n${listText(changed)}`);
    return EXIT.clean;
  });
}

export async function runAccountRemove(id: string, flags: Flags): Promise<ExitCode> {
  return withOperatorStores(flags, async ({ stores }) => {
    await stores.registry.deleteAccount(id);
    await writeOut(`removed ${id}\n`);
    return EXIT.clean;
  });
}
