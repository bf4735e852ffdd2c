import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createConnection } from 'node:net';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { findPostgres } from './find-postgres.ts';
import { startPostgres } from './start-postgres.ts';

// Whether a missing server is a failure is decided by `freshDatabase`, in the suites that need one.
const bin = findPostgres();

function answers(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = createConnection(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

describe.skipIf(bin === undefined)('the test server', () => {
  test('starts on a free port, makes databases, stops, and leaves no files', async () => {
    const server = await startPostgres(bin ?? '');
    expect(await answers(server.port)).toBe(true);
    expect(server.createDatabase('one')).toBe(`postgres://postgres@127.0.0.1:${server.port}/one`);
    expect(() => server.createDatabase('one')).toThrow('already exists');
    await server.stop();
    expect(await answers(server.port)).toBe(false);
    expect(existsSync(server.dataFolder)).toBe(false);
  });

  test('ends with its test process, also when that is killed', async () => {
    const program = `
      import { startPostgres } from ${JSON.stringify(path.join(import.meta.dirname, 'start-postgres.ts'))};
      console.log((await startPostgres(process.argv[1])).port);
      setInterval(() => undefined, 1000);`;
    const tester = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program, bin ?? ''], { stdio: ['ignore', 'pipe', 'inherit'] });
    const port = await new Promise<number>(resolve => tester.stdout.once('data', text => resolve(Number(text))));
    expect(await answers(port)).toBe(true);
    tester.kill('SIGKILL');
    while (await answers(port)) await new Promise(resolve => setTimeout(resolve, 20));
  });
});
