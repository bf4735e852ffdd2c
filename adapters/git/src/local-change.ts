/**
 * The local changes that `weir review` can be asked for: a range, the staged changes, the uncommitted work.
 * Each is one `git diff` with fixed options, read as a stream.
 */
import { copyFile, stat, utimes } from 'node:fs/promises';
import { AppError } from '@weir/kernel';
import type { LocalChange } from '@weir/ports';
import { generatedFiles } from './generated-files.ts';
import { readFromGit, readFromWorkTree } from './read-blob.ts';
import { createOwnIndex, currentBranch, defaultBranch, emptyTree, mergeBase, type Repository, requireCommit, resolveCommit } from './repository.ts';
import { gitText, runGit, streamGit } from './run-git.ts';

/** Options that make the diff the same whatever the user's configuration says. */
const DIFF = [
  '--no-color',
  '--no-ext-diff',
  '--no-textconv',
  '--src-prefix=a/',
  '--dst-prefix=b/',
  '--find-renames',
  '--full-index',
  '--submodule=short',
  '--unified=3',
  '--diff-algorithm=histogram',
  '--no-relative',
  '--ignore-submodules=dirty',
];

/** `A..B` is B against A, `A...B` is B against the commit where it left A, `A` is the branch against A. */
const RANGE = /^(.*?)(\.\.\.?)(.*)$/;

/** Options of a diff that shows the named files as text, whatever their attributes say. */
const asText = (paths: readonly string[]): readonly string[] => ['--text', '--', ...paths.map(file => `:(top,literal)${file}`)];

const short = (commit: string): string => commit.slice(0, 10);

interface Ends {
  readonly base: string;
  readonly head: string;
  /** Commit whose rules and settings hold (REV-36). */
  readonly target: string;
}

async function endsOf(repository: Repository, range: string): Promise<Ends> {
  const match = RANGE.exec(range);
  const from = await requireCommit(repository, match ? match[1] || 'HEAD' : range);
  const head = await requireCommit(repository, match?.[3] || 'HEAD');
  const base = match?.[2] === '..' ? from : await mergeBase(repository, from, head);
  return { base, head, target: from };
}

/** Subject, author's name and address of a commit. */
async function describeCommit(repository: Repository, commit: string): Promise<{ readonly title: string; readonly author: string }> {
  const [title = '', author = ''] = (await gitText('log', ['-1', '--format=%s%x00%an <%ae>', '--end-of-options', commit], { cwd: repository.root })).split(
    '\0',
  );
  return { title, author };
}

async function rangeChange(repository: Repository, { base, head, target }: Ends, label: string): Promise<LocalChange> {
  const { title, author } = await describeCommit(repository, head);
  return {
    kind: 'range',
    base,
    head,
    label,
    title,
    author,
    branch: await currentBranch(repository),
    diff: signal => streamGit('diff', [...DIFF, base, head], { cwd: repository.root }, signal),
    diffAsText: (paths, signal) => streamGit('diff', [...DIFF, '--text', base, head, ...asText(paths).slice(1)], { cwd: repository.root }, signal),
    readHead: readFromGit(repository, head),
    readBase: readFromGit(repository, base),
    readTarget: readFromGit(repository, target),
    generated: generatedFiles(repository, target),
  };
}

/** The commits of a range. Throws UNKNOWN_REVISION or NO_MERGE_BASE. */
export async function openRange(repository: Repository, range: string): Promise<LocalChange> {
  const ends = await endsOf(repository, range);
  return rangeChange(repository, ends, `${short(ends.base)}..${short(ends.head)}`);
}

/** What HEAD adds to `base` since it left it; `base` unset means the default branch. */
export async function openBranch(repository: Repository, base: string | null): Promise<LocalChange> {
  const name = base ?? (await defaultBranch(repository));
  if (name === undefined)
    throw new AppError('UNKNOWN_REVISION', 'there is no default branch to compare with', { next: 'Name one: weir review --base <branch>' });
  const ends = await endsOf(repository, `${name}...HEAD`);
  return rangeChange(repository, ends, `${(await currentBranch(repository)) ?? short(ends.head)} since it left ${name}`);
}

const needsWorkTree = (repository: Repository): void => {
  if (repository.bare) throw new AppError('USAGE', 'a bare repository has no uncommitted work', { next: 'Name a range: weir review <from>..<to>' });
};

/** The tree that uncommitted work is compared with: HEAD, or nothing before the first commit. */
const comparedTree = async (repository: Repository): Promise<string> => (await resolveCommit(repository, 'HEAD')) ?? emptyTree(repository);

/**
 * Copies the user's index; a repository before its first `git add` has none, and git makes one. The copy keeps the time of the
 * original: by it git sees which files were changed in the very second of the last `git add`, and reads those again.
 */
async function copyIndex(from: string, to: string): Promise<void> {
  try {
    const { atime, mtime } = await stat(from);
    await copyFile(from, to);
    await utimes(to, atime, mtime);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/** Sentences of git that a reader has to know. */
const MAX_WARNINGS = 20;

/**
 * Adds files that git does not track yet to an index of our own. What git cannot read or refuses (a folder without permission, a nested
 * repository without a commit) is left out and named; the rest goes on.
 */
async function addUntracked(repository: Repository, env: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const add = (options: readonly string[]) => runGit('add', ['--intent-to-add', '--ignore-errors', ...options, '--', '.'], { cwd: repository.root, env });
  const first = await add(['--sparse']);
  // Older git does not know the option, and says so with its usage.
  const { code, stderr } = first.code === 129 ? await add([]) : first;
  const lines = stderr
    .split('\n')
    .filter(line => /^(?:error|warning|fatal): /.test(line) && !/LF will be replaced|CRLF will be replaced|embedded git repository/.test(line));
  if (code !== 0 && lines.length === 0) lines.push(`git add ended with exit code ${code}`);
  return lines.slice(0, MAX_WARNINGS).map(line => `git could not add everything that is untracked: ${line.replace(/^\w+: /, '')}`);
}

/** The diff between HEAD and the work tree, files that git does not track yet included, ignored ones left out. */
async function* uncommittedDiff(
  repository: Repository,
  tree: string,
  warnings: string[],
  options: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const place = { cwd: repository.root };
  const index = await gitText('rev-parse', ['--path-format=absolute', '--git-path', 'index'], place);
  const own = await createOwnIndex();
  try {
    await copyIndex(index, own.path);
    warnings.push(...(await addUntracked(repository, own.env)));
    yield* streamGit('diff', [...DIFF, ...options.slice(0, 1), tree, ...options.slice(1)], { ...place, env: own.env }, signal);
  } finally {
    await own.release();
  }
}

async function localFacts(repository: Repository): Promise<Pick<LocalChange, 'base' | 'head' | 'title' | 'branch' | 'author'>> {
  return { base: (await resolveCommit(repository, 'HEAD')) ?? null, head: null, title: null, branch: await currentBranch(repository), author: null };
}

/** Everything that is not committed: staged, unstaged and untracked. */
export async function openWorkingTree(repository: Repository): Promise<LocalChange> {
  needsWorkTree(repository);
  const tree = await comparedTree(repository);
  const warnings: string[] = [];
  return {
    kind: 'working-tree',
    ...(await localFacts(repository)),
    label: 'uncommitted work',
    diff: signal => uncommittedDiff(repository, tree, warnings, [], signal),
    diffAsText: (paths, signal) => uncommittedDiff(repository, tree, [], asText(paths), signal),
    warnings: () => warnings,
    readHead: readFromWorkTree(repository),
    readBase: readFromGit(repository, tree),
    readTarget: readFromGit(repository, tree),
    generated: generatedFiles(repository, tree),
  };
}

/** What the next commit would hold. */
export async function openStaged(repository: Repository): Promise<LocalChange> {
  needsWorkTree(repository);
  const tree = await comparedTree(repository);
  return {
    kind: 'staged',
    ...(await localFacts(repository)),
    label: 'staged changes',
    diff: signal => streamGit('diff', [...DIFF, '--cached', tree], { cwd: repository.root }, signal),
    diffAsText: (paths, signal) => streamGit('diff', [...DIFF, '--text', '--cached', tree, ...asText(paths).slice(1)], { cwd: repository.root }, signal),
    readHead: readFromGit(repository, ''),
    readBase: readFromGit(repository, tree),
    readTarget: readFromGit(repository, tree),
    generated: generatedFiles(repository, tree),
  };
}

/** True when there is something that is not committed. */
export async function isDirty(repository: Repository): Promise<boolean> {
  if (repository.bare) return false;
  const { code, stdout, stderr } = await runGit('status', ['--porcelain', '-z', '--untracked-files=normal'], { cwd: repository.root });
  if (code !== 0) throw new AppError('GIT_FAILED', `git status failed: ${stderr || `exit code ${code}`}`);
  return stdout.length > 0;
}
