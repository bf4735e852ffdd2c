/** Weir as a person runs it: the same program, started again, with settings and data in a folder of the demonstration alone. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Milliseconds until the server has to print its addresses; the embedded database is made at the first start. */
const START_MS = 60_000;

export interface DemoServer {
  /** Where the forge delivers. */
  readonly hooks: string;
  /** Signs in to the dashboard once. */
  readonly entrance: string;
  stop(): Promise<void>;
}

export interface WeirProcess {
  readonly logFile: string;
  /** For another terminal: the variables with which its commands reach this server. */
  readonly variables: Readonly<Record<string, string>>;
  /** Runs one command to its end. Throws with its output where it fails. */
  command(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<string>;
  serve(args: readonly string[]): Promise<DemoServer>;
  /** Deletes the folder. */
  remove(): void;
}

/** @param program what starts Weir: the runtime with its flags, and the file. */
export function weirProcess(program: readonly string[]): WeirProcess {
  const [runtime = process.execPath, ...file] = program;
  const folder = mkdtempSync(path.join(tmpdir(), 'weir-demo-'));
  const home = (part: string): string => path.join(folder, part);
  const variables = { XDG_CONFIG_HOME: home('config'), XDG_STATE_HOME: home('state'), XDG_DATA_HOME: home('data') };
  const logFile = home('server.log');
  const start = (args: readonly string[], env: Readonly<Record<string, string>> = {}): ChildProcess =>
    spawn(runtime, [...file, ...args], { env: { ...unset('WEIR_'), ...variables, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });

  return {
    ...{ logFile, variables },
    async command(args, env) {
      const child = start(args, env);
      const output = collect(child);
      const code = await ended(child);
      if (code !== 0) throw new Error(`weir ${args.join(' ')} ended with ${code}:\n${output()}`);
      return output();
    },
    async serve(args) {
      const child = start(['serve', '--dashboard-port', '0', ...args]);
      child.stderr?.pipe(createWriteStream(logFile));
      return {
        ...(await addressesOf(child, logFile)),
        stop: async () => {
          child.kill('SIGTERM');
          await ended(child);
        },
      };
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Nothing that is set for this user's own Weir reaches the demonstration. */
const unset = (prefix: string): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith(prefix)));

function collect(child: ChildProcess): () => string {
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString('utf8');
}

const ended = (child: ChildProcess): Promise<number | null> =>
  new Promise((resolve, reject) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve(child.exitCode);
    child.once('error', reject);
    child.once('close', code => resolve(code));
  });

function addressesOf(child: ChildProcess, logFile: string): Promise<Pick<DemoServer, 'hooks' | 'entrance'>> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => {
      // One that goes on would keep the demonstration from ending.
      child.kill('SIGKILL');
      reject(new Error(`The server did not start within ${START_MS / 1_000} s.`));
    }, START_MS);
    let text = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const [hooks, entrance] = ['hooks', 'dashboard'].map(name => new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
      if (hooks === undefined || entrance === undefined) return;
      clearTimeout(late);
      resolve({ hooks, entrance });
    });
    child.once('close', code => {
      clearTimeout(late);
      reject(new Error(`The server ended with ${code}; its log is ${logFile}.`));
    });
  });
}
