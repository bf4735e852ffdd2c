/** What a figure's why is asked of, as it stands in the address, and its value in words. */
import { money } from '../format/money.ts';
import { duration } from '../format/time.ts';
import { number } from '../format/words.ts';

export interface WhyPlace {
  /** Path below the API. */
  readonly path: string;
  readonly figure: string;
}

const PLACES: readonly (readonly [RegExp, (match: RegExpExecArray) => WhyPlace])[] = [
  [/^review\/([0-9a-f]{32,64})\/([a-z0-9_.-]{1,60})$/u, match => ({ path: `/reviews/${match[1]}/why`, figure: match[2] ?? '' })],
  [/^reviews\/([a-z0-9_.-]{1,60})$/u, match => ({ path: '/reviews/why', figure: match[1] ?? '' })],
  [/^spend\/(.{1,200})$/u, match => ({ path: '/spend/why', figure: match[1] ?? '' })],
];

/** @returns null for a text that names no figure */
export function readWhy(text: string): WhyPlace | null {
  for (const [pattern, place] of PLACES) {
    const match = pattern.exec(text);
    if (match !== null) return place(match);
  }
  return null;
}

/** Figures of money are in millicents, those of time in milliseconds; all others are counts. A figure nobody knows is unknown. */
export function figureText(figure: string, value: number | null): string {
  if (value === null) return 'unknown';
  if (/^(?:cost|total|capability:|model:|repository:)/u.test(figure)) return money(value);
  return figure === 'duration' ? duration(value) : number(value);
}
