/** `weir provider lock`: records which files make each provider; with --check, holds them to that record (PRV-5). */
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { EXIT, type ExitCode } from '@weir/contract';
import { AppError } from '@weir/kernel';
import { writeOut } from '../output.ts';
import { computeEntry, differences, type LockEntries, type LockEntry, lockKey, lockPath, lockText, readLock } from '../provider/lock-file.ts';
import { builtInsAreWritable, loadProvider, ownRoot, providerNames } from '../provider/provider-files.ts';

const namesOf = async (builtIn: boolean): Promise<readonly string[]> =>
  (await providerNames()).filter(provider => provider.builtIn === builtIn).map(({ name }) => name);

async function writeLock(builtIn: boolean): Promise<void> {
  const entries: Record<string, LockEntry> = {};
  for (const name of await namesOf(builtIn)) {
    const provider = await loadProvider(name);
    entries[lockKey(provider)] = await computeEntry(provider);
  }
  await writeFile(lockPath(builtIn), lockText(entries));
  await writeOut(`${lockPath(builtIn)}: ${Object.keys(entries).length} providers locked\n`);
}

/** Each provider that is not as the lock says, with its differences. */
async function checkLock(builtIn: boolean): Promise<readonly string[]> {
  const locked: LockEntries | undefined = await readLock(lockPath(builtIn));
  const names = await namesOf(builtIn);
  if (locked === undefined) return names.length === 0 ? [] : [`${lockPath(builtIn)} is missing`];
  const problems: string[] = [];
  const seen = new Set<string>();
  for (const name of names) {
    const provider = await loadProvider(name);
    const key = lockKey(provider);
    seen.add(key);
    problems.push(...(await problemsOf(key, locked[key], () => computeEntry(provider))));
  }
  return [...problems, ...Object.keys(locked).flatMap(key => (seen.has(key) ? [] : [`${key}: in the lock, and no provider`]))];
}

async function problemsOf(key: string, locked: LockEntry | undefined, compute: () => Promise<LockEntry>): Promise<readonly string[]> {
  if (locked === undefined) return [`${key}: not in the lock`];
  try {
    return differences(locked, await compute()).map(difference => `${key}: ${difference}`);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return [`${key}: ${error.message}`];
  }
}

/** Exit code 1 where a check finds a difference. */
export async function runProviderLock(check: boolean): Promise<ExitCode> {
  if (!check) {
    if (builtInsAreWritable()) await writeLock(true);
    else await writeOut('the built-in providers are read-only here; their lock stays as it is\n');
    if (existsSync(ownRoot())) await writeLock(false);
    return EXIT.clean;
  }
  const problems = [...(await checkLock(true)), ...(await checkLock(false))];
  for (const problem of problems) await writeOut(`${problem}\n`);
  await writeOut(problems.length === 0 ? 'every provider is as its lock says\n' : 'If the changes are meant: weir provider lock\n');
  return problems.length === 0 ? EXIT.clean : EXIT.findings;
}
