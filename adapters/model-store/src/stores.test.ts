import { credentialPoolSuite, ledgerStoreSuite, modelConfigStoreSuite, type SuiteTools, virtualKeyStoreSuite } from '@weir/ports/suites';
import { verifies } from '@weir/requirements';
import { describe, expect, test } from 'vitest';
import { lostCalls } from './charge-lost-calls.fixture.ts';
import { memoryModelStores } from './memory.model-stores.ts';

type Cited = Parameters<typeof verifies>;
const citing = (...ids: Cited): SuiteTools => ({ test: (title, run) => void test(`${verifies(...ids)} ${title}`, run), expect });

describe('in memory', () => {
  const { ledger } = memoryModelStores({ now: Date.now });
  ledgerStoreSuite({ stores: () => [ledger, ledger] }, citing('REV-29', 'REV-31'));

  virtualKeyStoreSuite(
    {
      stores: now => {
        const { keys } = memoryModelStores({ now });
        return [keys, keys];
      },
    },
    citing('MOD-17'),
  );

  const { config, credentials } = memoryModelStores({ now: Date.now });
  modelConfigStoreSuite({ stores: () => ({ configs: [config, config], credentials }) }, citing('REV-30', 'MOD-1'));

  credentialPoolSuite(
    {
      stores: now => {
        const stores = memoryModelStores({ now });
        return { pools: [stores.credentials, stores.credentials], providers: stores.config };
      },
    },
    citing('REV-32', 'MOD-16'),
  );

  test(`${verifies('MOD-17', 'REV-29')} calls of a process that died are charged as unknown, once, and their keys are settled`, () =>
    lostCalls(memoryModelStores({ now: Date.now })));
});
