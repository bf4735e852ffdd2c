import { fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createPglite } from './create-pglite.ts';

const ROUNDS = 8;
const WRITER = path.join(import.meta.dirname, 'crash-writer.fixture.ts');

/** Kills the writer after some of its commits. @returns the numbers that it was told are committed. */
function killInTheMiddle(dataFolder: string, from: number, after: number): Promise<number[]> {
  return new Promise((resolve, reject) => {
    const committed: number[] = [];
    const writer = fork(WRITER, [dataFolder, String(from)], { execArgv: ['--import', 'tsx'], stdio: 'inherit' });
    writer.on('error', reject);
    writer.on('message', number => {
      committed.push(Number(number));
      if (committed.length >= after) writer.kill('SIGKILL');
    });
    writer.on('exit', () => resolve(committed));
  });
}

test('a process killed in the middle of its writes loses nothing that was committed, eight times', async () => {
  const dataFolder = mkdtempSync(path.join(tmpdir(), 'weir-crash-'));
  const promised: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const committed = await killInTheMiddle(dataFolder, round * 1_000_000, 50 + round * 37);
    expect(committed.length).toBeGreaterThanOrEqual(50);
    promised.push(...committed);

    const survivor = await createPglite({ dataFolder, onNotice: () => undefined });
    const { rows } = await survivor.query<{ number: number | null; twin: number | null }>(
      'select o.number, t.number as twin from ones o full join twins t on t.number = o.number',
    );
    const kept = new Set(rows.map(({ number }) => number));
    expect(promised.filter(number => !kept.has(number))).toEqual([]);
    // Each transaction wrote into both tables: no half of one is there.
    expect(rows.filter(({ number, twin }) => number !== twin)).toEqual([]);
    await survivor.close();
  }
  rmSync(dataFolder, { recursive: true, force: true });
});
