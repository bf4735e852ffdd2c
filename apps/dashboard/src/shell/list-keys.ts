/** `j`, `k` and `o` in a list: which row is chosen, and opening it. The chosen row is brought into view. */
import { useEffect, useState } from 'react';
import { useKeys } from './use-keys.ts';

interface ChosenRow {
  /** -1 before the first key. */
  readonly index: number;
}

export function useListKeys(count: number, open: (index: number) => void): ChosenRow {
  const [wanted, setWanted] = useState(-1);
  const index = Math.min(wanted, count - 1);
  useKeys({
    j: () => setWanted(Math.min(index + 1, count - 1)),
    k: () => setWanted(Math.max(index - 1, 0)),
    o: () => index >= 0 && open(index),
  });
  useEffect(() => {
    if (index >= 0) document.querySelector('tr[data-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [index]);
  return { index };
}
