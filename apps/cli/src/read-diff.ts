/** Feeds a byte stream to a diff reader or collector, decoded without loss. */
import { createLosslessDecoder } from '@weir/diff';

export interface TextTarget {
  push(text: string): void;
}

/** @param afterChunk awaited after each chunk, so that a sink that writes can wait for its reader. */
export async function feedDiff(bytes: AsyncIterable<Uint8Array>, target: TextTarget, afterChunk?: () => Promise<void>): Promise<void> {
  const decoder = createLosslessDecoder();
  for await (const chunk of bytes) {
    target.push(decoder.push(chunk));
    await afterChunk?.();
  }
  target.push(decoder.end());
}

/** Standard input as bytes; ends with the signal's reason when it aborts. */
export async function* standardInput(signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const stop = (): void => void process.stdin.destroy();
  signal.addEventListener('abort', stop, { once: true });
  try {
    for await (const chunk of process.stdin) yield chunk as Uint8Array;
  } finally {
    signal.removeEventListener('abort', stop);
  }
  signal.throwIfAborted();
}
