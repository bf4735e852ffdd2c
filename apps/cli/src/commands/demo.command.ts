/**
 * `weir demo`: the whole of it on this machine, against simulators. They are no part of the product: they stand in an entry of their own
 * beside the program, which is loaded by its address and by this command alone.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { EXIT, type ExitCode } from '@weir/contract';
import { AppError } from '@weir/kernel';

interface DemoEntry {
  runDemo(
    request: { readonly program: readonly string[]; readonly forge: string | undefined; readonly once: boolean; readonly write: (line: string) => void },
    signal: AbortSignal,
  ): Promise<readonly string[]>;
}

/** Beside the chunk of a built program, or in the sources. */
const PLACES = ['demo.js', '../../../demo/src/demo.ts'];

async function loadDemo(): Promise<DemoEntry> {
  const file = PLACES.map(place => path.resolve(import.meta.dirname, place)).find(existsSync);
  if (file === undefined) throw new AppError('NOT_AVAILABLE', 'The demonstration is not part of this installation.');
  return (await import(pathToFileURL(file).href)) as DemoEntry;
}

export async function runDemo({ once, forge }: { readonly once: boolean; readonly forge: string | undefined }, signal: AbortSignal): Promise<ExitCode> {
  const demo = await loadDemo();
  const program = [process.execPath, ...process.execArgv, process.argv[1] ?? ''];
  const write = (line: string): void => void process.stdout.write(`${line}\n`);
  const problems = await demo.runDemo({ program, forge, once, write }, signal).catch((error: unknown) => {
    throw error instanceof RangeError ? new AppError('USAGE', error.message) : error;
  });
  if (problems.length === 0) {
    write('Everything is as it should be.');
    return EXIT.clean;
  }
  for (const sentence of problems) process.stderr.write(`not as it should be: ${sentence}\n`);
  return EXIT.findings;
}
