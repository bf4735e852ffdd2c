/** The built program in a folder of its own, as a package is installed, and its server as a process that a test may kill. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { freePort } from '@weir/test-infra';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const PARTS = ['apps/cli/bin', 'apps/cli/dist', 'descriptors'];
const HOOK = path.join(import.meta.dirname, 'crash-hook.js');
const OPERATOR_KEY = 'the-operator-key-of-the-crash-tests';
/** Lines of the server's log that a failure shows. */
const SHOWN = 30;

export interface Program {
  readonly bin: string;
  release(): void;
}

/** Nothing that runs there is touched by a build of this checkout. Throws where nothing is built. */
export function installProgram(): Program {
  if (!existsSync(path.join(ROOT, 'apps/cli/dist/main.js'))) throw new Error('The program is not built: npm run build.');
  const folder = mkdtempSync(path.join(tmpdir(), 'weir-program-'));
  for (const part of PARTS) cpSync(path.join(ROOT, part), path.join(folder, part), { recursive: true });
  return { bin: path.join(folder, 'apps/cli/bin/weir.js'), release: () => rmSync(folder, { recursive: true, force: true }) };
}

export interface WeirSettings {
  readonly program: Program;
  /** Null: the embedded database, in a folder of its own. */
  readonly database: string | null;
  readonly env: Readonly<Record<string, string>>;
}

/** One installation: its data, its settings and its addresses stay when its process dies. */
export interface Weir {
  /** Where forges deliver to. */
  readonly hooks: string;
  start(): Promise<void>;
  running(): boolean;
  /** Ends the process at the n-th time of that point from now on; null spares it. */
  aim(point: { readonly effect: string; readonly phase: string; readonly occurrence: number } | null): void;
  /** Resolves when the process has ended by SIGKILL. */
  readonly died: () => Promise<void>;
  kill(): Promise<void>;
  /** Points that were passed so far. */
  effects(): readonly string[];
  /** Last lines of the log. */
  log(): string;
  /** A command of the operator. Throws where it fails. */
  command(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<string>;
  /** What an operator's command asks of the running server. */
  ask<Answer>(store: string, method: string, args: readonly unknown[]): Promise<Answer>;
  /** Stops the server, and removes the data. */
  close(): Promise<void>;
}

export async function createWeir({ program, database, env }: WeirSettings): Promise<Weir> {
  const folder = mkdtempSync(path.join(tmpdir(), 'weir-crash-'));
  const [hooksPort, gatewayPort] = [await freePort(), await freePort()];
  const files = { aim: path.join(folder, 'aim'), effects: path.join(folder, 'effects.log') };
  for (const file of Object.values(files)) writeFileSync(file, '');
  mkdirSync(path.join(folder, 'home'));
  const own = {
    ...cleanEnvironment(path.join(folder, 'home')),
    WEIR_GATEWAY_OPERATOR_KEY: OPERATOR_KEY,
    ...(database === null ? {} : { WEIR_STORAGE_DATABASE: database }),
    ...env,
  };
  const gateway = `http://127.0.0.1:${gatewayPort}`;
  let log = '';
  let server: ChildProcess | undefined;

  const running = (): boolean => server !== undefined && server.exitCode === null && server.signalCode === null;
  const ended = async (): Promise<void> => {
    if (server !== undefined && running()) await once(server, 'exit');
  };
  const logTail = (): string => log.split('\n').slice(-SHOWN).join('\n');

  return {
    hooks: `http://127.0.0.1:${hooksPort}`,
    running,
    async start() {
      const args = ['--import', HOOK, program.bin, 'serve', '--port', String(gatewayPort), '--hooks-port', String(hooksPort)];
      const child = spawn(process.execPath, args, { env: { ...own, WEIR_CRASH_FOLDER: folder }, stdio: ['ignore', 'pipe', 'pipe'] });
      server = child;
      child.stderr.on('data', (chunk: Buffer) => void (log = (log + chunk.toString()).slice(-100_000)));
      await startedOrEnded(child);
      if (!running()) throw new Error(`The server did not start:\n${logTail()}`);
    },
    aim: point => writeFileSync(files.aim, point === null ? '' : `${point.effect} ${point.phase} ${point.occurrence}`),
    async died() {
      await ended();
      if (server?.signalCode !== 'SIGKILL') throw new Error(`The server ended by itself:\n${logTail()}`);
    },
    async kill() {
      server?.kill('SIGKILL');
      await ended();
    },
    effects: () => readFileSync(files.effects, 'utf8').split('\n').slice(0, -1),
    log: logTail,
    async command(args, more = {}) {
      const child = spawn(process.execPath, [program.bin, ...args], { env: { ...own, ...more }, stdio: ['ignore', 'pipe', 'pipe'] });
      const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), child.exitCode === null ? once(child, 'exit') : undefined]);
      if (child.exitCode !== 0) throw new Error(`weir ${args.join(' ')} ends with ${child.exitCode}:\n${stdout}${stderr}`);
      return stdout;
    },
    async ask<Answer>(store: string, method: string, args: readonly unknown[]) {
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${OPERATOR_KEY}` };
      const answer = await fetch(`${gateway}/v1/operator/stores`, { method: 'POST', headers, body: JSON.stringify({ store, method, args }) });
      const { result, error } = (await answer.json()) as { readonly result?: Answer; readonly error?: { readonly message: string } };
      if (error !== undefined) throw new Error(`${store}.${method}: ${error.message}`);
      return result as Answer;
    },
    async close() {
      server?.kill('SIGINT');
      await ended();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Its addresses are the last that it says. */
function startedOrEnded(child: ChildProcess): Promise<void> {
  let said = '';
  return new Promise(resolve => {
    child.stdout?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      if (said.includes('gateway ')) resolve();
    });
    child.once('exit', () => resolve());
  });
}

/** Nothing of the machine's own configuration reaches the process. */
function cleanEnvironment(home: string): Record<string, string> {
  const kept = Object.entries(process.env).filter(([name]) => !/^(WEIR_|GIT_|VITEST|XDG_|NODE_OPTIONS$|NODE_ENV$)/.test(name));
  const folders = { XDG_CONFIG_HOME: 'config', XDG_STATE_HOME: 'state', XDG_DATA_HOME: 'data', XDG_CACHE_HOME: 'cache' };
  const named = Object.entries(folders).map(([name, part]) => [name, path.join(home, part)] as const);
  return { ...Object.fromEntries(kept.map(([name, value]) => [name, value ?? ''])), HOME: home, ...Object.fromEntries(named) };
}
