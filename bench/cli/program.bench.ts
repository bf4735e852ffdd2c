/**
 * The built program as a person starts it: `weir --help` beside `node -e 0` (CPU), and a review of 18 changed files with the
 * scripted model (wall time from nothing running, peak memory). Build first: `npm run build`.
 */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startScriptedModel } from '@weir/scripted-model';

const ROUNDS = 11;
const FILES = 18;
const LINES = 200;
const weir = path.resolve(import.meta.dirname, '../../apps/cli/bin/weir.js');

interface Run {
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly peakMiB: number;
  readonly stdout: string;
}

/** Runs a command to its end under /usr/bin/env time-like accounting by the kernel: the child reports its own rusage on exit. */
function run(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Run> {
  const probe = path.join(folder, 'probe.cjs');
  const report = path.join(folder, 'usage.json');
  const started = process.hrtime.bigint();
  const child = spawn(process.execPath, ['--require', probe, ...args], {
    env: { ...process.env, ...env, USAGE_FILE: report },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let stdout = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => {
      const wallMs = Number(process.hrtime.bigint() - started) / 1e6;
      const usage = JSON.parse(readFileSync(report, 'utf8')) as { cpuMs: number; peakMiB: number };
      resolve({ wallMs, ...usage, stdout });
    });
  });
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

const folder = mkdtempSync(path.join(tmpdir(), 'weir-bench-'));
writeFileSync(
  path.join(folder, 'probe.cjs'),
  `process.on('exit', () => { const u = process.resourceUsage(); require('node:fs').writeFileSync(process.env.USAGE_FILE, JSON.stringify({ cpuMs: (u.userCPUTime + u.systemCPUTime) / 1000, peakMiB: u.maxRSS / 1024 })); });`,
);

function sampleRepository(): string {
  const place = path.join(folder, 'repository');
  const git = (...args: string[]): Buffer => execFileSync('git', ['-c', 'user.name=b', '-c', 'user.email=b@example.invalid', ...args], { cwd: place });
  execFileSync('git', ['init', '-q', place]);
  const text = (file: number, changed: boolean): string =>
    Array.from(
      { length: LINES },
      (_, line) =>
        `export const value${line} = ${changed && line % 10 === 0 ? `compute(${line});${line === 50 ? ` // weir-plant: minor correctness Line ${line} of ${file}` : ''}` : line};`,
    ).join('\n');
  for (const changed of [false, true]) {
    for (let file = 0; file < FILES; file++) writeFileSync(path.join(place, `file${file}.ts`), `${text(file, changed)}\n`);
    if (!changed) {
      git('add', '-A');
      git('commit', '-qm', 'start');
    }
  }
  return place;
}

const help: Run[] = [];
const floor: Run[] = [];
for (let round = 0; round < ROUNDS; round++) {
  floor.push(await run(['-e', '0']));
  help.push(await run([weir, '--help']));
}
const cpu = (runs: readonly Run[]): number => median(runs.map(each => each.cpuMs));
process.stdout.write(
  `weir --help: ${cpu(help).toFixed(0)} ms CPU, node -e 0: ${cpu(floor).toFixed(0)} ms CPU, ratio ${(cpu(help) / cpu(floor)).toFixed(2)} (goal: at most 3)\n`,
);

const model = await startScriptedModel({});
const place = sampleRepository();
const env = {
  WEIR_MODEL_BASE_URL: model.baseUrl,
  WEIR_MODEL: 'scripted',
  WEIR_ALLOW_ORIGINS: new URL(model.baseUrl).origin,
  XDG_STATE_HOME: folder,
  XDG_CONFIG_HOME: folder,
};
const reviews: Run[] = [];
for (let round = 0; round < 5; round++) reviews.push(await run([weir, '-C', place, 'review', '--json', '--fail-on', 'never'], env));
await model.close();
const report = JSON.parse(reviews[0]?.stdout ?? '{}') as { findings: readonly unknown[]; coverage: readonly { reading: string }[] };
const full = report.coverage.filter(file => file.reading === 'full').length;
process.stdout.write(`weir review, ${FILES} files, scripted model: ${median(reviews.map(each => each.wallMs)).toFixed(0)} ms wall (goal: under 2000), `);
process.stdout.write(
  `${Math.max(...reviews.map(each => each.peakMiB)).toFixed(0)} MiB peak (goal: under 200); ${report.findings.length} findings, ${full} files read whole\n`,
);
rmSync(folder, { recursive: true, force: true });
