/** The credentials in the memory of one process. */
import { type CredentialPool, credentialPlace } from '@weir/ports';
import { type CredentialRow, credentialOf, pickCredential, reported, withSecret } from './credential-state.ts';
import type { MemoryModelRows } from './memory.model-rows.ts';
import { credentialExists, unknownCredential, unknownProvider } from './model-refusals.ts';
import type { StoreClock } from './model-stores.ts';

export function memoryCredentialPool({ credentials, providers }: MemoryModelRows, { now }: StoreClock): CredentialPool {
  let added = 0;

  function change(ref: string, next: (row: CredentialRow) => CredentialRow): void {
    const row = credentials.get(ref);
    if (row === undefined) throw unknownCredential(ref);
    credentials.set(ref, next(row));
  }

  return {
    async add(credential) {
      if (!providers.has(credential.modelProvider)) throw unknownProvider(credential.modelProvider);
      if (credentials.has(credential.ref)) throw credentialExists(credential.ref);
      added += 1;
      const row = { ...credential, position: added, version: 1, disabled: false, rejected: false, limitedUntil: null, exhaustedAt: null };
      credentials.set(credential.ref, row);
    },
    replaceSecret: async (ref, sealed) => change(ref, row => withSecret(row, sealed)),
    setDisabled: async (ref, disabled) => change(ref, row => ({ ...row, disabled })),
    async remove(ref) {
      if (!credentials.delete(ref)) throw unknownCredential(ref);
    },
    list: async () => [...credentials.values()].map(row => credentialOf(row, now())),
    pick: async modelProvider =>
      pickCredential(
        [...credentials.values()].filter(row => row.modelProvider === modelProvider),
        now(),
      ),
    async report(ref, version, report) {
      if (credentials.has(ref)) change(ref, row => reported(row, version, report, now()));
    },
    secrets: {
      name: 'model-credentials',
      list: async (after, limit) =>
        [...credentials.values()]
          .filter(({ ref }) => ref > after)
          .sort((left, right) => (left.ref < right.ref ? -1 : 1))
          .slice(0, limit)
          .map(row => ({ cursor: row.ref, place: credentialPlace(row), sealed: row.sealed })),
      async replace(cursor, before, after) {
        const row = credentials.get(cursor);
        if (row?.sealed !== before) return false;
        credentials.set(cursor, { ...row, sealed: after });
        return true;
      },
    },
  };
}
