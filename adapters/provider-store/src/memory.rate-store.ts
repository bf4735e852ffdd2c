/** The rate governor's memory for one process alone: the CLI, and tests. */
import type { RateKey, RateStore } from '@weir/ports';
import { decideRate, FRESH_RATE_STATE, quarantineUntil, type RateState, releaseLease, reportLimit } from './rate-state.ts';
import type { StoreSources } from './store-sources.ts';

const nameOf = ({ provider, credential }: RateKey): string => JSON.stringify([provider, credential]);

/** Keeps one state for each provider and credential that the process uses. */
export function memoryRateStore({ now, newId }: StoreSources): RateStore {
  const states = new Map<string, RateState>();
  const stateOf = (key: RateKey): RateState => states.get(nameOf(key)) ?? FRESH_RATE_STATE;

  function change(key: RateKey, next: (state: RateState) => RateState): Promise<void> {
    states.set(nameOf(key), next(stateOf(key)));
    return Promise.resolve();
  }

  return {
    acquire(request) {
      const { state, grant } = decideRate(stateOf(request), request, newId(), now());
      states.set(nameOf(request), state);
      return Promise.resolve(grant);
    },
    release: (key, lease) => change(key, state => releaseLease(state, lease)),
    report: (key, limit) => change(key, state => reportLimit(state, limit)),
    quarantine: (key, until) => change(key, state => quarantineUntil(state, until)),
  };
}
