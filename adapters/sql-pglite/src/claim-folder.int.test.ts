import { fork } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { claimFolder } from './claim-folder.ts';
import { ownIdentity } from './process-identity.ts';

let folder: string;
beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'weir-claim-'));
  await mkdir(path.join(folder, 'holders'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const holders = (): string[] => readdirSync(path.join(folder, 'holders'));

function leaveNote(identity: object): string {
  const note = path.join(folder, 'holders', 'left.json');
  writeFileSync(note, JSON.stringify(identity));
  return note;
}

async function tryClaim(): Promise<string> {
  try {
    await (await claimFolder(folder)).release();
    return 'free';
  } catch (error) {
    expect(error).toMatchObject({ code: 'DATABASE_LOCKED' });
    return error instanceof Error ? error.message : '';
  }
}

const own = ownIdentity();

test('a claim keeps others out until it is released, and leaves nothing behind', async () => {
  const claim = await claimFolder(folder);
  expect(await tryClaim()).toContain(`open in process ${process.pid}`);
  expect(holders()).toHaveLength(1);
  await claim.release();
  expect(await tryClaim()).toBe('free');
  expect(holders()).toEqual([]);
});

test.each([
  ['of a process that runs keeps the folder locked', own, /open in process \d/],
  ['of a process id that nobody has is taken over', { ...own, pid: 4_194_303 }, /^free$/],
  ['of a dead process whose id is used again is taken over', { ...own, started: '1' }, /^free$/],
  ['of another container keeps the folder locked while it is renewed', { ...own, pid: 77, place: 'elsewhere' }, /open in process 77/],
])('a note %s', async (_, identity, outcome) => {
  leaveNote(identity);
  expect(await tryClaim()).toMatch(outcome);
});

test('a note of another container that has been silent for half a minute is taken over', async () => {
  const old = new Date(Date.now() - 31_000);
  utimesSync(leaveNote({ ...own, place: 'elsewhere' }), old, old);
  expect(await tryClaim()).toBe('free');
  expect(holders()).toEqual([]);
});

test('of processes that race for the folder of a dead one, never are two inside', async () => {
  leaveNote({ ...own, pid: 4_194_303 });
  const program = path.join(import.meta.dirname, 'claim-race.fixture.ts');
  const ends = await Promise.all(
    Array.from({ length: 5 }, () => new Promise<unknown>(resolve => fork(program, [folder], { execArgv: ['--import', 'tsx'] }).on('message', resolve))),
  );
  const counts = ends as { inside: number; together: number }[];
  expect(counts.reduce((sum, { together }) => sum + together, 0)).toBe(0);
  expect(counts.reduce((sum, { inside }) => sum + inside, 0)).toBeGreaterThan(0);
});
