/** One line of progress on stderr, rewritten in place; nothing where nobody watches, unless asked for. */
import type { LoadedSettings } from './composition/load-settings.ts';
import type { Terminal } from './terminal.ts';

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

/** What the settings and the terminal want of it. */
export function progressMode({ get }: Pick<LoadedSettings, 'get'>, { watched }: Pick<Terminal, 'watched'>): 'line' | 'lines' | 'none' {
  if (get<boolean>('output.quiet')) return 'none';
  if (watched) return 'line';
  return get<boolean>('output.verbose') ? 'lines' : 'none';
}
