/** A repository on this machine, and the questions that a local review asks of it. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { AppError } from '@weir/kernel';
import { gitText, runGit } from './run-git.ts';

/** Oldest git whose options are used here. */
const MIN_GIT = [2, 30] as const;

export interface Repository {
  /** Top folder of the work tree; the git folder of a bare repository. */
  readonly root: string;
  readonly bare: boolean;
  readonly shallow: boolean;
}

/** Version of git as `[major, minor]`. Throws GIT_UNAVAILABLE where there is none or it is too old. */
export async function gitVersion(cwd: string): Promise<readonly [number, number]> {
  const text = await gitText('version', [], { cwd });
  const match = /(\d+)\.(\d+)/.exec(text);
  const version: readonly [number, number] = [Number(match?.[1] ?? 0), Number(match?.[2] ?? 0)];
  const [major, minor] = version;
  if (major < MIN_GIT[0] || (major === MIN_GIT[0] && minor < MIN_GIT[1]))
    throw new AppError('GIT_UNAVAILABLE', `git ${major}.${minor} is too old; Weir needs ${MIN_GIT.join('.')}`);
  return version;
}

/** Opens the repository that holds `folder`. Throws NOT_A_REPOSITORY, also where git refuses it as unsafe. */
export async function openRepository(folder: string): Promise<Repository> {
  const facts = await runGit('rev-parse', ['--is-bare-repository', '--is-shallow-repository', '--absolute-git-dir'], { cwd: folder });
  if (facts.code !== 0) {
    if (/dubious ownership/.test(facts.stderr)) {
      throw new AppError('NOT_A_REPOSITORY', `${folder} is a repository of another user, and git refuses to read it`, {
        next: `Allow it: git config --global --add safe.directory ${folder}`,
      });
    }
    throw new AppError('NOT_A_REPOSITORY', `${folder} is not inside a git repository`);
  }
  const [bare, shallow, gitDir = folder] = facts.stdout.toString('utf8').trim().split('\n');
  if (bare === 'true') return { root: gitDir, bare: true, shallow: shallow === 'true' };
  const top = await runGit('rev-parse', ['--show-toplevel'], { cwd: folder });
  if (top.code !== 0) throw new AppError('NOT_A_REPOSITORY', `${folder} is inside a git folder, not in a work tree`);
  return { root: top.stdout.toString('utf8').replace(/\n$/, ''), bare: false, shallow: shallow === 'true' };
}

/** The commit that a name stands for, or undefined. A name that looks like an option is never passed on as one. */
export async function resolveCommit(repository: Repository, name: string): Promise<string | undefined> {
  const { code, stdout } = await runGit('rev-parse', ['--verify', '--quiet', '--end-of-options', `${name}^{commit}`], { cwd: repository.root });
  return code === 0 ? stdout.toString('utf8').trim() : undefined;
}

/** The commit that a name stands for. Throws UNKNOWN_REVISION. */
export async function requireCommit(repository: Repository, name: string): Promise<string> {
  const commit = await resolveCommit(repository, name);
  if (commit !== undefined) return commit;
  const shallow = repository.shallow ? ' This clone is shallow; the commit may lie beyond its history.' : '';
  throw new AppError(
    'UNKNOWN_REVISION',
    `there is no revision ${name} in this repository.${shallow}`,
    repository.shallow ? { next: 'Fetch more history: git fetch --unshallow' } : {},
  );
}

/** Newest common commit of two. Throws NO_MERGE_BASE. */
export async function mergeBase(repository: Repository, a: string, b: string): Promise<string> {
  const { code, stdout } = await runGit('merge-base', [a, b], { cwd: repository.root });
  if (code === 0) return stdout.toString('utf8').trim();
  throw new AppError('NO_MERGE_BASE', `${a.slice(0, 12)} and ${b.slice(0, 12)} share no commit${repository.shallow ? ' in this shallow clone' : ''}`);
}

/** Name of the branch that is checked out; null on a detached head. */
export async function currentBranch(repository: Repository): Promise<string | null> {
  const { code, stdout } = await runGit('symbolic-ref', ['--quiet', '--short', 'HEAD'], { cwd: repository.root });
  return code === 0 ? stdout.toString('utf8').trim() : null;
}

/** Where a change usually goes: the remote's default branch, else main or master. Undefined when there is none of them. */
export async function defaultBranch(repository: Repository): Promise<string | undefined> {
  const remote = await runGit('symbolic-ref', ['--quiet', '--short', 'refs/remotes/origin/HEAD'], { cwd: repository.root });
  const candidates = [...(remote.code === 0 ? [remote.stdout.toString('utf8').trim()] : []), 'main', 'master', 'origin/main', 'origin/master'];
  for (const name of candidates) if ((await resolveCommit(repository, name)) !== undefined) return name;
  return undefined;
}

/** Id of the empty tree in the repository's own hash: what the first commit is compared with. */
export const emptyTree = (repository: Repository): Promise<string> => gitText('hash-object', ['-t', 'tree', '--stdin'], { cwd: repository.root });

export interface OwnIndex {
  readonly path: string;
  readonly env: Readonly<Record<string, string>>;
  release(): Promise<void>;
}

/** A place for an index file of our own, so that the user's index is never touched. Release it when done. */
export async function createOwnIndex(): Promise<OwnIndex> {
  const folder = await mkdtemp(path.join(tmpdir(), 'weir-index-')).catch((cause: unknown) => {
    throw new AppError('STATE_UNWRITABLE', `the folder for temporary files, ${tmpdir()}, cannot be written`, {
      cause,
      next: 'Set TMPDIR to a folder that can.',
    });
  });
  const file = path.join(folder, 'index');
  return { path: file, env: { GIT_INDEX_FILE: file }, release: () => rm(folder, { recursive: true, force: true }) };
}
