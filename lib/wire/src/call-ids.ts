/**
 * Call ids for a Messages upstream, which takes letters, digits, underscore and hyphen only. Legal ids go untouched; an
 * illegal one of an earlier route gets a legal stand-in, the same for the call and its result.
 */
import type { Item } from './item.ts';
import { CALL_ID } from './messages.wire.ts';

export interface CallIds {
  legal(id: string): string;
}

export function callIds(items: readonly Item[]): CallIds {
  const used = new Set(items.flatMap(item => (item.type === 'call' || item.type === 'result' ? [item.callId] : [])));
  const taken = new Set([...used].filter(id => CALL_ID.test(id)));
  const standIns = new Map<string, string>();
  for (const id of used) {
    if (CALL_ID.test(id)) continue;
    const cleaned = id.slice(0, 48).replace(/[^a-zA-Z0-9_-]/g, '_');
    let standIn = cleaned === '' ? 'call' : cleaned;
    for (let n = 2; taken.has(standIn); n += 1) standIn = `${cleaned}_${n}`;
    taken.add(standIn);
    standIns.set(id, standIn);
  }
  return { legal: id => standIns.get(id) ?? id };
}
