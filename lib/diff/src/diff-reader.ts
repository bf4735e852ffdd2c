/**
 * Reads a diff that arrives in chunks of text and reports it to a sink, line by line.
 * Memory is bounded by the longest line and the header of one section, never by the size of a file or of the diff.
 */
import type { DiffSink } from './diff-events.ts';
import { SectionMachine } from './section-machine.ts';

/** Some editors and shells put it before the first line. */
const BYTE_ORDER_MARK = 0xfeff;

export interface DiffReader {
  /** The next piece of the diff, cut anywhere. Text from bytes comes through `createLosslessDecoder`. */
  push(chunk: string): void;
  /** The diff is complete: the last line and section are reported. */
  end(): void;
}

/** Never throws on any text; what can't be read is named in the file's `problem`. Only LF ends a line. */
export const createDiffReader = (sink: DiffSink): DiffReader => {
  const machine = new SectionMachine(sink);
  /** Pieces of the line that is not complete yet, joined once: a long line in many chunks stays linear. */
  let pieces: string[] = [];
  let begun = false;
  return {
    push: chunk => {
      let start = !begun && chunk.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0;
      begun ||= chunk !== '';
      let end = chunk.indexOf('\n', start);
      if (end >= 0 && pieces.length > 0) {
        const line = pieces.join('') + chunk.slice(0, end);
        pieces = [];
        machine.line(line, 0, line.length);
        start = end + 1;
        end = chunk.indexOf('\n', start);
      }
      while (end >= 0) {
        machine.line(chunk, start, end);
        start = end + 1;
        end = chunk.indexOf('\n', start);
      }
      if (start < chunk.length) pieces.push(start === 0 ? chunk : chunk.slice(start));
    },
    end: () => {
      const line = pieces.join('');
      pieces = [];
      if (line !== '') machine.line(line, 0, line.length);
      machine.finish();
    },
  };
};
