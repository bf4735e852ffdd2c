/**
 * Packs files into a bounded number of calls of bounded size: whole files first, in order; a file that fits nowhere whole is
 * split between its pieces. What has no room at all is left out.
 */
import type { FileSection } from './file-section.ts';
import type { Piece } from './render-file.ts';

export interface PackedPart {
  readonly section: FileSection;
  readonly pieces: readonly Piece[];
}

/** One call while it is packed. */
export interface PackedCall {
  free: number;
  readonly parts: PackedPart[];
}

export interface Packing {
  readonly calls: readonly PackedCall[];
  /** Pieces that have no room. */
  readonly left: number;
}

export interface PackingLimit {
  readonly tokensPerCall: number;
  readonly maxCalls: number;
}

const sum = (pieces: readonly Piece[]): number => pieces.reduce((total, piece) => total + piece.tokens, 0);

export function packSections(sections: readonly FileSection[], limit: PackingLimit): Packing {
  const calls: PackedCall[] = [];
  const open = (): PackedCall | undefined => {
    if (calls.length >= limit.maxCalls) return undefined;
    const call = { free: limit.tokensPerCall, parts: [] };
    calls.push(call);
    return call;
  };
  let left = 0;
  for (const section of sections) {
    const size = section.headerTokens + sum(section.pieces);
    const call = calls.find(({ free }) => free >= size) ?? (size <= limit.tokensPerCall ? open() : undefined);
    if (call === undefined) left += split(section, calls, limit.tokensPerCall, open);
    else put(call, section, section.pieces);
  }
  return { calls, left };
}

function put(call: PackedCall, section: FileSection, pieces: readonly Piece[]): void {
  call.parts.push({ section, pieces });
  call.free -= section.headerTokens + sum(pieces);
}

/** Gives each call as many of the next pieces as it takes. Returns how many pieces have no room; one that no call can hold does not stop the others. */
function split(section: FileSection, calls: readonly PackedCall[], tokensPerCall: number, open: () => PackedCall | undefined): number {
  const holdable = section.pieces.filter(piece => section.headerTokens + piece.tokens <= tokensPerCall);
  const tooLarge = section.pieces.length - holdable.length;
  let rest: readonly Piece[] = holdable;
  for (const call of calls) rest = putSome(call, section, rest);
  while (rest.length > 0) {
    const call = open();
    if (call === undefined) break;
    rest = putSome(call, section, rest);
  }
  return tooLarge + rest.length;
}

function putSome(call: PackedCall, section: FileSection, pieces: readonly Piece[]): readonly Piece[] {
  let room = call.free - section.headerTokens;
  let count = 0;
  for (const piece of pieces) {
    if (piece.tokens > room) break;
    room -= piece.tokens;
    count += 1;
  }
  if (count > 0) put(call, section, pieces.slice(0, count));
  return pieces.slice(count);
}
