/** Virtual keys in the memory of one process. */
import type { VirtualKey } from '@weir/contract';
import { budgetRefusal, virtualKeyState } from '@weir/model-routes';
import type { Reservation, VirtualKeyStore } from '@weir/ports';
import { goodKey, keyExists } from './model-refusals.ts';
import type { StoreClock } from './model-stores.ts';

export function memoryVirtualKeyStore({ now }: StoreClock): VirtualKeyStore {
  const keys = new Map<string, VirtualKey>();
  const reservations = new Map<string, Reservation & { readonly at: number }>();
  const byHash = (hash: string): VirtualKey | undefined => [...keys.values()].find(key => key.hash === hash);
  const newestFirst = (): readonly VirtualKey[] => [...keys.values()].sort((left, right) => right.createdAt - left.createdAt || (left.id < right.id ? 1 : -1));

  return {
    async create(key) {
      const good = goodKey(key);
      if (keys.has(good.id) || byHash(good.hash) !== undefined) throw keyExists(good.id);
      keys.set(good.id, { ...good, revokedAt: null, spentMillicents: 0, reservedMillicents: 0, calls: 0, unpricedCalls: 0 });
    },
    find: async hash => byHash(hash),
    get: async id => keys.get(id),
    async list(limit, after) {
      const all = newestFirst();
      const start = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1;
      return after !== undefined && start === 0 ? [] : all.slice(start, start + limit);
    },
    async revoke(id) {
      const key = keys.get(id);
      if (key !== undefined) keys.set(id, { ...key, revokedAt: key.revokedAt ?? now() });
      return key !== undefined;
    },
    revokedAmong: async ids => ids.filter(id => keys.get(id)?.revokedAt !== null),
    async reserve(reservation) {
      const key = keys.get(reservation.keyId);
      if (key === undefined) return { granted: false, reason: 'unknown' };
      const state = virtualKeyState(key, now());
      if (state !== 'active') return { granted: false, reason: state };
      if (reservations.has(reservation.callRef)) return { granted: true };
      const reason = budgetRefusal(key);
      if (reason !== undefined) return { granted: false, reason };
      reservations.set(reservation.callRef, { ...reservation, at: now() });
      keys.set(key.id, { ...key, calls: key.calls + 1, reservedMillicents: key.reservedMillicents + reservation.millicents });
      return { granted: true };
    },
    async settle(callRef, millicents) {
      const reservation = reservations.get(callRef);
      const key = reservation === undefined ? undefined : keys.get(reservation.keyId);
      if (reservation === undefined || key === undefined) return false;
      reservations.delete(callRef);
      keys.set(key.id, {
        ...key,
        reservedMillicents: key.reservedMillicents - reservation.millicents,
        spentMillicents: key.spentMillicents + (millicents ?? reservation.millicents),
        unpricedCalls: key.unpricedCalls + (millicents === null ? 1 : 0),
      });
      return true;
    },
    reservedBefore: async (moment, limit) =>
      [...reservations.values()]
        .filter(({ at }) => at < moment)
        .sort((left, right) => left.at - right.at || (left.callRef < right.callRef ? -1 : 1))
        .slice(0, limit)
        .map(({ callRef }) => callRef),
  };
}
