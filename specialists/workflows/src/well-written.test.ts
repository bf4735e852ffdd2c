import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { verifies } from '@weir/requirements';
import { expect, test } from 'vitest';
import { check } from './check.ts';
import { changed, contextOf } from './test-change.ts';

const folder = path.resolve(import.meta.dirname, '../fixtures/well-written');
const pathOf = (name: string): string => (/^(?:action|\.gitlab-ci)\.yml$/.test(name) ? name : `.github/workflows/${name}`);

test(`${verifies('SPEC-6')} the fixtures are there`, () => expect(readdirSync(folder).length).toBeGreaterThanOrEqual(13));

for (const name of readdirSync(folder)) {
  test(`${verifies('SPEC-6')} nothing is reported in the well-written ${name}`, async () => {
    const { findings, partial } = await check(contextOf([changed(pathOf(name), readFileSync(path.join(folder, name), 'utf8'))], true));
    expect(findings).toEqual([]);
    expect(partial).toEqual([]);
  });
}
