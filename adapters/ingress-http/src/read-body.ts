/** Reads the body of a delivery as it arrives, bounded for itself and for all that are under way at a time (REV-10). */
import type { Readable } from 'node:stream';

/** Forges send at most this much. */
export const MAX_BODY_BYTES = 25 * 1024 * 1024;
/** Bytes of all bodies in memory at a time. */
const MAX_HELD_BYTES = 200 * 1024 * 1024;

export interface BodyReader {
  /** The whole body; `too_large` or `busy` leave the rest unread. Rejects when the sender breaks off. */
  read(body: Readable, update: (bytes: Uint8Array) => void): Promise<Uint8Array | 'too_large' | 'busy'>;
}

/** @param onHeld called with each change of the bytes in memory. */
export function createBodyReader(onHeld: (bytes: number) => void): BodyReader {
  let held = 0;
  const hold = (bytes: number): void => {
    held += bytes;
    onHeld(bytes);
  };
  return {
    async read(body, update) {
      const chunks: Uint8Array[] = [];
      let size = 0;
      try {
        // The connection has to live on for the answer.
        for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>) {
          size += chunk.byteLength;
          hold(chunk.byteLength);
          if (size > MAX_BODY_BYTES) return 'too_large';
          if (held > MAX_HELD_BYTES) return 'busy';
          update(chunk);
          chunks.push(chunk);
        }
        return Buffer.concat(chunks);
      } finally {
        hold(-size);
      }
    },
  };
}
