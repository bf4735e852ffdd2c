/**
 * Runs git on one bare repository. No shell, no configuration of this machine, a fixed identity unless one is given.
 * Every position that a simulator checks comes out of this program.
 */
import { spawn } from 'node:child_process';

const OUTPUT_LIMIT = 256 * 1024 * 1024;

export interface GitRun {
  readonly input?: string | Buffer;
  readonly env?: Readonly<Record<string, string>>;
  /** Exit codes that are an answer and no failure. 0 always is. */
  readonly accept?: readonly number[];
}

export interface GitOutput {
  readonly code: number;
  readonly stdout: Buffer;
}

const ENVIRONMENT = {
  PATH: process.env['PATH'] ?? '/usr/bin:/bin',
  HOME: '/nonexistent',
  LC_ALL: 'C',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'Simulator',
  GIT_AUTHOR_EMAIL: 'simulator@example.invalid',
  GIT_COMMITTER_NAME: 'Simulator',
  GIT_COMMITTER_EMAIL: 'simulator@example.invalid',
};

/** Rejects when git exits with a code that is not accepted, with git's own words, and when it prints more than 256 MiB. */
export function runGit(directory: string, words: readonly string[], run: GitRun = {}): Promise<GitOutput> {
  return new Promise((resolve, reject) => {
    const git = spawn('git', [`--git-dir=${directory}`, ...words], { env: { ...ENVIRONMENT, ...run.env } });
    const out: Buffer[] = [];
    const complaints: Buffer[] = [];
    let size = 0;
    git.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > OUTPUT_LIMIT) git.kill();
      else out.push(chunk);
    });
    git.stderr.on('data', (chunk: Buffer) => complaints.push(chunk));
    // A git that exits early closes its input; its exit code says why.
    git.stdin.on('error', error => complaints.push(Buffer.from(error.message)));
    git.on('error', reject);
    git.on('close', code => {
      if (code === 0 || (code !== null && run.accept?.includes(code))) resolve({ code, stdout: Buffer.concat(out) });
      else reject(new Error(`git ${words.slice(0, 3).join(' ')} ended with ${code}: ${Buffer.concat(complaints).toString().trim()}`));
    });
    git.stdin.end(run.input ?? '');
  });
}
