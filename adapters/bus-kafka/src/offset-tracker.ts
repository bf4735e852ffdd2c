/** Which offset of a partition may be committed: messages end in any order, and what lies behind an unfinished one is not safe. */
export interface OffsetTracker {
  /** Offsets come in ascending order. @returns to be called when the message has ended. */
  begin(offset: bigint): () => void;
  /** Begun, and not passed by the position yet. */
  size(): number;
  /** The offset of the first message that has not ended; undefined before any has. */
  position(): bigint | undefined;
}

export function createOffsetTracker(): OffsetTracker {
  const open: { readonly offset: bigint; ended: boolean }[] = [];
  let position: bigint | undefined;

  function advance(): void {
    for (let first = open[0]; first?.ended === true; first = open[0]) {
      position = first.offset + 1n;
      open.shift();
    }
  }

  return {
    begin: offset => {
      const entry = { offset, ended: false };
      open.push(entry);
      return () => {
        entry.ended = true;
        advance();
      };
    },
    size: () => open.length,
    position: () => position,
  };
}
