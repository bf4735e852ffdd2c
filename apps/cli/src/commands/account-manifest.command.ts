/** `weir account add github --manifest`: a person makes the app on the forge's own page, and its key comes straight into the encrypted store. */
import { randomBytes } from 'node:crypto';
import { EXIT, type ExitCode } from '@weir/contract';
import { startCallbackServer } from '@weir/ingress-http';
import { AppError } from '@weir/kernel';
import { accountSecretPlace, type ForgeAccount, hookSecretPlace, type SecretBox } from '@weir/ports';
import { oneLine } from '@weir/report';
import { type Options, textOf } from '../action.ts';
import { givenFlags } from '../flags.ts';
import { type OpenOperatorStores, withOperatorStores } from '../gateway/open-operator-stores.ts';
import { secretBoxForWriting } from '../gateway/open-secret-box.ts';
import { sleep } from '../gateway/real-time.ts';
import { writeOut } from '../output.ts';
import { loadProvider } from '../provider/provider-files.ts';
import { forgePlace, type ForgePlace } from '../registration/api-address.ts';
import { listInstallations } from '../registration/app-installation.ts';
import { appManifest, DONE_PAGE, manifestAddress, manifestPage } from '../registration/app-manifest.ts';
import { checkAccount } from '../registration/check-account.ts';
import { CONVERT, convertManifest, type NewApp } from '../registration/convert-manifest.ts';
import { type OpenForge, withForge } from '../registration/open-account-forge.ts';
import { hookAddress } from '../registration/register-hook.ts';
import { credentialsOf } from '../server/provider-book.ts';
import { accountId, lineOf, roleOf, scopeText } from './account.command.ts';

/** For the person's clicks, each time. */
const PATIENCE_MS = 600_000;
const LOOK_AGAIN_MS = 3_000;
const STATE_BYTES = 32;
const HOOK_ID_BYTES = 12;
const OTHERS = ['appId', 'installation', 'keyFile', 'tokenEnv'];

interface Wanted extends ForgePlace {
  readonly forge: string;
  readonly role: ForgeAccount['role'];
  readonly id: string | undefined;
  readonly name: string;
  readonly organization: string | undefined;
  readonly homepage: string;
  /** Registration of the app's own webhook, with its address; null where repositories have their own. */
  readonly hook: { readonly id: string; readonly url: string } | null;
}

/** Throws USAGE. */
async function wantedOf(forge: string, options: Options): Promise<Wanted> {
  if (OTHERS.some(name => options[name] !== undefined)) throw new AppError('USAGE', '--manifest makes a new app: give no token, key or installation');
  const publicUrl = textOf(options, 'publicUrl');
  const hookId = randomBytes(HOOK_ID_BYTES).toString('hex');
  const { descriptor } = await loadProvider(forge);
  const place = forgePlace(descriptor, { origin: textOf(options, 'origin'), baseUrl: textOf(options, 'baseUrl') });
  return {
    ...{ ...place, forge, role: roleOf(String(options['role'])), homepage: publicUrl ?? place.origin },
    ...{ id: textOf(options, 'id'), name: textOf(options, 'name') ?? 'Weir', organization: textOf(options, 'organization') },
    hook: publicUrl === undefined ? null : { id: hookId, url: hookAddress(publicUrl, hookId) },
  };
}

export async function runAccountManifest(forge: string, options: Options, signal: AbortSignal): Promise<ExitCode> {
  const wanted = await wantedOf(forge, options);
  return withOperatorStores(givenFlags(options), async open => {
    const box = await secretBoxForWriting(open.stores);
    return withForge(open, wanted, async door => {
      if (!door.read.table.operations.some(({ id }) => id === CONVERT)) throw new AppError('USAGE', `${forge} makes no apps from a manifest`);
      const code = await codeOf(wanted, door, signal);
      if (code === undefined) {
        await writeOut('Nobody has made the app in time. Run the command again.\n');
        return EXIT.incomplete;
      }
      const app = await convertManifest(door, code, signal);
      const account = await saveApp(open, box, { wanted, app });
      await writeOut(`added ${lineOf(account)}\nInstall it on the repositories: ${oneLine(app.html_url)}/installations/new\n`);
      return untilInstalled(open, door, { account, signal });
    });
  });
}

/** Undefined when nobody has come in time. Rejects with the reason of the signal. */
async function codeOf({ origin, organization, name, homepage, hook }: Wanted, { read }: OpenForge, signal: AbortSignal): Promise<string | undefined> {
  const state = randomBytes(STATE_BYTES).toString('base64url');
  const address = manifestAddress(origin, organization, state);
  const facts = { name, homepage, hookUrl: hook?.url ?? null, events: read.files.descriptor.webhooks?.subscribe ?? [] };
  const server = await startCallbackServer({
    ...{ state, done: DONE_PAGE },
    page: redirect => ({ html: manifestPage(address, appManifest(facts, redirect)), formTarget: origin }),
  });
  const ended = new AbortController();
  try {
    await writeOut(`Open ${server.address} in a browser on this machine, within ${PATIENCE_MS / 60_000} minutes.\n`);
    return await Promise.race([server.code, sleep(PATIENCE_MS, AbortSignal.any([signal, ended.signal])).then(() => undefined)]);
  } finally {
    ended.abort();
    await server.close();
  }
}

/** The key exists nowhere else, so that it is stored before anything else is asked. Who the app's bot is shows with its installation. */
async function saveApp({ stores }: OpenOperatorStores, box: SecretBox, { wanted, app }: { wanted: Wanted; app: NewApp }): Promise<ForgeAccount> {
  const { forge, origin, baseUrl, role, hook } = wanted;
  const login = `${app.slug}[bot]`;
  const id = wanted.id ?? accountId(login, origin);
  const delivers = hook !== null && app.webhook_secret !== null ? hook : null;
  const account: ForgeAccount = {
    ...{ id, forge, origin, baseUrl, role, identity: { id: `app ${app.id}`, login, kind: 'bot' }, scopes: null, observedAt: Date.now(), state: 'active' },
    credential: { kind: 'app', appId: String(app.id), installationId: null, ...(delivers === null ? {} : { hook: delivers.id }) },
    ...{ listedAuthors: [], allowedBots: [], sealedSecret: box.seal(app.pem, accountSecretPlace(id)) },
  };
  await stores.registry.saveAccount(account);
  if (delivers !== null)
    await stores.registry.saveHook({
      ...{ id: delivers.id, account: id, forge, origin },
      sealedSecrets: [box.seal(app.webhook_secret ?? '', hookSecretPlace(delivers.id, 0))],
    });
  return account;
}

interface Waiting {
  readonly account: ForgeAccount;
  readonly signal: AbortSignal;
}

/** The app stays as it is where nobody installs it in time; `weir account check` goes on from there. */
async function untilInstalled(open: OpenOperatorStores, door: OpenForge, { account, signal }: Waiting): Promise<ExitCode> {
  const credentials = credentialsOf(await secretBoxForWriting(open.stores), account);
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await sleep(LOOK_AGAIN_MS, signal)) {
    if ((await listInstallations(door, credentials, signal)).length === 0) continue;
    const installed = await checkAccount(open, account, { signal });
    await writeOut(`${lineOf(installed)}\n${await scopeText(installed)}`);
    return EXIT.clean;
  }
  await writeOut(`The app is not installed yet. When it is: weir account check ${account.id}\n`);
  return EXIT.incomplete;
}
