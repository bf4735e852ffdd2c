/** So many at the same time; the others wait in their order. */
export interface Permits {
  /** Runs the work when its turn has come. */
  with<T>(work: () => Promise<T>): Promise<T>;
}

export function createPermits(count: number): Permits {
  let free = count;
  const waiting: (() => void)[] = [];

  async function take(): Promise<void> {
    if (free > 0) free -= 1;
    else await new Promise<void>(resolve => waiting.push(resolve));
  }

  function give(): void {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
  }

  return {
    with: async work => {
      await take();
      try {
        return await work();
      } finally {
        give();
      }
    },
  };
}
