/** Runs one agent process to its end, within a time, and ends whatever it started. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { AgentCommand, AgentSeat } from './agents/agent.ts';

const LONGEST_RUN_MS = 240_000;
const KEPT_OUTPUT_CHARACTERS = 20_000;
/** Nothing listens there: a client that wants more than loopback fails at once instead of reaching the network. */
const NO_PROXY_HOST = 'http://127.0.0.1:9';

export interface AgentEnd {
  /** Null when the process was ended by us. */
  readonly exitCode: number | null;
  readonly timedOut: boolean;
  /** Why the conversation with a server failed; null when it went well, or there was none. */
  readonly failure: string | null;
  /** The last part of what it printed. */
  readonly output: string;
}

const environment = (seat: AgentSeat, own: AgentCommand['env']): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  HOME: seat.home,
  TMPDIR: process.env['TMPDIR'] ?? '/tmp',
  LANG: 'C.UTF-8',
  TERM: 'dumb',
  CI: 'true',
  HTTP_PROXY: NO_PROXY_HOST,
  HTTPS_PROXY: NO_PROXY_HOST,
  NO_PROXY: '127.0.0.1,localhost',
  ...own,
});

/** The whole group, since agents start shells and servers; gone already is as good. */
function endGroup(child: ChildProcessWithoutNullStreams): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Leads a server through the task, unless it ends before; a failed turn is a finding about the gateway, not a fault of this program. */
function lead(command: AgentCommand, child: ChildProcessWithoutNullStreams, seat: AgentSeat): Promise<string | null> {
  if (command.converse === undefined) {
    child.stdin.end();
    return Promise.resolve(null);
  }
  return command
    .converse(child, seat)
    .then(
      () => null,
      (error: unknown) => String(error),
    )
    .finally(() => endGroup(child));
}

async function writeFiles(files: AgentCommand['files']): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }
}

/** @throws when the program cannot be started. */
export async function runAgent(command: AgentCommand, seat: AgentSeat): Promise<AgentEnd> {
  await writeFiles(command.files);
  const child = spawn(command.command, command.args, { cwd: seat.workspace, env: environment(seat, command.env), detached: true });
  let output = '';
  const keep = (chunk: Buffer) => void (output = (output + chunk.toString()).slice(-KEPT_OUTPUT_CHARACTERS));
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    endGroup(child);
  }, LONGEST_RUN_MS);
  try {
    const closed = once(child, 'close') as Promise<[number | null]>;
    const failure = lead(command, child, seat);
    const [exitCode] = await closed;
    return { exitCode: command.converse === undefined ? exitCode : 0, timedOut, failure: await failure, output };
  } finally {
    clearTimeout(timer);
    endGroup(child);
  }
}
