/** One line of progress on stderr, rewritten in place; nothing where nobody watches, unless asked for. */
export interface Progress {
  step(text: string): void;
  /** Wipes the line, so that what follows starts clean. */
  end(): void;
}

const CLEAR = '\r\u001b[K';

/** @param mode `line` rewrites one line, `lines` prints each step, `none` is silent. */
export function createProgress(mode: 'line' | 'lines' | 'none', write: (text: string) => void = text => void process.stderr.write(text)): Progress {
  let drawn = false;
  return {
    step(text) {
      if (mode === 'none') return;
      write(mode === 'line' ? `${CLEAR}${text}` : `${text}\n`);
      drawn = mode === 'line';
    },
    end() {
      if (drawn) write(CLEAR);
      drawn = false;
    },
  };
}
