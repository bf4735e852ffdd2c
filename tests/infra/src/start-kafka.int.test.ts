import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createConnection } from 'node:net';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { findKafka } from './find-kafka.ts';
import { startKafka } from './start-kafka.ts';

// Whether a missing broker is a failure is decided by `requireKafka`, in the suites that need one.
const jars = findKafka();

function answers(address: string): Promise<boolean> {
  const [host, port] = address.split(':');
  return new Promise(resolve => {
    const socket = createConnection(Number(port), host);
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

/** Java on a busy machine. */
const PATIENCE_MS = 180_000;

describe.skipIf(jars === undefined)('the test broker', { timeout: PATIENCE_MS }, () => {
  test('starts on a free port, dies, comes back on its port and its data, stops, and leaves no files', async () => {
    const broker = await startKafka(jars ?? '');
    expect(await answers(broker.address)).toBe(true);
    await broker.kill();
    expect(await answers(broker.address)).toBe(false);
    expect(existsSync(broker.dataFolder)).toBe(true);
    await broker.restart();
    expect(await answers(broker.address)).toBe(true);
    await broker.stop();
    expect(await answers(broker.address)).toBe(false);
    expect(existsSync(broker.dataFolder)).toBe(false);
  });

  test('ends with its test process, also when that is killed', async () => {
    const program = `
      import { startKafka } from ${JSON.stringify(path.join(import.meta.dirname, 'start-kafka.ts'))};
      console.log((await startKafka(process.argv[1])).address);
      setInterval(() => undefined, 1000);`;
    const tester = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program, jars ?? ''], { stdio: ['ignore', 'pipe', 'inherit'] });
    const address = await new Promise<string>(resolve => tester.stdout.once('data', text => resolve(String(text).trim())));
    expect(await answers(address)).toBe(true);
    tester.kill('SIGKILL');
    while (await answers(address)) await new Promise(resolve => setTimeout(resolve, 20));
  });
});
