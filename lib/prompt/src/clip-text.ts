/**
 * Cuts a text to a budget of tokens, at the end of a line, with a line that says so (REV-14).
 */
import type { CountTokens } from './estimate-tokens.ts';

export interface ClippedText {
  readonly text: string;
  readonly tokens: number;
  readonly clipped: boolean;
  /** Null when nothing was cut; else what was. */
  readonly note: string | null;
}

/** Largest number up to `high` for which `fits` holds; 0 when none does. `fits` must not turn true again. */
function largest(high: number, fits: (count: number) => boolean): number {
  let low = 0;
  let top = high;
  while (low < top) {
    const middle = Math.ceil((low + top) / 2);
    if (fits(middle)) low = middle;
    else top = middle - 1;
  }
  return low;
}

/** @param name what is cut, for the note: `rules`. */
export function clipText(name: string, text: string, budget: number, countTokens: CountTokens): ClippedText {
  const whole = countTokens(text);
  if (whole <= budget) return { text, tokens: whole, clipped: false, note: null };
  const lines = text.split('\n');
  const shortened = (count: number): string => [...lines.slice(0, count), `[weir: cut here, ${count} of ${lines.length} lines are shown]`].join('\n');
  const count = largest(lines.length - 1, lineCount => countTokens(shortened(lineCount)) <= budget);
  const kept = shortened(count);
  const note = `${name}: ${count} of ${lines.length} lines fit into ${budget} tokens`;
  const tokens = countTokens(kept);
  return tokens <= budget ? { text: kept, tokens, clipped: true, note } : { text: '', tokens: 0, clipped: true, note };
}
