import { createHash } from 'node:crypto';
import { auditStoreSuite, etagStoreSuite, rateStoreSuite } from '@weir/ports/suites';
import { verifies } from '@weir/requirements';
import { describe, expect, test } from 'vitest';
import { memoryAuditStore } from './memory.audit-store.ts';
import { memoryEtagStore } from './memory.etag-store.ts';
import { memoryRateStore } from './memory.rate-store.ts';

describe('in memory', () => {
  let ids = 0;
  rateStoreSuite(
    {
      stores: now => {
        const store = memoryRateStore({ now, newId: () => String((ids += 1)) });
        return [store, store];
      },
    },
    { test: (title, run) => void test(`${verifies('PRV-10')} ${title}`, run), expect },
  );
  etagStoreSuite(
    { open: bounds => Promise.resolve(memoryEtagStore(bounds)) },
    { test: (title, run) => void test(`${verifies('PRV-14')} ${title}`, run), expect },
  );
  const log = memoryAuditStore();
  auditStoreSuite(
    { stores: () => [log, log], hash: text => createHash('sha256').update(text).digest('hex') },
    { test: (title, run) => void test(`${verifies('PRV-18')} ${title}`, run), expect },
  );
});
