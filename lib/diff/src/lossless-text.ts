/**
 * Bytes to text and back without loss: UTF-8 where it is valid, and a lone surrogate for each byte that is not.
 * The byte b becomes U+DC00+b (U+DC80..U+DCFF), so a diff in any encoding can be read, cut and rebuilt byte by byte.
 */

const ESCAPE = 0xdc00;
const REPLACEMENT = 0xfffd;
/** Units per call of String.fromCharCode: small enough for every engine's argument limit. */
const BLOCK_UNITS = 512;

/** Decodes a stream of byte chunks. The result does not depend on where the chunks are split. */
export interface LosslessDecoder {
  /** Text of all bytes that are decided; up to three bytes of an unfinished character wait for the next call. */
  push(bytes: Uint8Array): string;
  /** Text of the bytes that still wait. The decoder can be used again afterwards. */
  end(): string;
}

/** Text of the bytes; a byte order mark stays. `encodeLossless` gives exactly these bytes back. */
export const decodeLossless = (bytes: Uint8Array): string => {
  const pieces: string[] = [];
  decodeInto(pieces, bytes, true);
  return pieces.join('');
};

export const createLosslessDecoder = (): LosslessDecoder => {
  let waiting: Uint8Array = new Uint8Array(0);
  const run = (bytes: Uint8Array, last: boolean): string => {
    const pieces: string[] = [];
    const input = waiting.length === 0 ? bytes : joined(waiting, bytes);
    waiting = input.slice(decodeInto(pieces, input, last));
    return pieces.join('');
  };
  return { push: bytes => run(bytes, false), end: () => run(new Uint8Array(0), true) };
};

/** Bytes of a text: the inverse of `decodeLossless`. A lone surrogate that is no escaped byte becomes U+FFFD. */
export const encodeLossless = (text: string): Uint8Array => {
  const bytes = new Uint8Array(losslessByteLength(text));
  let at = 0;
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) {
      bytes[at] = unit;
      at += 1;
      continue;
    }
    const point = text.codePointAt(i) ?? unit;
    if (point > 0xffff) i += 1;
    at = writePoint(bytes, at, point);
  }
  return bytes;
};

/** Number of bytes that `encodeLossless` gives, without building them. */
export const losslessByteLength = (text: string): number => {
  let length = text.length;
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    const point = text.codePointAt(i) ?? unit;
    length += point > 0xffff ? 2 : widthOf(point) - 1;
    if (point > 0xffff) i += 1;
  }
  return length;
};

const isEscape = (point: number): boolean => point >= ESCAPE + 0x80 && point <= ESCAPE + 0xff;

function widthOf(point: number): number {
  if (point < 0x80 || isEscape(point)) return 1;
  if (point < 0x800) return 2;
  return point > 0xffff ? 4 : 3;
}

function writePoint(bytes: Uint8Array, at: number, point: number): number {
  const width = widthOf(point);
  if (width === 1) {
    bytes[at] = point & 0xff;
    return at + 1;
  }
  let rest = point >= 0xd800 && point <= 0xdfff ? REPLACEMENT : point;
  for (let i = at + width - 1; i > at; i -= 1) {
    bytes[i] = 0x80 | (rest & 0x3f);
    rest >>= 6;
  }
  bytes[at] = ((0xf00 >> width) & 0xff) | rest;
  return at + width;
}

function joined(left: Uint8Array, right: Uint8Array): Uint8Array {
  const both = new Uint8Array(left.length + right.length);
  both.set(left);
  both.set(right, left.length);
  return both;
}

/** Decodes into pieces and answers how many bytes are used up: all of them when these are the last. */
function decodeInto(pieces: string[], bytes: Uint8Array, last: boolean): number {
  const units = new Array<number>(Math.min(BLOCK_UNITS, bytes.length + 1)).fill(0);
  let filled = 0;
  let i = 0;
  for (;;) {
    const asciiEnd = Math.min(bytes.length, i + units.length - filled);
    for (let byte = 0; i < asciiEnd && (byte = bytes[i] ?? 0) < 0x80; i += 1) {
      units[filled] = byte;
      filled += 1;
    }
    if (i < bytes.length && filled < units.length - 1) {
      const width = sequenceWidth(bytes, i, last);
      if (width === 0) break;
      filled = putPoint(units, filled, width === 1 ? ESCAPE + (bytes[i] ?? 0) : pointAt(bytes, i, width));
      i += width;
    } else {
      pieces.push(String.fromCharCode(...(filled === units.length ? units : units.slice(0, filled))));
      filled = 0;
      if (i === bytes.length) return i;
    }
  }
  pieces.push(String.fromCharCode(...units.slice(0, filled)));
  return i;
}

/** Writes one or two units and answers how many are filled then. */
function putPoint(units: number[], filled: number, point: number): number {
  if (point <= 0xffff) {
    units[filled] = point;
    return filled + 1;
  }
  units[filled] = 0xd7c0 + (point >> 10);
  units[filled + 1] = 0xdc00 | (point & 0x3ff);
  return filled + 2;
}

/** Bytes of the valid character at `at`; 1 when the byte is not valid there; 0 when only more bytes can tell. */
function sequenceWidth(bytes: Uint8Array, at: number, last: boolean): number {
  const lead = bytes[at] ?? 0;
  const width = leadWidth(lead);
  for (let i = 1; i < width; i += 1) {
    if (at + i >= bytes.length) return last ? 1 : 0;
    const byte = bytes[at + i] ?? 0;
    if ((byte & 0xc0) !== 0x80) return 1;
    if (i === 1 && !secondFits(lead, byte)) return 1;
  }
  return width;
}

/** C0, C1 and F5..FF never start a character. */
function leadWidth(lead: number): number {
  if (lead < 0xc2 || lead > 0xf4) return 1;
  if (lead < 0xe0) return 2;
  return lead < 0xf0 ? 3 : 4;
}

/** Refuses overlong forms (E0, F0), surrogates (ED) and code points past U+10FFFF (F4): Unicode's table 3-7. */
function secondFits(lead: number, second: number): boolean {
  if (lead === 0xe0) return second >= 0xa0;
  if (lead === 0xed) return second < 0xa0;
  if (lead === 0xf0) return second >= 0x90;
  return lead !== 0xf4 || second < 0x90;
}

function pointAt(bytes: Uint8Array, at: number, width: number): number {
  let point = (bytes[at] ?? 0) & (0xff >> (width + 1));
  for (let i = 1; i < width; i += 1) point = (point << 6) | ((bytes[at + i] ?? 0) & 0x3f);
  return point;
}
