import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

const rooms = '{contract,lib,ports,core,engine,workers,adapters,specialists,tools,apps,tests}';

export default defineConfig({
  test: {
    // The default leaves a core for a person. What waits for processes, sockets and pauses takes more: the scripts of `test:int` and `test:heavy`.
    maxWorkers: Math.max(2, Math.floor(availableParallelism() * 0.75)),
    projects: [
      {
        extends: true,
        test: { name: 'unit', testTimeout: 30_000, include: [`${rooms}/**/*.test.ts`], exclude: ['**/node_modules/**', '**/*.{int,heavy,browser}.test.ts'] },
      },
      {
        extends: true,
        test: {
          name: 'int',
          globalSetup: ['tests/infra/src/postgres.global-setup.ts'],
          include: [`${rooms}/**/*.int.test.ts`],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'heavy',
          globalSetup: ['tests/infra/src/postgres.global-setup.ts'],
          include: [`${rooms}/**/*.heavy.test.ts`],
          exclude: ['**/node_modules/**', 'tests/src/crash/**'],
          testTimeout: 600_000,
          hookTimeout: 600_000,
        },
      },
      {
        extends: true,
        test: { name: 'browser', include: ['apps/dashboard/**/*.browser.test.ts'], testTimeout: 120_000, hookTimeout: 120_000 },
      },
      {
        extends: true,
        test: {
          name: 'crash',
          globalSetup: ['tests/infra/src/postgres.global-setup.ts'],
          include: ['tests/src/crash/*.heavy.test.ts'],
          testTimeout: 600_000,
          hookTimeout: 600_000,
        },
      },
    ],
  },
});
