/**
 * Which result belongs to which call. Ids may be used again once they are answered, as some models count them anew in
 * each turn; two open calls with one id cannot be told apart and are refused.
 */
import { RequestProblem } from './gateway-failure.ts';
import type { CallItem, Item, ResultItem } from './item.ts';

export interface CallPairs {
  /** Call to its result; a call without one is missing. */
  readonly resultOf: ReadonlyMap<CallItem, ResultItem>;
  /** Results that answer no call of this list. */
  readonly orphans: readonly ResultItem[];
}

/** @throws RequestProblem `duplicate_call_id`. */
export function pairCalls(items: readonly Item[]): CallPairs {
  const open = new Map<string, CallItem>();
  const resultOf = new Map<CallItem, ResultItem>();
  const orphans: ResultItem[] = [];
  for (const item of items) {
    if (item.type === 'call') {
      if (open.has(item.callId)) {
        throw new RequestProblem('duplicate_call_id', `Two open calls have the id ${JSON.stringify(item.callId.slice(0, 80))}.`);
      }
      open.set(item.callId, item);
    } else if (item.type === 'result') {
      const call = open.get(item.callId);
      if (call === undefined) orphans.push(item);
      else resultOf.set(call, item);
      open.delete(item.callId);
    }
  }
  return { resultOf, orphans };
}
