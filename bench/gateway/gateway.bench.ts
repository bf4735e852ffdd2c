/**
 * The gateway beside a direct call, a plain pipe, the parse floor and Portkey's gateway, all in one run: CPU of the server's process for
 * each request, throughput, and the time to the first byte (MOD-19). `-- --streams 200 --seconds 60` watches memory under streams instead.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { type BenchServer, startProgram, startServer } from './bench-server.ts';
import { load, median, type Target } from './load.ts';

const ROUNDS = 3;
const CASES = [
  { name: 'JSON, 1 connection', stream: false, connections: 1, requests: 400 },
  { name: 'JSON, 16 connections', stream: false, connections: 16, requests: 1_500 },
  { name: '100-chunk SSE, 1 connection', stream: true, connections: 1, requests: 120 },
  { name: '100-chunk SSE, 16 connections', stream: true, connections: 16, requests: 320 },
] as const;
const PORTKEY_PORT = 18_787;
/** MOD-19, for streams. What a whole answer costs beyond the floor is the key, the route, the budget, the ledger and the log. */
const GOALS = { cpu: 1.5, firstByte: 2 } as const;

interface Contender {
  readonly name: string;
  /** Null for the direct call, which has no server of its own. */
  readonly server: BenchServer | null;
  readonly target: Target;
}

interface Measured {
  readonly cpuMs: number;
  readonly perSecond: number;
  readonly firstByteMs: number;
}

async function startContenders(upstream: BenchServer): Promise<readonly Contender[]> {
  const url = `http://127.0.0.1:${upstream.port}`;
  const [pipe, parse] = [await startServer('pipe-server.ts', url), await startServer('parse-server.ts', url)];
  const [stack, weir] = [await startServer('stack-server.ts', url), await startServer('weir-server.ts', url)];
  const key = { authorization: 'Bearer bench-key' };
  const all: Contender[] = [
    { name: 'direct', server: null, target: { port: upstream.port, headers: key } },
    { name: 'pipe', server: pipe, target: { port: pipe.port, headers: key } },
    { name: 'parse floor', server: parse, target: { port: parse.port, headers: key } },
    { name: 'same stack', server: stack, target: { port: stack.port, headers: key } },
    { name: 'weir', server: weir, target: { port: weir.port, headers: key } },
  ];
  const portkey = path.join(import.meta.dirname, '../node_modules/@portkey-ai/gateway/build/start-server.js');
  const hoisted = path.join(import.meta.dirname, '../../node_modules/@portkey-ai/gateway/build/start-server.js');
  const program = [portkey, hoisted].find(file => existsSync(file));
  if (program === undefined) process.stdout.write('SKIPPED: @portkey-ai/gateway is not installed\n');
  else {
    const server = await startProgram(program, PORTKEY_PORT, `--port=${PORTKEY_PORT}`, '--headless');
    const headers = { ...key, 'x-portkey-provider': 'openai', 'x-portkey-custom-host': `${url}/v1` };
    all.push({ name: 'portkey', server, target: { port: server.port, headers } });
  }
  return all;
}

async function measure({ server, target }: Contender, run: (typeof CASES)[number], requests: number): Promise<Measured> {
  const before = await server?.cpu();
  const { seconds, firstByteMs } = await load(target, { ...run, requests });
  const after = await server?.cpu();
  return { cpuMs: ((after ?? 0) - (before ?? 0)) / 1_000 / requests, perSecond: requests / seconds, firstByteMs };
}

const middle = (rounds: readonly Measured[]): Measured => ({
  cpuMs: median(rounds.map(({ cpuMs }) => cpuMs)),
  perSecond: median(rounds.map(({ perSecond }) => perSecond)),
  firstByteMs: median(rounds.map(({ firstByteMs }) => firstByteMs)),
});

function print(run: (typeof CASES)[number], results: ReadonlyMap<string, Measured>): boolean {
  const floor = results.get('parse floor');
  const direct = results.get('direct');
  if (floor === undefined || direct === undefined) throw new Error('both are always measured');
  process.stdout.write(`\n${run.name}\n`);
  let held = true;
  for (const [name, { cpuMs, perSecond, firstByteMs }] of results) {
    const added = firstByteMs - direct.firstByteMs;
    const cpu = cpuMs / floor.cpuMs;
    const first = added / (floor.firstByteMs - direct.firstByteMs);
    const ratios = name === 'direct' ? '' : `  CPU ${cpu.toFixed(2)} and added first byte ${first.toFixed(2)} of the floor's`;
    process.stdout.write(
      `  ${name.padEnd(12)} ${cpuMs.toFixed(2).padStart(6)} ms CPU  ${perSecond.toFixed(0).padStart(6)}/s (${(perSecond / direct.perSecond).toFixed(2)} of direct)  first byte ${firstByteMs.toFixed(2)} ms${ratios}\n`,
    );
    if (name === 'weir') held = cpu <= GOALS.cpu && (run.connections > 1 || first <= GOALS.firstByte);
  }
  process.stdout.write(
    `  ${GOALS.cpu} times the floor's CPU, and ${GOALS.firstByte} times its added first byte at 1 connection: ${held ? 'held' : 'missed'}\n`,
  );
  return held || !run.stream;
}

/** One round that is not counted; a contender that does not answer rightly is left out and named. */
async function warmUp(contenders: readonly Contender[], run: (typeof CASES)[number]): Promise<readonly Contender[]> {
  const fit: Contender[] = [];
  for (const contender of contenders) {
    try {
      await measure(contender, run, run.requests);
      fit.push(contender);
    } catch (error) {
      process.stdout.write(`\n${contender.name} does not serve ${run.name}: ${error instanceof Error ? error.message : String(error)}\n`);
    }
  }
  return fit;
}

async function compare(contenders: readonly Contender[]): Promise<void> {
  for (const run of CASES) {
    const rounds = new Map<string, Measured[]>();
    const fit = await warmUp(contenders, run);
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const contender of fit) rounds.set(contender.name, [...(rounds.get(contender.name) ?? []), await measure(contender, run, run.requests)]);
    }
    if (!print(run, new Map([...rounds].map(([name, all]) => [name, middle(all)])))) process.exitCode = 1;
  }
}

/** Bytes of the heap that a run of streams may leave behind, for each stream; a ledger would keep more. */
const LEFT_BYTES = 100;

/** Streams without a pause; every one has to end with its last event, and none may leave something behind. Charges are not kept in this run. */
async function watchMemory(upstream: BenchServer, streams: number, seconds: number): Promise<void> {
  const weir = await startServer('weir-server.ts', `http://127.0.0.1:${upstream.port}`, 'forget');
  const target = { port: weir.port, headers: { authorization: 'Bearer bench-key' } };
  const samples: { readonly ended: number; readonly heap: number }[] = [];
  const until = Date.now() + seconds * 1_000;
  for (let ended = streams * 5; Date.now() < until; ended += streams * 5) {
    await load(target, { stream: true, connections: streams, requests: streams * 5 });
    samples.push({ ended, heap: await weir.heap() });
    process.stdout.write(`  ${ended} streams ended whole, ${((samples.at(-1)?.heap ?? 0) / 1_048_576).toFixed(1)} MiB of heap\n`);
  }
  // The first rounds fill caches and compile.
  const settled = samples[Math.floor(samples.length / 3)];
  const last = samples.at(-1);
  if (settled === undefined || last === undefined || last === settled) throw new Error('the run is too short to say anything');
  const left = (last.heap - settled.heap) / (last.ended - settled.ended);
  const held = left < LEFT_BYTES;
  process.stdout.write(
    `${streams} streams at once for ${seconds} s: ${last.ended} ended whole, each left ${left.toFixed(0)} bytes (at most ${LEFT_BYTES}): ${held ? 'held' : 'MISSED'}\n`,
  );
  if (!held) process.exitCode = 1;
  weir.stop();
}

const numberAfter = (flag: string): number | undefined => {
  const at = process.argv.indexOf(flag);
  return at === -1 ? undefined : Number(process.argv[at + 1]);
};

const upstream = await startServer('upstream.ts');
const streams = numberAfter('--streams');
if (streams !== undefined) await watchMemory(upstream, streams, numberAfter('--seconds') ?? 60);
else {
  const contenders = await startContenders(upstream);
  await compare(contenders);
  for (const { server } of contenders) server?.stop();
}
upstream.stop();
