import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { verifies } from '@weir/requirements';
import { buildHistories } from '@weir/sample-histories';
import draft04 from 'ajv-draft-04';
import formats from 'ajv-formats';
import { afterAll, expect, test } from 'vitest';
import { runProgram, temporaryFolder } from './test-program.ts';

const { folder, release } = temporaryFolder();
afterAll(release);
const schema = JSON.parse(readFileSync(path.resolve(import.meta.dirname, '../../../lib/report/fixtures/sarif-schema-2.1.0.json'), 'utf8')) as object;
const ajv = new draft04.default({ strict: false, allErrors: true });
formats.default(ajv);
const isValid = ajv.compile(schema);

interface Sarif {
  readonly runs: readonly { readonly results: readonly { readonly ruleId: string; readonly partialFingerprints: Readonly<Record<string, string>> }[] }[];
}

const printsOf = ({ runs }: Sarif): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries((runs[0]?.results ?? []).map(result => [result.ruleId, result.partialFingerprints['weir/v1']]));

test(`${verifies('REV-20a')} git diff | weir review --diff - --format sarif is valid, and its fingerprints survive moved lines`, async () => {
  for (const { folder: place, range } of buildHistories(folder)) {
    const diff = execFileSync('git', ['diff', range], { cwd: place });
    const review = async (input: string | Uint8Array): Promise<Sarif> =>
      JSON.parse((await runProgram(folder, ['review', '--diff', '-', '--format', 'sarif', '--fail-on', 'never'], { input })).stdout) as Sarif;
    const sarif = await review(diff);
    expect(isValid(sarif), JSON.stringify(isValid.errors?.slice(0, 3))).toBe(true);
    const moved = diff
      .toString('utf8')
      .replaceAll(/^@@ -(\d+)((?:,\d+)?) \+(\d+)/gm, (whole, old: string, count: string, fresh: string) =>
        old === '0' ? whole : `@@ -${Number(old) + 700}${count} +${Number(fresh) + 700}`,
      );
    expect(printsOf(await review(moved))).toEqual(printsOf(sarif));
  }
});
