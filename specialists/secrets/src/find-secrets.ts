/** The places of a text that are shaped like a secret, for callers that redact a text and review no change. */
import { secretRules } from './rule-table.ts';
import { scanAssignments } from './scan-assignments.ts';
import { scanFormats } from './scan-formats.ts';

export interface SecretPlace {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
  /** What it is, for the middle of a sentence: `GitHub token`. */
  readonly what: string;
}

/** Names and values are looked for in pieces: a line of JSON may be a whole file, and a value holds none of these. */
const PIECES = /[^\n,{}]+/g;
/** A longer piece is data. */
const MAX_PIECE = 10_000;

const blocks = secretRules.flatMap(({ what, detect }) => detect.flatMap(detection => (detection.kind === 'block' ? [{ what, ...detection }] : [])));

/** From the begin of each key block to its end, or to the end of the text where it is cut. */
function* keyBlocks(text: string): Generator<SecretPlace> {
  for (const { what, begin, end } of blocks) {
    for (let from = 0; ; ) {
      const first = begin.exec(text.slice(from));
      if (first === null) break;
      const start = from + first.index;
      const last = end.exec(text.slice(start + first[0].length));
      const after = last === null ? text.length : start + first[0].length + last.index + last[0].length;
      yield { start, end: after, what };
      from = after;
    }
  }
}

/** Every place, in no order; places may overlap. Stand-ins (`example`, `xxxx`) are none. */
export function findSecrets(text: string): readonly SecretPlace[] {
  const places = [...keyBlocks(text), ...scanFormats(text, '').map(({ start, end, rule }) => ({ start, end, what: rule.what }))];
  for (const { 0: piece, index } of text.matchAll(PIECES)) {
    if (piece.length > MAX_PIECE) continue;
    for (const { start, end, rule } of scanAssignments(piece, false)) places.push({ start: index + start, end: index + end, what: rule.what });
  }
  return places;
}
