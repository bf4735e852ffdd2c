import { expect, test } from 'vitest';
import { retryConflict } from './retry-conflict.ts';
import type { SqlPort } from './sql.port.ts';

const failure = (code: string): Error => Object.assign(new Error(code), { code });

/** A port whose transactions end as the list says; it counts them. */
function scripted(...ends: (string | Error)[]): { port: SqlPort; runs: () => number } {
  let runs = 0;
  const unused = (): Promise<never> => Promise.reject(new Error('unused'));
  return {
    runs: () => runs,
    port: {
      query: unused,
      close: unused,
      async transaction(work) {
        const end = ends[runs];
        runs += 1;
        const result = await work({ query: unused });
        if (end instanceof Error) throw end;
        return result;
      },
    },
  };
}

test('a conflict runs the work again, up to the number of attempts', async () => {
  const second = scripted(failure('DATABASE_CONFLICT'), 'fine');
  expect(await retryConflict(second.port, () => Promise.resolve('done'), 3)).toBe('done');
  expect(second.runs()).toBe(2);
  const never = scripted(failure('DATABASE_CONFLICT'), failure('DATABASE_CONFLICT'), failure('DATABASE_CONFLICT'));
  await expect(retryConflict(never.port, () => Promise.resolve('done'), 2)).rejects.toMatchObject({ code: 'DATABASE_CONFLICT' });
  expect(never.runs()).toBe(2);
});

test.each([failure('DATABASE_UNAVAILABLE'), failure('DATABASE_REFUSED'), new TypeError('a bug')])('%s goes to the caller at once', async error => {
  const { port, runs } = scripted(error, 'fine');
  await expect(retryConflict(port, () => Promise.resolve('done'), 5)).rejects.toBe(error);
  expect(runs()).toBe(1);
});
