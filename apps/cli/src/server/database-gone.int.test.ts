import { verifies } from '@weir/requirements';
import { freshDatabase } from '@weir/test-infra';
import { test } from 'vitest';
import { databaseGone } from './database-gone.fixture.ts';

const database = await freshDatabase();

test.skipIf(database === undefined)(`${verifies('REV-20', 'REV-3a')} the database is away for 3 s in the middle of a round: nothing is lost and nothing comes twice`, { timeout: 300_000 }, () =>
  databaseGone(database?.url ?? '', 3_000),
);
