/** What a figure's why is asked of, as it stands in the address. */

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
