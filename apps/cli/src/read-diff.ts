/** Feeds a byte stream to a diff reader or collector, decoded without loss and, where it is valid UTF-8, at native speed. */
import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import { decodeLossless } from '@weir/diff';

export interface TextTarget {
  push(text: string): void;
}

const LF = 0x0a;

/** Both ways give the same text for valid UTF-8; the native one is several times faster. */
const decode = (bytes: Buffer): string => (isUtf8(bytes) ? bytes.toString('utf8') : decodeLossless(bytes));

/**
 * Text is cut at line feeds, which are never part of a longer sequence; a line that spans chunks is joined once.
 * @param afterChunk awaited after each chunk, so that a sink that writes can wait for its reader.
 */
export async function feedDiff(bytes: AsyncIterable<Uint8Array>, target: TextTarget, afterChunk?: () => Promise<void>): Promise<void> {
  let pieces: Uint8Array[] = [];
  for await (const chunk of bytes) {
    const end = chunk.lastIndexOf(LF) + 1;
    if (end === 0) {
      pieces.push(chunk);
      continue;
    }
    target.push(decode(Buffer.concat([...pieces, chunk.subarray(0, end)])));
    pieces = [chunk.subarray(end)];
    await afterChunk?.();
  }
  target.push(decode(Buffer.concat(pieces)));
}

/** A stream as bytes; ends with the signal's reason when it aborts. */
export async function* readBytes(stream: Readable, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const stop = (): void => void stream.destroy();
  signal.addEventListener('abort', stop, { once: true });
  try {
    for await (const chunk of stream) yield chunk as Uint8Array;
  } finally {
    signal.removeEventListener('abort', stop);
  }
  signal.throwIfAborted();
}

export const standardInput = (signal: AbortSignal): AsyncGenerator<Uint8Array> => readBytes(process.stdin, signal);
