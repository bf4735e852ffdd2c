/** Reads one file out of a tar archive as it streams by. Nothing is unpacked: names are compared, never used. */
import { AppError } from '@weir/kernel';
import { MAX_DESCRIPTION_BYTES, tooLarge } from './read-description.ts';

const BLOCK = 512;
/** Bytes of an archive, decompressed, that are looked through at most. */
const MAX_ARCHIVE_BYTES = 1024 * 1024 * 1024;
/** Bytes of an extended header, which holds a long name. */
const MAX_EXTENDED_BYTES = 64 * 1024;

interface Entry {
  readonly name: string;
  readonly size: number;
  /** `0` a file, `x` an extended header of the next entry; links and folders are passed over. */
  readonly type: string;
}

const broken = (reason: string): AppError =>
  new AppError('COMPILE_FAILED', `the package is no tar archive that can be read: ${reason}`, {
    next: 'Fetch the description yourself and name it with --from <file>.',
  });

const textAt = (block: Buffer, from: number, to: number): string => block.toString('utf8', from, to).replace(/\0.*$/s, '');

function octalAt(block: Buffer, from: number, to: number): number {
  const text = textAt(block, from, to).trim();
  if (!/^[0-7]{1,12}$/.test(text)) throw broken('a header has no size');
  return Number.parseInt(text, 8);
}

function readHeader(block: Buffer): Entry {
  const unsigned = block.reduce((sum, byte, index) => sum + (index >= 148 && index < 156 ? 32 : byte), 0);
  if (octalAt(block, 148, 156) !== unsigned) throw broken('the sum of a header is wrong');
  const prefix = textAt(block, 257, 262) === 'ustar' ? textAt(block, 345, 500) : '';
  const name = textAt(block, 0, 100);
  return { name: prefix === '' ? name : `${prefix}/${name}`, size: octalAt(block, 124, 136), type: textAt(block, 156, 157) || '0' };
}

/** The path of a pax extended header: records of `<length> <key>=<value>\n`. */
function pathOf(extended: Buffer): string | undefined {
  let at = 0;
  let found: string | undefined;
  while (at < extended.length) {
    const length = Number.parseInt(extended.toString('utf8', at, at + 8), 10);
    if (!(length > 0)) return found;
    const record = /^\d+ path=(.*)\n$/s.exec(extended.toString('utf8', at, at + length));
    found = record?.[1] ?? found;
    at += length;
  }
  return found;
}

/** Takes bytes off a stream in the lengths that are asked for. */
function createTaker(source: AsyncIterable<Uint8Array>) {
  const chunks = source[Symbol.asyncIterator]();
  let rest = Buffer.alloc(0);
  let total = 0;
  const more = async (): Promise<boolean> => {
    const next = await chunks.next();
    if (next.done === true) return false;
    total += next.value.byteLength;
    if (total > MAX_ARCHIVE_BYTES) throw broken(`it has more than ${MAX_ARCHIVE_BYTES} bytes`);
    rest = Buffer.from(next.value);
    return true;
  };
  /** Hands over exactly so many bytes piece by piece; false where the stream ends before. */
  return async (length: number, take: (piece: Buffer) => void): Promise<boolean> => {
    for (let missing = length; missing > 0; ) {
      if (rest.length === 0 && !(await more())) return false;
      const piece = rest.subarray(0, missing);
      rest = rest.subarray(piece.length);
      missing -= piece.length;
      take(piece);
    }
    return true;
  };
}

/**
 * The bytes of a file of the archive; undefined where it is not there. Throws COMPILE_FAILED for what is no archive or ends early,
 * INPUT_TOO_LARGE for a file over the bound of a description.
 * @param member path without the top folder of the archive.
 */
export async function readTar(archive: AsyncIterable<Uint8Array>, member: string): Promise<Buffer | undefined> {
  const take = createTaker(archive);
  /** Undefined at the end of the stream. */
  const takeAll = async (length: number): Promise<Buffer | undefined> => {
    const pieces: Buffer[] = [];
    if (await take(length, piece => pieces.push(piece))) return Buffer.concat(pieces);
    if (pieces.length > 0) throw broken('it ends early');
    return undefined;
  };
  const whole = async (length: number): Promise<Buffer> => {
    const bytes = await takeAll(length);
    if (bytes === undefined) throw broken('it ends early');
    return bytes;
  };
  const skip = async (length: number): Promise<void> => {
    if (!(await take(length, () => undefined))) throw broken('it ends early');
  };
  let longName: string | undefined;
  for (;;) {
    const block = await takeAll(BLOCK);
    if (block === undefined || block.every(byte => byte === 0)) return undefined;
    const { name, size, type } = readHeader(block);
    const padding = (BLOCK - (size % BLOCK)) % BLOCK;
    if (type === 'x' && size > MAX_EXTENDED_BYTES) throw broken('a name is too long');
    if (type === '0' && (longName ?? name).replace(/^[^/]*\//, '') === member) {
      if (size > MAX_DESCRIPTION_BYTES) throw tooLarge(member);
      return whole(size);
    }
    if (type === 'x') longName = pathOf(await whole(size));
    else {
      longName = undefined;
      await skip(size);
    }
    await skip(padding);
  }
}
