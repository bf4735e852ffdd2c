/**
 * Where an inline comment stands after later pushes, found with git.
 * A line that a push changed or that left the diff has no place any more: the comment is outdated.
 */
import type { ChangedFile, DiffLine } from '../git/changed-file.ts';
import type { Change, Place } from './change.ts';
import type { Repository } from './repository.ts';

export interface Anchor {
  readonly file: ChangedFile;
  readonly line: DiffLine | null;
  readonly start: DiffLine | null;
}

/** The merge base that a change's diff starts from. */
export async function diffBase(repository: Repository, change: Change): Promise<string> {
  return (await repository.git.mergeBase(change.baseSha, change.headSha)) ?? change.baseSha;
}

export async function changeFiles(repository: Repository, change: Change): Promise<readonly ChangedFile[]> {
  return repository.git.files(await diffBase(repository, change), change.headSha);
}

export const lineOn = (file: ChangedFile, side: 'OLD' | 'NEW', line: number): DiffLine | undefined =>
  file.lines.find(one => (side === 'OLD' ? one.oldLine : one.newLine) === line);

/** The number of the line that a comment stands on, on its own side; null for a comment on a whole file. */
export const placedLine = (place: Place): number | null => (place.side === 'OLD' ? place.oldLine : place.newLine);

/** The number of a range's first line, on the range's own side; null when there is no range. */
export const placedStart = (place: Place): number | null =>
  place.startSide === 'OLD' ? place.startOldLine : place.startSide === 'NEW' ? place.startNewLine : null;

export const numberOn = (line: DiffLine | null | undefined, side: 'OLD' | 'NEW'): number | null => (side === 'OLD' ? line?.oldLine : line?.newLine) ?? null;

/** The hunk that a comment was written under and its position there, in the diff of that time. */
export async function writtenUnder(repository: Repository, place: Place): Promise<{ readonly hunk: string; readonly position: number | null }> {
  const file = (await repository.git.files(place.base, place.commit)).find(one => one.path === place.path);
  const at = placedLine(place);
  const line = file === undefined || at === null ? undefined : lineOn(file, place.side, at);
  return file === undefined || line === undefined ? { hunk: '', position: null } : { hunk: diffHunk(file, line), position: line.position };
}

/** The place in the change's present diff, or null when the comment is outdated. */
export async function anchorOf(repository: Repository, change: Change, place: Place): Promise<Anchor | null> {
  const base = await diffBase(repository, change);
  const files = await repository.git.files(base, change.headSha);
  const file = files.find(one => one.path === place.path) ?? files.find(one => one.oldPath === place.path);
  if (file === undefined) return null;
  const at = placedLine(place);
  if (at === null) return { file, line: null, start: null };
  const moved =
    place.side === 'OLD'
      ? await moveLine(repository, [place.base, base], place.oldPath, at)
      : await moveLine(repository, [place.commit, change.headSha], place.path, at);
  const line = moved === null ? undefined : lineOn(file, place.side, moved);
  if (line === undefined || moved === null) return null;
  const startAt = placedStart(place);
  const start = startAt === null ? undefined : lineOn(file, place.startSide ?? place.side, startAt + moved - at);
  return { file, line, start: start ?? null };
}

/** A line's number after the walk from one commit to the other; null when the walk changed or removed it. */
async function moveLine(repository: Repository, [from, to]: readonly [string, string], path: string, line: number): Promise<number | null> {
  if (from === to) return line;
  const files = await repository.git.wholeFiles(from, to);
  const file = files.find(one => one.oldPath === path && one.status !== 'added');
  if (file === undefined || file.patch === null) return line;
  return file.lines.find(one => one.oldLine === line)?.newLine ?? null;
}

/** The hunk's text up to the line, as forges print it beside a comment. */
function diffHunk(file: ChangedFile, line: DiffLine): string {
  const rows = (file.patch ?? '').split('\n');
  let start = 0;
  for (let at = 0; at < line.position; at += 1) if (rows[at]?.startsWith('@@')) start = at;
  return rows.slice(start, line.position + 1).join('\n');
}
