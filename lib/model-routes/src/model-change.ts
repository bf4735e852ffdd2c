/** Refuses to take away a model that someone uses (REV-30): a name that stops meaning anything, or means another model, breaks them. */
import type { Model, ModelRows, ModelUse } from '@weir/contract';
import { refOf } from './resolve-route.ts';

export interface ChangeRefusal {
  readonly code: 'MODEL_IN_USE';
  readonly message: string;
}

const MAX_NAMED = 5;

/**
 * Its price, facts and profile may change at any time; its name and the exact id that it stands for may not while it is used.
 * @param after undefined: it is deleted.
 */
export function refuseModelChange(before: Model, after: Model | undefined, uses: readonly ModelUse[]): ChangeRefusal | undefined {
  const same = after !== undefined && refOf(after) === refOf(before) && after.upstreamModel === before.upstreamModel;
  const holders = uses.filter(use => use.modelProvider === before.modelProvider && use.model === before.name).map(({ holder }) => holder);
  return same || holders.length === 0 ? undefined : inUse(refOf(before), holders, after === undefined ? 'deleted' : 'renamed');
}

/** A provider goes when it has no models left. */
export function refuseProviderDeletion(name: string, { models }: Pick<ModelRows, 'models'>): ChangeRefusal | undefined {
  const held = models.filter(({ modelProvider }) => modelProvider === name).map(refOf);
  return held.length === 0 ? undefined : inUse(name, held, 'deleted');
}

function inUse(name: string, holders: readonly string[], verb: 'deleted' | 'renamed'): ChangeRefusal {
  const more = holders.length > MAX_NAMED ? ` and ${holders.length - MAX_NAMED} more` : '';
  return { code: 'MODEL_IN_USE', message: `${name} cannot be ${verb}: it is used by ${holders.slice(0, MAX_NAMED).join(', ')}${more}.` };
}
