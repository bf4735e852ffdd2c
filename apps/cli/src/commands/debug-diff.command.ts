/** `weir debug diff` and `weir debug anchor`: what the diff model makes of standard input (docs/reference/debug.md). */
import { EXIT, type ExitCode, type Side } from '@weir/contract';
import {
  type Anchor,
  anchorRange,
  createDiffReader,
  type DiffFile,
  type DiffSink,
  encodeLossless,
  indexFile,
  type LineRange,
  parseDiff,
  type Unanchorable,
} from '@weir/diff';
import { AppError } from '@weir/kernel';
import { writeJson, writeOut } from '../output.ts';
import { feedDiff, standardInput } from '../read-diff.ts';

/** JSON of the files, written as they are read: memory is bounded by a line, not by the diff. Brackets are closed by the events. */
class JsonSink implements DiffSink {
  #pieces: string[] = [];
  #files = 0;
  #hunks = 0;
  #lines = 0;

  startFile(head: Parameters<DiffSink['startFile']>[0]): void {
    const { oldPath, newPath, kind, oldMode, newMode, binary, submodule } = head;
    const keys = JSON.stringify({ oldPath, newPath, kind, oldMode, newMode, binary, submodule });
    this.#pieces.push(this.#files++ === 0 ? '' : ',', keys.slice(0, -1), ',"hunks":[');
    this.#hunks = 0;
  }
  startHunk({ oldStart, oldLines, newStart, newLines }: Parameters<DiffSink['startHunk']>[0]): void {
    this.#pieces.push(this.#hunks++ === 0 ? '' : ']},', JSON.stringify({ oldStart, oldLines, newStart, newLines }).slice(0, -1), ',"lines":[');
    this.#lines = 0;
  }
  line(kind: Parameters<DiffSink['line']>[0], old: number | null, fresh: number | null, text: string): void {
    this.#pieces.push(this.#lines++ === 0 ? '' : ',', JSON.stringify({ kind, old, new: fresh, text }));
  }
  endFile({ oldNoEol, newNoEol, problem }: Parameters<DiffSink['endFile']>[0]): void {
    const tail = JSON.stringify({ oldNoEol, newNoEol, ...(problem === null ? {} : { problem }) });
    this.#pieces.push(this.#hunks === 0 ? '],' : ']}],', tail.slice(1));
  }
  /** What has been written since the last call. */
  take(): string {
    return this.#pieces.splice(0).join('');
  }
}

export async function runDebugDiff(signal: AbortSignal): Promise<ExitCode> {
  const sink = new JsonSink();
  const reader = createDiffReader(sink);
  await writeOut('{"files":[');
  await feedDiff(standardInput(signal), reader, () => writeOut(sink.take()));
  reader.end();
  await writeOut(`${sink.take()}]}\n`);
  return EXIT.clean;
}

const numberOf = (name: string, value: unknown): number => {
  const number = Number(value);
  if (!Number.isInteger(number)) throw new AppError('USAGE', `--${name} has to be a whole number`);
  return number;
};

const sideOf = (value: unknown): Side | undefined => {
  if (value === undefined || value === 'new' || value === 'old') return value;
  throw new AppError('USAGE', '--side is new or old');
};

/** What an argument of the command line makes of a path: bytes that are not UTF-8 become U+FFFD on the way. */
const asArgument = (path: string): string => Buffer.from(encodeLossless(path)).toString('utf8');

/** The files that a path names on a side; where none does, those that it names on the other one. */
const filesNamed = (files: readonly DiffFile[], path: string, side: Side): readonly DiffFile[] => {
  const keys = side === 'old' ? (['oldPath', 'newPath'] as const) : (['newPath', 'oldPath'] as const);
  const named = keys.flatMap(key => [files.filter(file => file[key] === path), files.filter(file => file[key] !== null && asArgument(file[key]) === path)]);
  return named.find(found => found.length > 0) ?? [];
};

/** One path can have several sections (a change of type, a log of commits): the first that has the line. */
const anchorIn = (files: readonly DiffFile[], path: string, range: LineRange): Anchor | Unanchorable => {
  const sides: readonly Side[] = range.side === undefined ? ['new', 'old'] : [range.side];
  const tries = sides.flatMap(side => filesNamed(files, path, side).map(file => anchorRange(indexFile(file), { ...range, side })));
  const anchor = tries.find(found => found.kind === 'anchor');
  if (anchor !== undefined) return anchor;
  const [file] = filesNamed(files, path, range.side ?? 'new');
  return file === undefined ? { kind: 'unanchorable', reason: `${path} is not in the diff` } : anchorRange(indexFile(file), range);
};

export async function runDebugAnchor(options: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<ExitCode> {
  const line = numberOf('line', options['line']);
  const endLine = options['end'] === undefined ? line : numberOf('end', options['end']);
  const side = sideOf(options['side']);
  const pieces: string[] = [];
  await feedDiff(standardInput(signal), { push: text => void pieces.push(text) });
  const found = anchorIn(parseDiff(pieces.join('')), String(options['path']), { line, endLine, side });
  await writeJson(found.kind === 'anchor' ? { side: found.side, line: found.line, endLine: found.endLine, hunk: found.hunk } : { unanchorable: found.reason });
  return EXIT.clean;
}
