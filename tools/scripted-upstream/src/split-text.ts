/** Cuts a text into deltas, so that no client or gateway can rely on whole words, whole escapes or whole calls. */
const DELTA_CHARACTERS = 9;

/** @returns at least one piece; never half of a surrogate pair, since JSON text carries whole characters. */
export function splitText(text: string): readonly string[] {
  const characters = [...text];
  const pieces: string[] = [];
  for (let start = 0; start < characters.length; start += DELTA_CHARACTERS) pieces.push(characters.slice(start, start + DELTA_CHARACTERS).join(''));
  return pieces.length === 0 ? [''] : pieces;
}
