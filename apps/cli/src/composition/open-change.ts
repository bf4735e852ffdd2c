/** Which change a command line means, as a LocalChange. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { isDirty, openBranch, openRange, openRepository, openStaged, openWorkingTree, type Repository } from '@weir/git';
import { AppError } from '@weir/kernel';
import type { LocalChange } from '@weir/ports';
import { readBytes } from '../read-diff.ts';

export interface ChangeRequest {
  readonly folder: string;
  readonly range?: string | undefined;
  readonly staged?: boolean | undefined;
  readonly workingTree?: boolean | undefined;
  /** A file, or `-` for standard input. */
  readonly diff?: string | undefined;
}

export interface OpenedChange {
  readonly change: LocalChange;
  /** What the kept review is filed under. */
  readonly place: string;
  /** Sentences for people about what was chosen. */
  readonly notes: readonly string[];
}

async function* readInput(file: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  try {
    yield* readBytes(file === '-' ? process.stdin : createReadStream(file), signal);
  } catch (cause) {
    signal.throwIfAborted();
    throw new AppError('FILE_UNREADABLE', `${file === '-' ? 'standard input' : file} cannot be read`, { cause });
  }
}

async function bareDiff(file: string, folder: string): Promise<LocalChange> {
  const full = file === '-' ? '-' : path.resolve(folder, file);
  if (file === '-' && process.stdin.isTTY)
    throw new AppError('USAGE', 'no diff comes on standard input', { next: 'Pipe one: git diff | weir review --diff -' });
  if (file !== '-' && !(await stat(full).catch(() => undefined))?.isFile()) throw new AppError('FILE_UNREADABLE', `${file} is not a file`);
  const label = file === '-' ? 'the diff on standard input' : file;
  return { kind: 'diff', base: null, head: null, label, title: null, branch: null, author: null, diff: signal => readInput(full, signal) };
}

/** A clean tree is no mistake: then the commits of this branch are meant. */
async function defaultChange(repository: Repository, base: string | null): Promise<{ change: LocalChange; notes: readonly string[] }> {
  const dirty = await isDirty(repository);
  if (base === null && dirty) return { change: await openWorkingTree(repository), notes: [] };
  if (base !== null)
    return {
      change: await openBranch(repository, base),
      notes: dirty ? ['Uncommitted work is not part of this review; run weir review --working-tree for it.'] : [],
    };
  const clean = 'Nothing is uncommitted';
  try {
    return { change: await openBranch(repository, null), notes: [`${clean}: reviewing the commits of this branch.`] };
  } catch (error) {
    if (error instanceof AppError && (error.code === 'UNKNOWN_REVISION' || error.code === 'NO_MERGE_BASE'))
      return { change: await openWorkingTree(repository), notes: [`${clean}.`] };
    throw error;
  }
}

function checkRequest(request: ChangeRequest, base: string | null): void {
  const asked = [
    request.range !== undefined && 'a range',
    request.staged && '--staged',
    request.workingTree && '--working-tree',
    request.diff !== undefined && '--diff',
    base !== null && '--base',
  ];
  const given = asked.filter(name => typeof name === 'string');
  if (given.length > 1) throw new AppError('USAGE', `${given.join(' and ')} name different changes`, { next: 'Give one of them.' });
}

/** What a kept review is filed under: the top folder of the repository, or the folder where there is none. */
export async function reviewPlace(folder: string): Promise<string> {
  try {
    return (await openRepository(path.resolve(folder))).root;
  } catch (error) {
    if (error instanceof AppError) return path.resolve(folder);
    throw error;
  }
}

/** @param base value of `review.base`; null when it is not set. `explicit` is true when it came as a flag. */
export async function openChange(request: ChangeRequest, base: { readonly name: string | null; readonly explicit: boolean }): Promise<OpenedChange> {
  checkRequest(request, base.explicit ? base.name : null);
  if (request.range?.trim() === '') throw new AppError('USAGE', 'the range is empty', { next: 'Name one: weir review main...HEAD' });
  const folder = path.resolve(request.folder);
  if (request.diff !== undefined) return { change: await bareDiff(request.diff, folder), place: await reviewPlace(folder), notes: [] };
  if (!(await stat(folder).catch(() => undefined))?.isDirectory()) throw new AppError('USAGE', `${request.folder} is not a folder`);
  const repository = await openRepository(folder);
  const place = repository.root;
  const named = await namedChange(repository, request);
  if (named !== undefined) return { change: named, place, notes: [] };
  if (base.name !== null && !base.explicit && !(await isDirty(repository))) return { change: await openBranch(repository, base.name), place, notes: [] };
  return { ...(await defaultChange(repository, base.explicit ? base.name : null)), place };
}

/** The change that the command line names, or undefined. */
async function namedChange(repository: Repository, { range, staged, workingTree }: ChangeRequest): Promise<LocalChange | undefined> {
  if (range !== undefined) return openRange(repository, range);
  if (staged) return openStaged(repository);
  return workingTree ? openWorkingTree(repository) : undefined;
}
