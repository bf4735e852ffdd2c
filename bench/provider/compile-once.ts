/**
 * One task on one description in a process of its own, for `compile.bench.ts`: `node compile-once.mjs TASK FILE`. Prints CPU, peak memory
 * and a digest of the result as JSON.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { compileTable } from '@weir/provider-compiler';
import { writeTable } from '@weir/operation-table';

/** Each task's result as text; equal texts mean equal results. */
const TASKS: Readonly<Record<string, (text: string, file: string) => string | Promise<string>>> = {
  'JSON.parse': text => String(Object.keys(JSON.parse(text) as object).length),
  weir: text => {
    const input = {
      provider: 'github',
      apiVersion: '1',
      format: 'openapi-3.0',
      specDigest: 'sha256:0',
      source: { text },
      selection: {},
      pagination: { style: 'link' },
    } as const;
    const result = compileTable(input);
    if (!result.ok) throw new Error(JSON.stringify(result.problems[0]));
    return writeTable(result.table);
  },
  '@readme/openapi-parser': async text => {
    // By a variable, so that the bundle does not hold the package.
    const name = '@readme/openapi-parser';
    const { dereference } = (await import(name)) as { dereference: (description: unknown) => Promise<unknown> };
    return String(Object.keys((await dereference(JSON.parse(text))) as object).length);
  },
  'openapi-mcp-generator': async (_text, file) => {
    const name = 'openapi-mcp-generator';
    const { getToolsFromOpenApi } = (await import(name)) as { getToolsFromOpenApi: (file: string) => Promise<readonly unknown[]> };
    return JSON.stringify(await getToolsFromOpenApi(file));
  },
};

/** Linux gives a new process the peak of the one that started it; what /proc says is its own. */
const peakKiB = (): number =>
  existsSync('/proc/self/status') ? Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) : process.resourceUsage().maxRSS;

const [task = '', file = ''] = process.argv.slice(2);
const run = TASKS[task];
if (run === undefined) throw new Error(`no such task; there are ${Object.keys(TASKS).join(', ')}`);
const before = process.cpuUsage();
const result = await run(readFileSync(file, 'utf8'), file);
const { user, system } = process.cpuUsage(before);
const digest = createHash('sha256').update(result).digest('hex');
process.stdout.write(JSON.stringify({ cpuSeconds: (user + system) / 1e6, peakMiB: peakKiB() / 1024, digest, bytes: result.length }));
