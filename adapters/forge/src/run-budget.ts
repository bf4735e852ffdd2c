/**
 * How many calls of one provider a run may make (PRV-19).
 */

/** Runs that are counted at the same time; beyond, the one that called longest ago is forgotten. */
const MAX_RUNS = 1_000;

/** True and counted, or false. Calls that belong to no run are not counted. */
export type SpendCall = (run: string | undefined) => boolean;

export const createRunBudget = (callsPerRun: number): SpendCall => {
  const spent = new Map<string, number>();
  return run => {
    if (run === undefined) return true;
    const calls = spent.get(run) ?? 0;
    if (calls >= callsPerRun) return false;
    // Taking out and putting in makes the run the newest of the map.
    spent.delete(run);
    spent.set(run, calls + 1);
    const [oldest] = spent.keys();
    if (spent.size > MAX_RUNS && oldest !== undefined) spent.delete(oldest);
    return true;
  };
};
