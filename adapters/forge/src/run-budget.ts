/**
 * How many calls of one provider a run may make (PRV-19), counted by all processes together.
 */
import type { ProviderDescriptor } from '@weir/contract';
import type { RateStore } from '@weir/ports';
import { failed, type Outcome } from './provider-failure.ts';
import { orStoreAway } from './store-away.ts';

/** Counts one call of the run, or says why it may not be made. */
export type SpendCall = (run: string) => Promise<Outcome<void>>;

export const createRunBudget = ({ name: provider, policy }: ProviderDescriptor, rateStore: RateStore): SpendCall => {
  const { calls_per_run: calls } = policy.budget;
  return async run => {
    const spent = await orStoreAway(rateStore.spend({ provider, run, calls }));
    if (!spent.ok) return spent;
    if (spent.value) return { ok: true, value: undefined };
    return failed('Denied', `the run has made its ${calls} calls`, { hint: 'Raise policy.budget.calls_per_run, if a run needs more.' });
  };
};
