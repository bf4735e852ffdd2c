/** A server of the benchmark in a process of its own, which tells its CPU time and its memory. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'rolldown';

export interface BenchServer {
  readonly port: number;
  /** Microseconds of CPU since its start. */
  cpu(): Promise<number>;
  /** Bytes in use after a collection. */
  heap(): Promise<number>;
  stop(): void;
}

const folder = import.meta.dirname;
const FIRST_ANSWER_MS = 30_000;

const preload = (): string => pathToFileURL(path.join(folder, 'answer-cpu.mjs')).href;

function start(args: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, ['--expose-gc', '--import', preload(), ...args], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  // Nothing is left behind, whatever ends this process.
  process.once('exit', () => void child.kill('SIGKILL'));
  return child;
}

function serverOf(child: ChildProcess, port: number): BenchServer {
  const ask = (question: 'cpu' | 'heap'): Promise<number> =>
    new Promise(resolve => {
      child.once('message', answer => resolve(answer as number));
      child.send(question);
    });
  return { port, cpu: () => ask('cpu'), heap: () => ask('heap'), stop: () => void child.kill('SIGKILL') };
}

/** Where the bundles lie; removed with this process. */
const bundles = mkdtempSync(path.join(tmpdir(), 'weir-bench-'));
process.once('exit', () => rmSync(bundles, { recursive: true, force: true }));

/** A file of this folder that sends its port when it listens. It runs from a bundle, as the program is shipped: loaders that compile on the way cost CPU of their own. */
export async function startServer(file: string, ...args: readonly string[]): Promise<BenchServer> {
  const bundle = path.join(bundles, file.replace(/\.ts$/, '.mjs'));
  await build({ input: path.join(folder, file), platform: 'node', output: { file: bundle, format: 'esm', codeSplitting: false }, logLevel: 'silent' });
  const child = start([bundle, ...args]);
  const port = await new Promise<number>((resolve, reject) => {
    child.once('message', message => resolve((message as { port: number }).port));
    child.once('exit', code => reject(new Error(`${file} ended with ${code}`)));
  });
  return serverOf(child, port);
}

/** A program that takes its port and says nothing; waits until somebody answers there. */
export async function startProgram(file: string, port: number, ...args: readonly string[]): Promise<BenchServer> {
  const child = start([file, ...args]);
  const deadline = Date.now() + FIRST_ANSWER_MS;
  for (;;) {
    const up = await fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    );
    if (up) return serverOf(child, port);
    if (Date.now() > deadline) throw new Error(`${file} does not listen on ${port}`);
    await new Promise(resolve => setTimeout(resolve, 100));
  }
}
