/**
 * One work at a time for each key, in the order in which they were asked for; different keys do not wait for each other. It keeps
 * the writers of a hot stream in this process apart; between processes the version check does.
 */
export interface KeyedMutex {
  run<T>(key: string, work: () => Promise<T>): Promise<T>;
}

export function keyedMutex(): KeyedMutex {
  const tails = new Map<string, Promise<unknown>>();

  return {
    run: <T>(key: string, work: () => Promise<T>): Promise<T> => {
      const before = tails.get(key) ?? Promise.resolve();
      const result = before.then(work);
      const tail = result
        .catch(() => undefined)
        .then(() => {
          if (tails.get(key) === tail) tails.delete(key);
        });
      tails.set(key, tail);
      return result;
    },
  };
}
