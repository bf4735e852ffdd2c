/** `weir debug diff` and `weir debug anchor`: what the diff model makes of standard input (docs/reference/debug.md). */
import { EXIT, type ExitCode, type Side } from '@weir/contract';
import { anchorRange, createDiffReader, type DiffFile, type DiffSink, indexFile, parseDiff } from '@weir/diff';
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

/** The file that a path names: its new path first, then an old one. */
const fileNamed = (files: readonly DiffFile[], path: string, side: Side | undefined): DiffFile | undefined => {
  const byNew = files.find(file => file.newPath === path);
  const byOld = files.find(file => file.oldPath === path);
  return side === 'old' ? (byOld ?? byNew) : (byNew ?? byOld);
};

export async function runDebugAnchor(options: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<ExitCode> {
  const line = numberOf('line', options['line']);
  const endLine = options['end'] === undefined ? line : numberOf('end', options['end']);
  const side = sideOf(options['side']);
  const path = String(options['path']);
  const pieces: string[] = [];
  await feedDiff(standardInput(signal), { push: text => void pieces.push(text) });
  const file = fileNamed(parseDiff(pieces.join('')), path, side);
  if (file === undefined) {
    await writeJson({ unanchorable: `${path} is not in the diff` });
    return EXIT.clean;
  }
  const found = anchorRange(indexFile(file), { line, endLine, ...(side === undefined ? {} : { side }) });
  await writeJson(found.kind === 'anchor' ? { side: found.side, line: found.line, endLine: found.endLine, hunk: found.hunk } : { unanchorable: found.reason });
  return EXIT.clean;
}
