/**
 * CPU of a whole call beside the same call in @octokit/request, over a network that answers at once from memory. Ours also checks
 * the arguments, asks the policy, the rate governor and the ETag cache. The goal is at most 0.7 of its time.
 * Run: npx tsx bench/provider/executor.bench.ts
 */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createProvider } from '@weir/forge';
import { readTable } from '@weir/operation-table';
import { readDescriptor } from '@weir/provider-descriptor';
import { memoryAuditStore, memoryEtagStore, memoryRateStore } from '@weir/provider-store';
import { parse } from 'yaml';

const CALLS = 4_000;
const ROUNDS = 9;
const GOAL = 0.7;
const TOKEN = 'ghp_000000000000000000000000000000000000';
const ORIGIN = 'https://api.github.com';

const folder = path.join(import.meta.dirname, '../../descriptors/providers/github');
const table = readTable(readFileSync(path.join(folder, 'optable.json'), 'utf8'));
const reading = readDescriptor(parse(readFileSync(path.join(folder, 'provider.yaml'), 'utf8'), { maxAliasCount: 1_000, merge: true }));
if (!table.ok || !reading.ok) throw new Error('the provider cannot be read');
// The limits themselves are not what is measured: with the real ones the governor would make the calls wait.
const { points_per_minute: _, ...ratelimit } = reading.descriptor.ratelimit;

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

const provider = createProvider({
  descriptor: { ...reading.descriptor, ratelimit },
  table: table.table,
  http: { send: () => Promise.resolve({ status: 200, headers, body: body() }) },
  rateStore: memoryRateStore({ now: Date.now, newId: randomUUID }),
  etagStore: memoryEtagStore({ maxEntries: 100, maxBytes: 1_000_000, maxEntryBytes: 100_000 }),
  auditStore: memoryAuditStore(),
  credentials: { env: () => TOKEN },
  now: Date.now,
  random: Math.random,
  sleep: () => Promise.resolve(),
});

const args = { owner: 'octo-org', repo: 'hello-world', pull_number: 1347 };
const { signal } = new AbortController();
const ours = (): Promise<unknown> => provider.call('pulls/get', args, { signal, actor: 'bench' });

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
  const times: { ours: number[]; theirs: number[] } = { ours: [], theirs: [] };
  await cpuOf(ours);
  await cpuOf(octokit(request));
  for (let round = 0; round < ROUNDS; round += 1) {
    times.ours.push(await cpuOf(ours));
    times.theirs.push(await cpuOf(octokit(request)));
  }
  const [mine, other] = [middle(times.ours), middle(times.theirs)];
  console.log(`ours               ${mine.toFixed(1).padStart(6)} µs of CPU a call\n${package_}   ${other.toFixed(1).padStart(6)} µs of CPU a call`);
  console.log(`ratio ${(mine / other).toFixed(2)}, the goal is at most ${GOAL}: ${mine / other <= GOAL ? 'held' : 'MISSED'}`);
}
