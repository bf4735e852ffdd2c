import type { ReviewReport } from '@weir/contract';
import { verifies } from '@weir/requirements';
import { buildHistories } from '@weir/sample-histories';
import { afterAll, expect, test } from 'vitest';
import { runProgram, temporaryFolder } from './test-program.ts';

const { folder, release } = temporaryFolder();
afterAll(release);
const histories = buildHistories(folder);

const placeOf = (finding: { readonly rule: string; readonly path: string; readonly line: number }): string => `${finding.rule} ${finding.path}:${finding.line}`;

for (const { name, folder: place, range, planted } of histories) {
  test(`${verifies('SPEC-6', 'REV-20a')} the history ${name}: exactly what is planted is found`, async () => {
    const { code, stdout, stderr } = await runProgram(folder, ['-C', place, 'review', range, '--json']);
    expect(stderr).toBe('');
    const report = JSON.parse(stdout) as ReviewReport;
    expect(report.findings.map(placeOf).sort()).toEqual(planted.map(placeOf).sort());
    expect(report.complete).toBe(true);
    expect(report.coverage.every(file => file.reading === 'full')).toBe(true);
    expect(code).toBe(planted.length === 0 ? 0 : 1);
    expect(report.model.state).toBe('not_configured');
  });
}
