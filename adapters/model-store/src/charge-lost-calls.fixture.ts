/** The story of calls that lost their process, told to any stores. */
import { expect } from 'vitest';
import { chargeLostCalls } from './charge-lost-calls.ts';
import type { ModelStores } from './model-stores.ts';

export async function lostCalls({ ledger, keys }: ModelStores): Promise<void> {
  const call = (callRef: string) => ({
    ...{ callRef, at: 1, capability: 'gateway', modelProvider: 'p', model: 'm', credentialRef: null, forge: null },
    ...{ virtualKey: 'lost key', person: null, run: 'lost calls', review: null, repository: null },
  });
  await keys.create({
    ...{ id: 'lost key', hash: 'ab'.repeat(32), label: 'l', holder: { kind: 'run', id: 'lost calls' } },
    ...{ budgetMillicents: 1_000, budgetCalls: null, allowedRoutes: null, createdAt: 1, expiresAt: null },
  });
  for (const callRef of ['died', 'died free', 'died after its charge', 'died before it began']) {
    expect(await keys.reserve({ keyId: 'lost key', callRef, millicents: 100 })).toEqual({ granted: true });
  }
  await ledger.open({ ...call('died'), unmetered: false });
  await ledger.open({ ...call('died free'), unmetered: true });
  await ledger.open({ ...call('died after its charge'), unmetered: false });
  await ledger.append(call('died after its charge'), [{ tokenType: 'input', tokens: 7, rate: 1_000_000, cost: 7, pricingMode: 'metered' }]);

  expect(await chargeLostCalls({ ledger, keys }, 1)).toBe(0);
  await Promise.all([chargeLostCalls({ ledger, keys }, Number.MAX_SAFE_INTEGER), chargeLostCalls({ ledger, keys }, Number.MAX_SAFE_INTEGER)]);
  expect(await chargeLostCalls({ ledger, keys }, Number.MAX_SAFE_INTEGER)).toBe(0);

  expect(await ledger.sum({ run: 'lost calls' })).toEqual({ calls: 3, unpricedCalls: 1, millicents: 7 });
  expect(await keys.get('lost key')).toMatchObject({ spentMillicents: 207, reservedMillicents: 0, calls: 4, unpricedCalls: 2 });
}
