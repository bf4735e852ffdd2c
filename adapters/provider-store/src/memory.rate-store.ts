/** The rate governor's memory for one process alone: the CLI, and tests. */
import type { RateKey, RateStore, RunCall } from '@weir/ports';
import { decideRate, freshRateState, type RateState, settleCall } from './rate-state.ts';
import { RUN_MEMORY_MS } from './run-memory.ts';
import type { StoreSources } from './store-sources.ts';

/** Keeps one state for each provider and credential that the process uses, and one count for each of its runs. */
export function memoryRateStore({ now, newId }: StoreSources): RateStore {
  const states = new Map<string, Map<string, RateState>>();

  function stateOf({ provider, credential }: RateKey): RateState {
    const found = states.get(provider)?.get(credential);
    if (found !== undefined) return found;
    const made = freshRateState();
    states.set(provider, (states.get(provider) ?? new Map<string, RateState>()).set(credential, made));
    return made;
  }

  return {
    acquire: request => Promise.resolve(decideRate(stateOf(request), request, newId(), now())),
    release: (key, lease, outcome = {}) => {
      settleCall(stateOf(key), lease, outcome, now());
      return Promise.resolve();
    },
    spend: countRuns(now),
  };
}

function countRuns(now: () => number): RateStore['spend'] {
  // A Map keeps the order of insertion: taking out and putting in again makes a run the newest.
  const runs = new Map<string, { readonly made: number; readonly at: number }>();
  return ({ provider, run, calls }: RunCall) => {
    const at = now();
    for (const [oldest, count] of runs) {
      if (count.at > at - RUN_MEMORY_MS) break;
      runs.delete(oldest);
    }
    const name = JSON.stringify([provider, run]);
    const made = runs.get(name)?.made ?? 0;
    if (made >= calls) return Promise.resolve(false);
    runs.delete(name);
    runs.set(name, { made: made + 1, at });
    return Promise.resolve(true);
  };
}
