/** One of the processes that share limits over a database: does what its parent says with a rate store of its own, many times at once. */
import { randomUUID } from 'node:crypto';
import type { RateStore } from '@weir/ports';
import { sqlRateStore } from '@weir/provider-store';
import { createPostgres } from '@weir/sql-postgres';

export interface Order {
  readonly method: keyof RateStore;
  readonly args: readonly unknown[];
  readonly times: number;
}

const database = createPostgres({ url: process.argv[2] ?? '' });
const store = sqlRateStore(database, { now: Date.now, newId: randomUUID });

process.on('message', ({ method, args, times }: Order) => {
  const call = store[method] as (...given: readonly unknown[]) => Promise<unknown>;
  const all = Array.from({ length: times }, () => call(...args).then(value => value ?? null));
  void Promise.all(all).then(results => process.send?.({ process: process.pid, results }));
});
process.on('disconnect', () => void database.close());
process.send?.('ready');
