/**
 * Compiles the published descriptions of GitHub, each in a process of its own: CPU, peak memory, the same bytes twice, beside the bare
 * JSON.parse, @readme/openapi-parser and openapi-mcp-generator. Then the size of the table and what reading it costs.
 * Run: npx tsx bench/provider/compile.bench.ts
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { compileTable } from '@weir/provider-compiler';
import { readTable, writeTable } from '@weir/operation-table';
import { rolldown } from 'rolldown';

const root = path.resolve(import.meta.dirname, '../..');
const specs = path.resolve(root, process.env['WEIR_SHARED'] ?? '../shared', 'specs');
const ROUNDS = 3;
const FILES = ['github/api.github.com.json', 'github/ghec.json', 'bitbucket-cloud/swagger.v3.json', 'bitbucket-dc/swagger.v3.json'];
const GOAL = { cpuSeconds: 2, peakMiB: 160 };

interface Measure {
  readonly cpuSeconds: number;
  readonly peakMiB: number;
  readonly digest: string;
  /** Of the result. */
  readonly bytes: number;
}

/** The tasks as one file that Node runs as it is, so that no loader is measured. Inside the repository, so that packages resolve. */
async function bundled(folder: string): Promise<string> {
  const bundle = await rolldown({ input: path.join(import.meta.dirname, 'compile-once.ts'), platform: 'node' });
  const file = path.join(folder, 'compile-once.mjs');
  await bundle.write({ file, format: 'esm', codeSplitting: false });
  await bundle.close();
  return file;
}

function measure(program: string, task: string, file: string): Measure | string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, task, path.join(specs, file)], { encoding: 'utf8' });
  if (status === 0) return JSON.parse(stdout) as Measure;
  return /Cannot find package[^\n]*|\w*Error:[^\n]*/.exec(stderr)?.[0] ?? `ended with ${status}`;
}

/** The median of CPU and the highest peak of several runs, or why the task does not run. */
function repeated(program: string, task: string, file: string): { readonly best: Measure; readonly same: boolean } | string {
  const runs: Measure[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const run = measure(program, task, file);
    if (typeof run === 'string') return run;
    runs.push(run);
  }
  const cpuSeconds = middle(runs.map(run => run.cpuSeconds));
  const peakMiB = Math.max(...runs.map(run => run.peakMiB));
  return { best: { cpuSeconds, peakMiB, digest: runs[0]?.digest ?? '', bytes: runs[0]?.bytes ?? 0 }, same: new Set(runs.map(run => run.digest)).size === 1 };
}

function printCompile(program: string, file: string): void {
  let floor = Number.NaN;
  for (const task of ['JSON.parse', 'weir', '@readme/openapi-parser', 'openapi-mcp-generator']) {
    const result = repeated(program, task, file);
    if (typeof result === 'string') {
      console.log(`${file.padEnd(32)} ${task.padEnd(24)} does not run: ${result}`);
      continue;
    }
    const { cpuSeconds, peakMiB } = result.best;
    if (task === 'JSON.parse') floor = cpuSeconds;
    const figures = `${cpuSeconds.toFixed(2)} s CPU   ${(cpuSeconds / floor).toFixed(1).padStart(5)} of JSON.parse   ${peakMiB.toFixed(0).padStart(4)} MiB peak`;
    console.log(
      `${file.padEnd(32)} ${task.padEnd(24)} ${figures}   ${result.same ? 'same bytes each time' : 'DIFFERENT BYTES'}, ${(result.best.bytes / 1_000).toFixed(0)} kB`,
    );
  }
}

function printTable(): void {
  const text = readFileSync(path.join(specs, 'github/api.github.com.json'), 'utf8');
  const result = compileTable({
    provider: 'github',
    apiVersion: '1',
    format: 'openapi-3.0',
    specDigest: 'sha256:0',
    source: { text },
    selection: {},
    pagination: { style: 'link' },
  });
  if (!result.ok) throw new Error(JSON.stringify(result.problems[0]));
  const file = writeTable(result.table);
  const pruned = JSON.stringify(result.prune());
  console.log(
    `table of GitHub: ${result.table.operations.length} operations, ${file.length} bytes, ${gzipSync(file).byteLength} compressed; pruned description ${pruned.length} bytes`,
  );
  const parse = (): number => Object.keys(JSON.parse(file) as object).length;
  const read = (): number => Object.keys(readTable(file)).length;
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS * 2; round += 1) ratios.push(cpuOf(read) / cpuOf(parse));
  console.log(`readTable costs ${middle(ratios.slice(ROUNDS)).toFixed(2)} of the CPU of JSON.parse of the same text`);
}

/** CPU, not time, of 30 runs: a busy machine stretches time. */
function cpuOf(task: () => number): number {
  const before = process.cpuUsage();
  for (let run = 0; run < 30; run += 1) if (task() < 0) throw new Error('a count is negative');
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

const middle = (values: readonly number[]): number => [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN;

if (existsSync(specs)) {
  const folder = mkdtempSync(path.join(import.meta.dirname, '.compile-'));
  const program = await bundled(folder);
  for (const file of FILES) printCompile(program, file);
  rmSync(folder, { recursive: true });
  console.log(`the goal for a description of GitHub is at most ${GOAL.cpuSeconds} s CPU and ${GOAL.peakMiB} MiB`);
  printTable();
} else console.log(`SKIPPED: the descriptions are not at ${specs}; set WEIR_SHARED to the folder that holds specs/`);
