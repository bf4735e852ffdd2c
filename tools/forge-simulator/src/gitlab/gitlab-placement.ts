/**
 * GitLab's rules for a position: three commits of one version of the merge request, both paths, and the right lines.
 * Added: only `new_line`. Removed: only `old_line`. Unchanged: both, and then also outside the hunks.
 */
import { type Answer, Refusal } from '../http/call.ts';
import type { Fields } from '../http/fields.ts';
import { diffBase } from '../state/anchor.ts';
import type { Change, Place } from '../state/change.ts';
import type { Repository } from '../state/repository.ts';
import { missing, refuse } from './gitlab-print.ts';

const NO_LINE = `400 Bad request - Note {:line_code=>["can't be blank", "must be a valid line code"]}`;
const REQUIRED = ['base_sha', 'start_sha', 'head_sha', 'position_type'];

const noLine = (): Answer => refuse(400, NO_LINE);

/** The place, or a thrown refusal in GitLab's words. */
export async function gitlabPlace(repository: Repository, change: Change, position: Fields): Promise<Place> {
  const absent = REQUIRED.find(name => position.text(name) === undefined);
  if (absent !== undefined) throw new Refusal(missing(`position[${absent}]`));
  const [base, start, head] = [position.text('base_sha') ?? '', position.text('start_sha') ?? '', position.text('head_sha') ?? ''];
  if (!(await isVersion(repository, change, { base, start, head }))) throw new Refusal(noLine());
  const files = await repository.git.wholeFiles(base, head);
  const [oldPath, newPath] = [position.text('old_path'), position.text('new_path')];
  const file = files.find(one => one.path === (newPath ?? oldPath) && one.oldPath === (oldPath ?? newPath));
  if (file === undefined) throw new Refusal(noLine());
  const place = {
    path: file.path,
    oldPath: file.oldPath,
    startOldLine: null,
    startNewLine: null,
    startSide: null,
    base,
    commit: head,
    vendor: vendorPosition(position),
  };
  if (position.text('position_type') === 'file') return { ...place, side: 'NEW', oldLine: null, newLine: null };
  const [oldLine, newLine] = [position.number('old_line') ?? null, position.number('new_line') ?? null];
  const line = file.lines.find(one => one.oldLine === oldLine && one.newLine === newLine);
  if (line === undefined) throw new Refusal(noLine());
  return { ...place, side: line.kind === 'removed' ? 'OLD' : 'NEW', oldLine, newLine };
}

async function isVersion(
  repository: Repository,
  change: Change,
  asked: { readonly base: string; readonly start: string; readonly head: string },
): Promise<boolean> {
  for (const version of change.heads) {
    if (version.head !== asked.head || version.base !== asked.start) continue;
    const base = version.head === change.headSha ? await diffBase(repository, change) : await repository.git.mergeBase(version.base, version.head);
    if (base === asked.base) return true;
  }
  return false;
}

/** The position as it was given, with every field that GitLab answers with. */
function vendorPosition(position: Fields): Readonly<Record<string, unknown>> {
  return {
    base_sha: position.text('base_sha'),
    start_sha: position.text('start_sha'),
    head_sha: position.text('head_sha'),
    old_path: position.text('old_path') ?? position.text('new_path'),
    new_path: position.text('new_path') ?? position.text('old_path'),
    position_type: position.text('position_type'),
    old_line: position.number('old_line') ?? null,
    new_line: position.number('new_line') ?? null,
    line_range: position.value('line_range') ?? null,
  };
}

const NOTE_LIMIT = 1_000_000;

/** Refuses a note's text as GitLab's model does. */
export function checkNote(body: string | undefined, field = 'body'): string {
  if (body === undefined) throw new Refusal(missing(field));
  if (body.trim() === '') throw new Refusal(refuse(400, `400 Bad request - Note {:note=>["can't be blank"]}`));
  if (body.length > NOTE_LIMIT) throw new Refusal(refuse(400, `400 Bad request - Note {:note=>["is too long (maximum is ${NOTE_LIMIT} characters)"]}`));
  if (body.includes('\0')) throw new Refusal(refuse(400, '400 Bad request - string contains null byte'));
  return body;
}
