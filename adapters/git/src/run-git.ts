/**
 * The one place that starts git. Only the listed subcommands run, never through a shell, and never with anything that a
 * repository's configuration could make it start (external diffs, text conversion, file system monitors, pagers, prompts). The user's own
 * clean filters do run, as in every git command that compares the work tree.
 */
import { execFile, spawn } from 'node:child_process';
import { AppError } from '@weir/kernel';

/** Subcommands that Weir uses. All of them read; `add` and `read-tree` write to an index of our own only. */
export type GitCommand =
  | 'rev-parse'
  | 'merge-base'
  | 'diff'
  | 'log'
  | 'status'
  | 'cat-file'
  | 'check-attr'
  | 'read-tree'
  | 'add'
  | 'hash-object'
  | 'symbolic-ref'
  | 'version';

const SAFE = [
  '-c',
  'core.fsmonitor=false',
  '-c',
  'core.pager=cat',
  '-c',
  'core.quotePath=true',
  '-c',
  'diff.ignoreSubmodules=none',
  '-c',
  'protocol.allow=never',
];

/** Bytes of an answer that is held in memory; diffs are streamed instead. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
/** Bytes of git's own complaint that a message shows. */
const MAX_COMPLAINT = 2_000;

export interface GitCall {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
}

export interface GitAnswer {
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

const environment = (extra: GitCall['env']): NodeJS.ProcessEnv => ({
  ...process.env,
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_PAGER: 'cat',
  GIT_EXTERNAL_DIFF: undefined,
  GIT_DIFF_OPTS: undefined,
  LC_ALL: 'C',
  ...extra,
});

const unavailable = (cause: unknown): AppError => new AppError('GIT_UNAVAILABLE', 'git cannot be started', { cause });

/** Runs git to its end. A non-zero exit is an answer, not an error; only a git that cannot start throws. */
export function runGit(command: GitCommand, args: readonly string[], call: GitCall): Promise<GitAnswer> {
  return new Promise((resolve, reject) => {
    const child = execFile(
      'git',
      [...SAFE, command, ...args],
      { cwd: call.cwd, env: environment(call.env), encoding: 'buffer', maxBuffer: MAX_ANSWER_BYTES },
      (error, stdout, stderr) => {
        if (error?.signal) {
          reject(new AppError('GIT_FAILED', `git ${command} was ended by ${error.signal}`));
          return;
        }
        if (error && typeof error.code !== 'number') {
          const tooLarge = (error as NodeJS.ErrnoException).code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER';
          reject(tooLarge ? new AppError('INPUT_TOO_LARGE', `git ${command} answered with more than ${MAX_ANSWER_BYTES} bytes`) : unavailable(error));
          return;
        }
        resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr: stderr.toString('utf8').slice(0, MAX_COMPLAINT).trim() });
      },
    );
    // A git that ends before it has read its input closes the pipe; its exit code says the rest.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(call.input ?? '');
  });
}

/** Runs git and gives its output as text without the final line feed; a non-zero exit is GIT_FAILED. */
export async function gitText(command: GitCommand, args: readonly string[], call: GitCall): Promise<string> {
  const { code, stdout, stderr } = await runGit(command, args, call);
  if (code !== 0) throw new AppError('GIT_FAILED', `git ${command} failed: ${stderr || `exit code ${code}`}`);
  return stdout.toString('utf8').replace(/\n$/, '');
}

/** Streams git's output. Ends with an error when git fails or the signal aborts; leaving the loop early stops git. */
export async function* streamGit(command: GitCommand, args: readonly string[], call: GitCall, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  signal.throwIfAborted();
  const child = spawn('git', [...SAFE, command, ...args], { cwd: call.cwd, env: environment(call.env), stdio: ['ignore', 'pipe', 'pipe'] });
  const stop = (): boolean => child.kill();
  signal.addEventListener('abort', stop, { once: true });
  let complaint = '';
  child.stderr.on('data', (chunk: Buffer) => {
    if (complaint.length < MAX_COMPLAINT) complaint += chunk.toString('utf8');
  });
  const ended = new Promise<number>((resolve, reject) => {
    child.once('error', error => reject(unavailable(error)));
    child.once('close', code => resolve(code ?? 1));
  });
  ended.catch(() => undefined);
  try {
    for await (const chunk of child.stdout) yield chunk as Uint8Array;
    const code = await ended;
    signal.throwIfAborted();
    if (code !== 0) throw new AppError('GIT_FAILED', `git ${command} failed: ${complaint.trim() || `exit code ${code}`}`);
  } finally {
    signal.removeEventListener('abort', stop);
    child.kill();
  }
}
