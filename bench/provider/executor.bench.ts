/**
 * CPU of a whole call beside the same call in @octokit/request, over a network that answers at once from memory. Ours also checks
 * the arguments, asks the policy, the rate governor and the ETag cache. The goal is at most 0.7 of its time. Two lines: with a rate
 * store that costs nothing (the executor alone), and with the one in memory.
 * Run: npx tsx bench/provider/executor.bench.ts
 */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createProvider, type Provider } from '@weir/forge';
import { readTable } from '@weir/operation-table';
import type { RateStore } from '@weir/ports';
import { readDescriptor } from '@weir/provider-descriptor';
import { memoryAuditStore, memoryEtagStore, memoryRateStore } from '@weir/provider-store';
import { parse } from 'yaml';

const CALLS = 4_000;
const ROUNDS = 15;
const GOAL = 0.7;
const TOKEN = 'ghp_000000000000000000000000000000000000';
const ORIGIN = 'https://api.github.com';

const folder = path.join(import.meta.dirname, '../../descriptors/providers/github');
const table = readTable(readFileSync(path.join(folder, 'optable.json'), 'utf8'));
const reading = readDescriptor(parse(readFileSync(path.join(folder, 'provider.yaml'), 'utf8'), { maxAliasCount: 1_000, merge: true }));
if (!table.ok || !reading.ok) throw new Error('the provider cannot be read');
// The limits themselves are not what is measured: with the real ones the governor would make the calls wait.
const ratelimit = { ...reading.descriptor.ratelimit, points_per_minute: 1_000_000_000 };

const answer = JSON.stringify({
  id: 1,
  number: 1347,
  title: 'new-feature',
  body: 'x'.repeat(2_000),
  head: { ref: 'a', sha: 'b'.repeat(40) },
  labels: [{ name: 'bug' }],
});
const bytes = new TextEncoder().encode(answer);
const headers = {
  'content-type': 'application/json; charset=utf-8',
  'x-github-request-id': 'R1',
  'x-ratelimit-limit': '5000',
  'x-ratelimit-remaining': '4999',
};

async function* body(): AsyncGenerator<Uint8Array> {
  yield bytes;
}

const freeRateStore: RateStore = {
  acquire: () => Promise.resolve({ granted: true, lease: 'one' }),
  release: () => Promise.resolve(),
  spend: () => Promise.resolve(true),
};

const providerWith = (rateStore: RateStore): Provider =>
  createProvider({
    descriptor: { ...reading.descriptor, ratelimit },
    table: table.table,
    http: { send: () => Promise.resolve({ status: 200, headers, body: body() }) },
    rateStore,
    etagStore: memoryEtagStore({ maxEntries: 100, maxBytes: 1_000_000, maxEntryBytes: 100_000 }),
    auditStore: memoryAuditStore(),
    credentials: { env: () => TOKEN },
    now: Date.now,
    random: Math.random,
    sleep: () => Promise.resolve(),
  });

const args = { owner: 'octo-org', repo: 'hello-world', pull_number: 1347 };
const { signal } = new AbortController();
const callOf = (provider: Provider) => (): Promise<unknown> => provider.call('pulls/get', args, { signal, actor: 'bench' });

type Request = (route: string, options: Record<string, unknown>) => Promise<{ data: unknown }>;
const package_ = '@octokit/request';
const request: Request | undefined = await import(package_).then(
  (module: { request: Request }) => module.request,
  () => undefined,
);

const answerHeaders = new Headers(headers);

/** What its client reads of a fetch answer, without the cost of a real one. */
const fetchStub = () => Promise.resolve({ status: 200, url: ORIGIN, headers: answerHeaders, text: () => Promise.resolve(new TextDecoder().decode(bytes)) });
const octokit = (one: Request) => (): Promise<unknown> =>
  one('GET /repos/{owner}/{repo}/pulls/{pull_number}', {
    ...args,
    headers: { authorization: `token ${TOKEN}`, accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' },
    request: { fetch: fetchStub },
  });

async function cpuOf(one: () => Promise<unknown>): Promise<number> {
  const start = process.cpuUsage();
  for (let call = 0; call < CALLS; call += 1) await one();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / CALLS;
}

const middle = (times: readonly number[]): number => [...times].sort((left, right) => left - right)[Math.floor(times.length / 2)] ?? Number.NaN;

if (request === undefined) console.log(`${package_} is not installed: nothing to compare with`);
else {
  const tasks: Readonly<Record<string, () => Promise<unknown>>> = {
    [package_]: octokit(request),
    'ours, the executor alone': callOf(providerWith(freeRateStore)),
    'ours, rate store in memory': callOf(providerWith(memoryRateStore({ now: Date.now, newId: randomUUID }))),
  };
  const times = new Map<string, number[]>();
  for (let round = -1; round < ROUNDS; round += 1) {
    for (const [name, task] of Object.entries(tasks)) {
      const time = await cpuOf(task);
      if (round >= 0) times.set(name, [...(times.get(name) ?? []), time]);
    }
  }
  const theirs = middle(times.get(package_) ?? []);
  for (const [name, all] of times) {
    const ratio = middle(all) / theirs;
    const verdict = name === package_ ? '' : `  ratio ${ratio.toFixed(2)}, the goal is at most ${GOAL}: ${ratio <= GOAL ? 'held' : 'MISSED'}`;
    console.log(`${name.padEnd(27)} ${middle(all).toFixed(1).padStart(6)} µs of CPU a call${verdict}`);
  }
}
