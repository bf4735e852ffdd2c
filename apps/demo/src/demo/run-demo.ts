/**
 * `weir demo`: Weir's server, a simulated forge and a scripted model on this machine; three pull requests are opened, reviewed, pushed to
 * and reviewed again. No network but the loopback, no key, nothing of the user's own settings.
 */
import type { ForgeKind } from '@weir/forge-simulator';
import { startScriptedModel } from '@weir/scripted-model';
import { DEMO_CHANGES } from './demo-changes.ts';
import { followUp, openChange, openDemoForge, type OpenedChange, pageOf, REPOSITORY, REVIEWER, seenOf } from './demo-forge.ts';
import { type DemoServer, type WeirProcess, weirProcess } from './weir-process.ts';

const FORGES: readonly ForgeKind[] = ['github', 'gitlab', 'gitea', 'forgejo', 'bitbucket-cloud'];
const MODEL = 'scripted';
const TOKEN = 'WEIR_DEMO_TOKEN';

export interface DemoRequest {
  /** What starts Weir: the runtime with its flags, and the file. */
  readonly program: readonly string[];
  /** GitHub if not given. */
  readonly forge: string | undefined;
  /** Checks what came of it and ends; else it stays until it is interrupted. */
  readonly once: boolean;
  readonly write: (line: string) => void;
}

/** @returns what is not as it should be, a sentence each. Throws RangeError for a forge that there is no simulator of. */
export async function runDemo({ program, forge: name = 'github', once, write }: DemoRequest, signal: AbortSignal): Promise<readonly string[]> {
  const kind = FORGES.find(one => one === name);
  if (kind === undefined) throw new RangeError(`There is no simulator of ${name}; there are ${FORGES.join(', ')}.`);
  const closing: (() => unknown)[] = [];
  try {
    const model = await startScriptedModel({});
    closing.push(model.close);
    const forge = await openDemoForge(kind);
    closing.push(forge.close);
    const weir = weirProcess(program);
    closing.push(weir.remove);
    write('starting Weir: its server, an embedded database, a simulated forge, a scripted model');
    const server = await startWeir(weir, { kind, forgeUrl: forge.url, token: forge.token(REVIEWER), modelUrl: model.baseUrl });
    closing.push(server.stop);
    write(`forge ${forge.url} (${kind}, ${REPOSITORY})   hooks ${server.hooks}\n`);
    if (!once) write(`dashboard ${server.entrance}   (signs you in, once)\n`);
    const opened = await reviewAll(forge, write, signal);
    const problems = opened.flatMap(({ wanted, number }) => wanted.problems(seenOf(forge, number)).map(sentence => `#${number}: ${sentence}`));
    for (const { number } of opened) write(`${pageOf(forge, number).join('\n')}\n`);
    for (const args of [['reviews'], ['spend']]) write(`$ weir ${args.join(' ')}\n${await weir.command([...args, '--quiet'])}`);
    if (!once) await stay(weir, write, signal);
    return [...problems, ...forge.violations.map(({ request, place, detail }) => `${request} breaks the published description: ${place} ${detail}`)];
  } finally {
    for (const close of closing.reverse()) await close();
  }
}

interface Scene {
  readonly kind: ForgeKind;
  readonly forgeUrl: string;
  readonly token: string;
  readonly modelUrl: string;
}

/** The commands that a person would give. */
async function startWeir(weir: WeirProcess, { kind, forgeUrl, token, modelUrl }: Scene): Promise<DemoServer> {
  const allow = ['--allow-origin', forgeUrl];
  const server = await weir.serve(['--port', '0', '--hooks-port', '0', '--model', MODEL, ...allow, '--allow-origin', new URL(modelUrl).origin]);
  try {
    const rates = ['--input-rate', '2.50', '--output-rate', '10.00', '--cached-input-rate', '0.25'];
    await weir.command(['models', 'add', MODEL, '--provider', 'demo', '--preset', 'ollama', '--base-url', modelUrl, ...rates, '--quiet']);
    await weir.command(['account', 'add', kind, '--origin', forgeUrl, '--base-url', forgeUrl, '--token-env', TOKEN, ...allow], { [TOKEN]: token });
    await weir.command(['repo', 'add', `${forgeUrl}/${REPOSITORY}`, '--public-url', server.hooks, ...allow]);
    return server;
  } catch (error) {
    await server.stop();
    throw error;
  }
}

async function reviewAll(forge: Awaited<ReturnType<typeof openDemoForge>>, write: DemoRequest['write'], signal: AbortSignal): Promise<readonly OpenedChange[]> {
  const opened: OpenedChange[] = [];
  for (const wanted of DEMO_CHANGES) {
    opened.push(await openChange(forge, wanted, signal));
    write(`opened "${wanted.title}": reviewed`);
  }
  for (const change of opened) {
    await followUp(forge, change, signal);
    write(`${change.wanted.then}: reviewed again`);
  }
  write('');
  return opened;
}

async function stay({ variables, logFile }: WeirProcess, write: DemoRequest['write'], signal: AbortSignal): Promise<void> {
  const exported = Object.entries(variables).map(([variable, value]) => `${variable}=${value}`);
  write(`\nMore to look at, in another terminal:\n  export ${exported.join(' ')}`);
  for (const command of [`reviews show ${REPOSITORY}#1`, 'attention', 'models list', 'repo list']) write(`  weir ${command}`);
  write(`\nThe log is ${logFile}. It all stays until Ctrl-C.`);
  await new Promise<void>(resolve => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
