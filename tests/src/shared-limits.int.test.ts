import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { migrate } from '@weir/migrator';
import type { RateGrant, RateRequest, RateStore } from '@weir/ports';
import { PROVIDER_STORE_MIGRATIONS } from '@weir/provider-store';
import { createPostgres } from '@weir/sql-postgres';
import { freshDatabase } from '@weir/test-infra';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifies } from './requirements.ts';
import type { Order } from './shared-limits.fixture.ts';

const database = await freshDatabase();

describe.skipIf(database === undefined)('two processes over one PostgreSQL server', () => {
  let children: readonly [ChildProcess, ChildProcess];
  beforeAll(async () => {
    const url = database?.url ?? '';
    const port = createPostgres({ url });
    await migrate(port, PROVIDER_STORE_MIGRATIONS);
    await port.close();
    const start = (): ChildProcess => fork(path.join(import.meta.dirname, 'shared-limits.fixture.ts'), [url], { execArgv: ['--import', 'tsx'] });
    children = [start(), start()];
    await Promise.all(children.map(child => once(child, 'message')));
  });
  afterAll(() =>
    Promise.all(
      children.map(child => {
        child.disconnect();
        return once(child, 'exit');
      }),
    ),
  );

  interface Report {
    readonly process: number;
    readonly results: readonly unknown[];
  }

  async function tell<Method extends keyof RateStore>(child: ChildProcess, method: Method, args: Parameters<RateStore[Method]>, times = 1): Promise<Report> {
    const answer = once(child, 'message');
    child.send({ method, args, times } satisfies Order);
    const [report] = (await answer) as [Report];
    return report;
  }

  const both = async <Method extends keyof RateStore>(method: Method, args: Parameters<RateStore[Method]>, times: number): Promise<readonly unknown[]> => {
    const reports = await Promise.all(children.map(child => tell(child, method, args, times)));
    expect(new Set(reports.map(({ process }) => process)).size).toBe(2);
    return reports.flatMap(({ results }) => results);
  };

  const request = (provider: string, changes: Partial<RateRequest> = {}): RateRequest => ({
    ...{ provider, credential: 'a', charges: [], maxConcurrent: 100, leaseMs: 600_000, resource: 'core' },
    ...changes,
  });

  test(`${verifies('PRV-19')} a run makes its calls once, not once for each process`, async () => {
    const made = await both('spend', [{ provider: 'github', run: 'run-1', calls: 25 }], 20);
    expect(made.filter(Boolean)).toHaveLength(25);
  });

  test(`${verifies('PRV-10')} calls under way are counted together, and so are the points of a minute`, async () => {
    const slots = (await both('acquire', [request('slots', { maxConcurrent: 5 })], 8)) as RateGrant[];
    expect(slots.filter(({ granted }) => granted)).toHaveLength(5);
    expect(new Set(slots.flatMap(grant => (grant.granted ? [] : [grant.reason])))).toEqual(new Set(['concurrency']));
    const points = (await both('acquire', [request('points', { charges: [{ window: 'points', cost: 5, limit: 50, seconds: 60 }] })], 8)) as RateGrant[];
    expect(points.filter(({ granted }) => granted)).toHaveLength(10);
  });

  test(`${verifies('PRV-19')} what one process is told to pause for stops the other`, async () => {
    const asked = request('paused');
    const [grant] = (await tell(children[0], 'acquire', [asked])).results as RateGrant[];
    const lease = grant?.granted === true ? grant.lease : '';
    await tell(children[0], 'release', [asked, lease, { quarantineUntil: Date.now() + 3_600_000 }]);
    const refused = (await both('acquire', [asked], 3)) as RateGrant[];
    expect(refused.map(one => (one.granted ? 'granted' : one.reason))).toEqual(Array.from({ length: 6 }, () => 'quarantine'));
  });
});
