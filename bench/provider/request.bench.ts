/**
 * Building a request, arguments checked, beside the same call in @octokit/endpoint. The goal is at most half of its time.
 * Run: npx tsx bench/provider/request.bench.ts
 */
import { buildRequest, checkArguments, type OperationRow, type RequestTarget } from '@weir/operation-table';
import { rows } from '../../lib/operation-table/tests/rows.ts';
import { medians } from '../diff/medians.ts';

const CALLS = 40_000;
const GOAL = 0.5;

interface Call {
  readonly row: OperationRow;
  readonly route: string;
  readonly args: Readonly<Record<string, unknown>>;
}

const call = (row: OperationRow, args: Record<string, unknown>): Call => ({ row, route: `${row.method} ${row.path}`, args });

const calls: readonly Call[] = [
  call(rows.getPull, { owner: 'octo-org', repo: 'hello-world', pull_number: 1347 }),
  call(rows.listPulls, { owner: 'octo-org', repo: 'hello-world', state: 'open', per_page: 100, page: 3 }),
  call(rows.createComment, { owner: 'octo-org', repo: 'hello-world', issue_number: 7, body: 'Looks good to me.' }),
  call(rows.createIssue, { owner: 'octo-org', repo: 'hello-world', title: 'Found a bug', body: 'It is here.', labels: ['bug', 'ui'] }),
  call(rows.getContent, { owner: 'octo-org', repo: 'hello-world', path: 'README.md', ref: 'main' }),
  call(rows.search, { q: 'is:pr is:open author:octocat', per_page: 100 }),
];

const target: RequestTarget = {
  baseUrl: 'https://api.github.com',
  basePath: '',
  headers: { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28', 'user-agent': 'weir' },
};

type Endpoint = (route: string, options: Record<string, unknown>) => { url: string };

const repeat = (one: (call: Call) => number) => (): number => {
  let sum = 0;
  for (let i = 0; i < CALLS; i += 1) {
    const next = calls[i % calls.length];
    if (next !== undefined) sum += one(next);
  }
  return sum;
};

const ours = repeat(({ row, args }) => {
  const check = checkArguments(row, args);
  if (!check.ok) throw new Error(JSON.stringify(check.problems));
  const built = buildRequest(row, check.checked, target);
  return built.ok ? built.request.url.length : 0;
});

const theirs = (endpoint: Endpoint) => repeat(({ route, args }) => endpoint(route, { ...args, headers: target.headers }).url.length);

const package_ = '@octokit/endpoint';
const endpoint: Endpoint | undefined = await import(package_).then(
  (module: { endpoint: Endpoint }) => module.endpoint,
  () => undefined,
);
if (endpoint === undefined) console.log(`${package_} is not installed: nothing to compare with`);
else {
  const times = medians({ ours, [package_]: theirs(endpoint) });
  for (const [name, ms] of Object.entries(times)) console.log(`${name.padEnd(18)} ${((ms * 1_000) / CALLS).toFixed(2).padStart(6)} µs a request`);
  const ratio = (times['ours'] ?? 0) / (times[package_] ?? 1);
  console.log(`ratio ${ratio.toFixed(2)}, the goal is at most ${GOAL}: ${ratio <= GOAL ? 'held' : 'MISSED'}`);
}
