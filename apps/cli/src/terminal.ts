/** What the terminal is, decided once: colour, width, and whether anybody watches stderr. */

export interface Terminal {
  readonly colour: boolean;
  /** Columns; bounded, so that a strange terminal cannot make lines endless. */
  readonly width: number;
  /** True when progress may be drawn on stderr. */
  readonly watched: boolean;
}

const DEFAULT_WIDTH = 100;
const MAX_WIDTH = 200;

/** NO_COLOR (any value), --no-color and TERM=dumb switch colour off; FORCE_COLOR switches it on without a terminal. */
export function describeTerminal(colourFlag: boolean, env: NodeJS.ProcessEnv = process.env): Terminal {
  const dumb = env['TERM'] === 'dumb';
  const wanted = colourFlag && !env['NO_COLOR'] && !dumb;
  const told = Number(env['COLUMNS']);
  const width = Math.min(process.stdout.columns ?? (told > 0 ? told : DEFAULT_WIDTH), MAX_WIDTH);
  return { colour: wanted && (process.stdout.isTTY === true || Boolean(env['FORCE_COLOR'])), width, watched: process.stderr.isTTY === true && !dumb };
}
