/** For tests: runs the built program as a person does, in a folder and environment of its own. */
import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const BIN = path.resolve(import.meta.dirname, '../bin/weir.js');

export interface ProgramRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Invocation {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string | Uint8Array;
  /** The program that runs; the one of this checkout if not given. */
  readonly bin?: string;
  /** Sends SIGINT after so many milliseconds. */
  readonly interruptAfterMs?: number;
}

/** A folder that is removed by `release`. */
export function temporaryFolder(): { readonly folder: string; release(): void } {
  const folder = mkdtempSync(path.join(tmpdir(), 'weir-cli-'));
  return { folder, release: () => rmSync(folder, { recursive: true, force: true }) };
}

/**
 * Copies the program into a folder as a package is installed: with its descriptors, outside of a checkout. Nothing that it runs
 * reaches the files of the repository. Gives the path of the program.
 */
export function installProgram(folder: string): string {
  const root = path.resolve(import.meta.dirname, '../../..');
  for (const part of ['apps/cli/bin', 'apps/cli/dist', 'descriptors']) cpSync(path.join(root, part), path.join(folder, part), { recursive: true });
  return path.join(folder, 'apps/cli/bin/weir.js');
}

/** Runs `weir` with settings and state in `home` alone: nothing of the machine's own configuration reaches it. */
export function runProgram(
  home: string,
  args: readonly string[],
  { cwd = home, env = {}, input, bin = BIN, interruptAfterMs }: Invocation = {},
): Promise<ProgramRun> {
  const clean = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith('WEIR_') && !name.startsWith('GIT_') && name !== 'NODE_OPTIONS'),
  );
  const child = spawn(process.execPath, [bin, ...args], {
    cwd,
    env: {
      ...clean,
      HOME: home,
      XDG_CONFIG_HOME: path.join(home, 'config'),
      XDG_STATE_HOME: path.join(home, 'state'),
      XDG_DATA_HOME: path.join(home, 'data'),
      ...env,
    },
  });
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
  // A program that ends before it has read its input closes the pipe.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input ?? '');
  if (interruptAfterMs !== undefined) setTimeout(() => child.kill('SIGINT'), interruptAfterMs);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', code => resolve({ code, stdout: Buffer.concat(out).toString('utf8'), stderr: Buffer.concat(err).toString('utf8') }));
  });
}
