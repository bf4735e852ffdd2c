/** One machine with the program on it: a home and settings of its own, commands of an operator, and servers as processes that a test may kill. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type { Program } from './installed-program.ts';

/** Characters of a log that are kept, and lines that a failure shows. */
const KEPT = 100_000;
const SHOWN = 30;

export interface HostSettings {
  readonly program: Program;
  readonly env: Readonly<Record<string, string>>;
  /** The keyset of another host, which processes of one deployment share; left out, the first secret makes one. */
  readonly keyset?: string;
}

export interface ServeOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** A module that runs before the program. */
  readonly preload?: string;
}

export interface Host {
  readonly keyset: string;
  /** Of the embedded database. */
  readonly dataFolder: string;
  /** `weir serve`. Resolves when it has said its addresses. Throws where it ends before. */
  serve(args: readonly string[], options?: ServeOptions): Promise<ServerProcess>;
  /** A command of the operator. Throws where it fails. */
  command(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<string>;
  /** Last lines of what its servers have logged. */
  log(): string;
  /** After its servers have ended. */
  remove(): void;
}

export interface ServerProcess {
  readonly pid: number;
  running(): boolean;
  /** @returns the signal that ended it, null where it ended by itself. */
  ended(): Promise<NodeJS.Signals | null>;
  kill(): Promise<void>;
  stop(): Promise<void>;
}

export function createHost({ program, env, keyset }: HostSettings): Host {
  const home = mkdtempSync(path.join(tmpdir(), 'weir-host-'));
  const own = { ...cleanEnvironment(home), ...env };
  const keysetFile = path.join(home, 'config/weir/keyset.json');
  if (keyset !== undefined) {
    mkdirSync(path.dirname(keysetFile), { recursive: true });
    cpSync(keyset, keysetFile);
  }
  let log = '';
  const tail = (): string => log.split('\n').slice(-SHOWN).join('\n');
  return {
    keyset: keysetFile,
    dataFolder: path.join(home, 'data/weir'),
    log: tail,
    remove: () => rmSync(home, { recursive: true, force: true }),
    async serve(args, { env: more = {}, preload } = {}) {
      const node = preload === undefined ? [] : ['--import', preload];
      const child = spawn(process.execPath, [...node, program.bin, 'serve', '--dashboard-port', '0', ...args], {
        env: { ...own, ...more },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      child.stderr.on('data', (chunk: Buffer) => void (log = (log + chunk.toString()).slice(-KEPT)));
      const server = processOf(child);
      await Promise.race([once(child.stdout, 'data'), server.ended()]);
      if (!server.running()) throw new Error(`The server did not start:\n${tail()}`);
      return server;
    },
    async command(args, more = {}) {
      const child = spawn(process.execPath, [program.bin, ...args], { env: { ...own, ...more }, stdio: ['ignore', 'pipe', 'pipe'] });
      const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), processOf(child).ended()]);
      if (child.exitCode !== 0) throw new Error(`weir ${args.join(' ')} ends with ${child.exitCode}:\n${stdout}${stderr}`);
      return stdout;
    },
  };
}

function processOf(child: ChildProcess): ServerProcess {
  const running = (): boolean => child.exitCode === null && child.signalCode === null;
  const ended = async (): Promise<NodeJS.Signals | null> => {
    if (running()) await once(child, 'exit');
    return child.signalCode;
  };
  const endBy = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal);
    await ended();
  };
  return { pid: child.pid ?? 0, running, ended, kill: () => endBy('SIGKILL'), stop: () => endBy('SIGINT') };
}

/** Nothing of the machine's own configuration reaches the process. */
function cleanEnvironment(home: string): Record<string, string> {
  const kept = Object.entries(process.env).filter(([name]) => !/^(WEIR_|GIT_|VITEST|XDG_|NODE_OPTIONS$|NODE_ENV$)/.test(name));
  const folders = { XDG_CONFIG_HOME: 'config', XDG_STATE_HOME: 'state', XDG_DATA_HOME: 'data', XDG_CACHE_HOME: 'cache' };
  const named = Object.entries(folders).map(([name, part]) => [name, path.join(home, part)] as const);
  return { ...Object.fromEntries(kept.map(([name, value]) => [name, value ?? ''])), HOME: home, ...Object.fromEntries(named) };
}
