/** The caps of the settings (REV-31). One that cannot be read is none; whoever starts something says so, and goes on. */
import { readSpendLimits, type SpendLimits } from '@weir/model-pricing';
import { type ChangeLimits, readChangeLimits } from '@weir/review';
import type { LoadedSettings } from '../composition/load-settings.ts';

export interface Caps {
  readonly spend: SpendLimits;
  readonly change: ChangeLimits;
  /** Warnings, a sentence each. */
  readonly problems: readonly string[];
}

export function readCaps({ get }: Pick<LoadedSettings, 'get'>): Caps {
  const spend = readSpendLimits({
    spend: get<string | null>('caps.spend'),
    calls: get<string | null>('caps.calls'),
    window: get<string | null>('caps.window'),
  });
  const change = readChangeLimits({ changedFiles: get<string | null>('caps.changedFiles'), diffBytes: get<string | null>('caps.diffBytes') });
  return { spend: spend.limits, change: change.limits, problems: [...spend.problems, ...change.problems] };
}
