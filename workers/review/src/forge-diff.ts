/**
 * The diff of a change from its forge. Where the forge refuses a diff of this size, its list of files is read instead, and what that
 * list leaves out is named (B15, REV-14).
 */
import type { ErrorCode, VerbResult } from '@weir/contract';
import { AppError } from '@weir/kernel';
import type { RoundReview, StageParts } from './stage.ts';
import { withinBudget } from './within-budget.ts';

export interface ForgeDiff {
  readonly diff: string;
  /** Files whose lines the forge leaves out, with the reason. */
  readonly unread: ReadonlyMap<string, string>;
  /** Whole files that it leaves out, in sentences. */
  readonly warnings: readonly string[];
}

/** REV-20. The list of files takes many calls. */
const DIFF_MS = 10_000;
const FILES_MS = 60_000;

/** Answers of a forge to a diff that it does not want to make. */
const TOO_LARGE: readonly ErrorCode[] = ['FORGE_BOUND_EXCEEDED', 'FORGE_UNPROCESSABLE'];

/** Throws AppError FORGE_*. */
export async function readForgeDiff(
  { forge, coordinates }: Pick<RoundReview, 'forge' | 'coordinates'>,
  sleep: StageParts['sleep'],
  signal: AbortSignal,
): Promise<ForgeDiff> {
  const { port, repository } = forge;
  const place = { repository: repository.path, change: coordinates.change };
  try {
    const { diff } = await withinBudget({ sleep, milliseconds: DIFF_MS, what: 'the diff' }, signal, abort => port.ask('change.diff', place, abort));
    return { diff, unread: new Map(), warnings: [] };
  } catch (error) {
    if (!(error instanceof AppError) || !TOO_LARGE.includes(error.code) || !port.supports('change.files')) throw error;
  }
  return diffOfFiles(
    await withinBudget({ sleep, milliseconds: FILES_MS, what: 'the list of changed files' }, signal, abort => port.ask('change.files', place, abort)),
  );
}

type Files = VerbResult<'change.files'>;
type File = Files['files'][number];

function diffOfFiles({ files, complete }: Files): ForgeDiff {
  const unread = files.filter(file => file.patch === null && !(file.kind === 'renamed' || file.kind === 'mode'));
  return {
    diff: files.map(section).join(''),
    unread: new Map(unread.map(({ path }) => [path, 'the forge gives no lines of it: the change is too large for its diff'])),
    warnings: complete ? [] : [`The forge lists only the first ${files.length} files of the change; the rest was not read.`],
  };
}

/** A path as git writes it in a header; the parser reads both forms. */
function quoted(path: string): string {
  if (!/["\\\u0000-\u001f\u007f]/.test(path)) return path;
  const escaped = path.replace(/["\\\u0000-\u001f\u007f]/g, found => `\\${found.charCodeAt(0).toString(8).padStart(3, '0')}`);
  return `"${escaped}"`;
}

function section({ path, previousPath, kind, patch }: File): string {
  const before = previousPath ?? path;
  const lines = [`diff --git ${quoted(`a/${before}`)} ${quoted(`b/${path}`)}`];
  if (kind === 'added') lines.push('new file mode 100644');
  if (kind === 'deleted') lines.push('deleted file mode 100644');
  if (kind === 'renamed' || kind === 'copied') {
    const word = kind === 'renamed' ? 'rename' : 'copy';
    lines.push(`${word} from ${quoted(before)}`, `${word} to ${quoted(path)}`);
  }
  lines.push(`--- ${kind === 'added' ? '/dev/null' : quoted(`a/${before}`)}`, `+++ ${kind === 'deleted' ? '/dev/null' : quoted(`b/${path}`)}`);
  return `${[...lines, ...(patch === null ? [] : [patch.replace(/\n$/, '')])].join('\n')}\n`;
}
