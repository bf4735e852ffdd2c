/**
 * The most entries that a server puts on a page, from the server itself where the descriptor says where it stands (PRV-11).
 */
import type { ProviderDescriptor } from '@weir/contract';
import type { ExecuteCall } from './execute-call.ts';
import type { CallPlanner } from './plan-call.ts';
import type { Outcome } from './provider-failure.ts';
import type { CallContext } from './provider-options.ts';

export interface PageMaximum {
  /** How many entries to ask for. */
  readonly ask: number;
  /** How many a full page has. Where the server does not tell, every page counts as full and is followed by a probe. */
  readonly full: number;
}

/** Asked once; a failure that may pass is not remembered. */
export const createServerMaximum = (
  { pagination }: ProviderDescriptor,
  planner: CallPlanner,
  execute: ExecuteCall,
): ((context: CallContext) => Promise<Outcome<PageMaximum>>) => {
  const { per_page_max: described, per_page_max_from: from } = pagination;
  let known: PageMaximum | undefined;

  return async context => {
    if (known !== undefined) return { ok: true, value: known };
    if (from === undefined) return { ok: true, value: { ask: described, full: described } };
    const row = planner.find(from.op);
    const planned = row.ok ? planner.plan(row.value, {}) : row;
    if (!planned.ok) return planned;
    const { signal, actor, run } = context;
    const answered = await execute(planned.value, { signal, actor, ...(run === undefined ? {} : { run }) });
    if (!answered.ok && answered.failure.retry === 'later') return answered;
    const told = answered.ok ? maximumOf(answered.value.value, from.path) : undefined;
    known = told === undefined ? { ask: described, full: 1 } : { ask: told, full: told };
    return { ok: true, value: known };
  };
};

const maximumOf = (value: unknown, path: string): number | undefined => {
  const found = path
    .split('.')
    .reduce<unknown>((part, name) => (typeof part === 'object' && part !== null ? new Map(Object.entries(part)).get(name) : undefined), value);
  return typeof found === 'number' && Number.isSafeInteger(found) && found > 0 ? found : undefined;
};
