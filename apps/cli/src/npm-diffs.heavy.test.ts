/** Diffs between neighbouring published versions of real packages: no false secret, no false blocker. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { ReviewReport } from '@weir/contract';
import { verifies } from '@weir/requirements';
import { afterAll, expect, test } from 'vitest';
import { runProgram, temporaryFolder } from './test-program.ts';

/** Ten packages that people know, each with two neighbouring versions. */
const PACKAGES: readonly (readonly [name: string, from: string, to: string])[] = [
  ['express', '4.21.0', '4.21.1'],
  ['axios', '1.7.6', '1.7.7'],
  ['commander', '12.0.0', '12.1.0'],
  ['ws', '8.17.0', '8.17.1'],
  ['jsonwebtoken', '9.0.1', '9.0.2'],
  ['zod', '3.23.7', '3.23.8'],
  ['undici', '6.18.0', '6.18.1'],
  ['mongoose', '8.4.0', '8.4.1'],
  ['fastify', '4.27.0', '4.28.0'],
  ['pg', '8.11.5', '8.12.0'],
];

const { folder, release } = temporaryFolder();
afterAll(release);

function unpack(name: string, version: string): string {
  const target = path.join(folder, `${name}-${version}`);
  mkdirSync(target, { recursive: true });
  execFileSync('npm', ['pack', '--silent', `${name}@${version}`], { cwd: target });
  const archive = readdirSync(target).find(file => file.endsWith('.tgz')) ?? '';
  execFileSync('tar', ['-xzf', archive], { cwd: target });
  return path.join(`${name}-${version}`, 'package');
}

test.each(PACKAGES)(`${verifies('SPEC-6')} %s %s to %s`, async (name, from, to) => {
  const [before, after] = [unpack(name, from), unpack(name, to)];
  const { stdout: diff } = spawnSync('git', ['diff', '--no-index', before, after], { cwd: folder, maxBuffer: 256 * 1024 * 1024 });
  expect(diff.length).toBeGreaterThan(100);
  const { stdout, stderr } = await runProgram(folder, ['review', '--diff', '-', '--json', '--fail-on', 'never'], { input: diff });
  expect(stderr).toBe('');
  const report = JSON.parse(stdout) as ReviewReport;
  const wrong = report.findings.filter(finding => finding.rule.startsWith('secrets/') || finding.severity === 'blocker');
  expect(wrong.map(({ rule, path: file, line, title }) => `${rule} ${file}:${line} ${title}`)).toEqual([]);
  expect(report.change.files).toBeGreaterThan(0);
});
