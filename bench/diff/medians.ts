/**
 * Interleaved timing: each round runs every task once, so that a busy machine slows all of them alike.
 */

const WARM_UP_ROUNDS = 3;
const ROUNDS = 11;

/** Median of each task's time in milliseconds. A task returns a number so that its work can't be optimised away. */
export const medians = (tasks: Readonly<Record<string, () => number>>): Record<string, number> => {
  const samples = new Map<string, number[]>(Object.keys(tasks).map(name => [name, []]));
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round += 1) {
    for (const [name, task] of Object.entries(tasks)) {
      const start = performance.now();
      if (task() < 0) throw new Error(`${name} gave a negative count`);
      if (round >= WARM_UP_ROUNDS) samples.get(name)?.push(performance.now() - start);
    }
  }
  return Object.fromEntries([...samples].map(([name, times]) => [name, middle(times)]));
};

function middle(times: number[]): number {
  return times.sort((left, right) => left - right)[Math.floor(times.length / 2)] ?? Number.NaN;
}
