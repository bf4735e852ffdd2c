/** The demonstration as a person starts it: the built program, nothing else. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { verifies } from '@weir/requirements';
import { afterAll, expect, test, vi } from 'vitest';

vi.setConfig({ testTimeout: 180_000 });

const BIN = path.resolve(import.meta.dirname, '../../cli/bin/weir.js');
const home = mkdtempSync(path.join(tmpdir(), 'weir-demo-test-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

const demo = (...args: readonly string[]) =>
  promisify(execFile)(process.execPath, [BIN, 'demo', ...args], { env: { PATH: process.env['PATH'], HOME: home, TMPDIR: home } });

test.each(['github', 'gitlab', 'gitea', 'forgejo', 'bitbucket-cloud'])(
  `${verifies('REV-19')} on %s three pull requests are reviewed, pushed to and reviewed again, and stand as they should; nothing is left behind`,
  async forge => {
    const { stdout, stderr } = await demo('--once', '--forge', forge);
    expect(stderr).toBe('');
    expect(stdout).toMatch(/Everything is as it should be\.\n$/);
    for (const line of ['#1 Retry failed requests', '#2 Keep the e-mail', '#3 Say what the rate is', '1 resolved', 'demo/scripted'])
      expect(stdout).toContain(line);
    expect(readdirSync(home)).toEqual([]);
  },
);

test('a forge that there is no simulator of is a mistake in the command', async () => {
  await expect(demo('--once', '--forge', 'other')).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining('there are github') as string });
});
