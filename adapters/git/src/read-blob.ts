/** Reads whole files as a commit, the index or the work tree holds them, bounded and without leaving the repository. */
import { lstat, open, realpath } from 'node:fs/promises';
import path from 'node:path';
import type { Repository } from './repository.ts';
import { runGit } from './run-git.ts';

/** Bytes of a file that a specialist may read; a larger one counts as absent text and is judged by its diff alone. */
export const MAX_FILE_BYTES = 16 * 1024 * 1024;

const isMissing = (error: unknown): boolean => ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? '');

/** A path that git itself would not store: absolute, empty, or with a parent step. */
const isOutside = (file: string): boolean => file === '' || path.posix.isAbsolute(file) || file.includes('\0') || file.split('/').includes('..');

/** Reads from a tree-ish (`<commit>` or `` for the index). Undefined when there is no such file, it is not a file, or it is too large. */
export function readFromGit(repository: Repository, tree: string): (file: string) => Promise<string | undefined> {
  return async file => {
    if (isOutside(file)) return undefined;
    const name = `${tree}:${file}`;
    const size = await runGit('cat-file', ['-s', name], { cwd: repository.root });
    if (size.code !== 0 || Number(size.stdout.toString('utf8')) > MAX_FILE_BYTES) return undefined;
    const { code, stdout } = await runGit('cat-file', ['blob', name], { cwd: repository.root });
    return code === 0 ? stdout.toString('utf8') : undefined;
  };
}

/** Reads from the work tree. A symbolic link, also in a folder of the path, is never followed out of the repository. */
export function readFromWorkTree(repository: Repository): (file: string) => Promise<string | undefined> {
  return async file => {
    if (isOutside(file)) return undefined;
    const full = path.join(repository.root, file);
    try {
      if (!(await lstat(full)).isFile()) return undefined;
      const root = await realpath(repository.root);
      if (!(await realpath(full)).startsWith(root + path.sep)) return undefined;
      const handle = await open(full, 'r');
      try {
        return (await handle.stat()).size > MAX_FILE_BYTES ? undefined : await handle.readFile('utf8');
      } finally {
        await handle.close();
      }
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  };
}
