/** Which positions of the log the feed has passed, so that a button can wait for its own event. */

/** After it a button says that the event is still to come. */
const WAIT_MS = 15_000;

export interface Arrivals {
  arrived(position: string): void;
  /** @returns false when it was not passed in time */
  passed(position: string): Promise<boolean>;
}

/** A position is `<transaction>-<place in the log>`; both grow. One without them is below every other. */
export function comparePositions(a: string, b: string): number {
  const parts = (text: string): readonly [bigint, bigint] => {
    const [, transaction = '0', place = '0'] = /^(\d{1,20})-(\d{1,20})$/u.exec(text) ?? [];
    return [BigInt(transaction), BigInt(place)];
  };
  const [[transactionA, placeA], [transactionB, placeB]] = [parts(a), parts(b)];
  if (transactionA !== transactionB) return transactionA < transactionB ? -1 : 1;
  return placeA === placeB ? 0 : placeA < placeB ? -1 : 1;
}

export function createArrivals(): Arrivals {
  let last = '';
  const waiting = new Set<{ readonly position: string; readonly done: (passed: boolean) => void }>();
  return {
    arrived(position) {
      if (comparePositions(position, last) > 0) last = position;
      for (const one of waiting) if (comparePositions(last, one.position) >= 0) one.done(true);
    },
    passed: position =>
      new Promise(resolve => {
        if (comparePositions(last, position) >= 0) return resolve(true);
        const timer = setTimeout(() => one.done(false), WAIT_MS);
        const one = {
          position,
          done: (passed: boolean) => {
            clearTimeout(timer);
            waiting.delete(one);
            resolve(passed);
          },
        };
        waiting.add(one);
      }),
  };
}
