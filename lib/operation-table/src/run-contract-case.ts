/**
 * Runs a contract case against the executor. The answer is what differs, so that a test and the command line say the same.
 */
import { buildRequest, type BuiltRequest } from './build-request.ts';
import { checkArguments } from './check-arguments.ts';
import { classifyResponse } from './classify-response.ts';
import type { Args, ContractCase, ExpectedProblem, ExpectedRequest } from './contract-case.ts';
import { positiveCases } from './contract-cases.ts';
import { nextPage } from './next-page.ts';
import type { OperationRow } from './operation-row.ts';
import { WALK_START } from './page-walk.ts';
import { pagingParameters } from './paging-parameters.ts';

const BASE = 'https://provider.example';
const BOUNDARY = 'boundary0123456789';
/** Any time before the sunset date of the cases. */
const NOW_MS = 1_700_000_000_000;

/** One sentence on what differs from the case; undefined where it holds. */
export const runContractCase = (row: OperationRow, one: ContractCase): string | undefined => {
  if ('request' in one) return compareRequest(row, one.args, one.request);
  if ('problem' in one) return compareProblem(row, one.args, one.problem);
  if ('response' in one) return compareOutcome(row, one);
  return compareNext(row, one);
};

/** An operation counts as compiled only if this is true: each of its positive cases builds its exact request (PRV-25a). */
export const provesBuildable = (row: OperationRow): { readonly buildable: true } | { readonly buildable: false; readonly reason: string } => {
  for (const one of positiveCases(row)) {
    const reason = runContractCase(row, one);
    if (reason !== undefined) return { buildable: false, reason: `${one.name}: ${reason}` };
  }
  return { buildable: true };
};

function compareRequest(row: OperationRow, args: Args, expected: ExpectedRequest): string | undefined {
  const check = checkArguments(row, args);
  if (!check.ok) return check.problems.map(({ argument, reason }) => `${argument} ${reason}`).join('; ');
  const server = row.server === undefined ? {} : { servers: { [row.server]: BASE } };
  const built = buildRequest(row, check.checked, { baseUrl: BASE, basePath: '', boundary: BOUNDARY, ...server });
  if (!built.ok) return `${built.problem.argument} ${built.problem.reason}`;
  const { method, url, headers, body } = built.request;
  const wanted = `${BASE}${expected.path}${expected.query === '' ? '' : `?${expected.query}`}`;
  if (method !== expected.method || url !== wanted) return `${method} ${url} instead of ${expected.method} ${wanted}`;
  const header = Object.keys(expected.headers).find(name => headers[name] !== expected.headers[name]);
  if (header !== undefined) return `header ${header} is ${headers[header]} instead of ${expected.headers[header]}`;
  return compareBody(body, expected);
}

function compareBody(body: BuiltRequest['body'], { fields }: ExpectedRequest): string | undefined {
  if (fields === undefined) return undefined;
  if (body.kind === 'none') return 'there is no body';
  if (body.kind !== 'json') return undefined;
  const written = JSON.stringify(body.value);
  return written === JSON.stringify(fields) ? undefined : `the body is ${written.slice(0, 200)}`;
}

function compareProblem(row: OperationRow, args: Args, { argument, code, suggestion }: ExpectedProblem): string | undefined {
  const check = checkArguments(row, args);
  if (check.ok) return 'nothing was refused';
  const found = check.problems.map(problem => `${problem.code} ${problem.argument}`);
  if (found.length !== 1 || found[0] !== `${code} ${argument}`) return `${found.join(', ')} instead of ${code} ${argument}`;
  const suggested = check.problems[0]?.suggestion;
  return suggestion === undefined || suggested === suggestion ? undefined : `${suggested} is suggested instead of ${suggestion}`;
}

function compareOutcome(row: OperationRow, { response, outcome }: Extract<ContractCase, { response: unknown }>): string | undefined {
  const found = classifyResponse(row, { ...response, nowMs: NOW_MS });
  const wait = 'retryAfterMs' in found ? found.retryAfterMs : undefined;
  const deprecated = 'deprecated' in found;
  if (found.kind !== outcome.kind || wait !== outcome.retryAfterMs) return `${found.kind} with a wait of ${wait}`;
  return deprecated === (outcome.deprecated ?? false) ? undefined : 'the deprecation is not noted';
}

function compareNext(row: OperationRow, { page, next }: Extract<ContractCase, { page: unknown }>): string | undefined {
  const items = Array.from({ length: page.entries }, (_, id) => ({ id }));
  const { parameter } = pagingParameters(row);
  const found = nextPage(row.pagination, {
    url: BASE + row.path,
    headers: {},
    value: items,
    items,
    fullPage: page.fullPage,
    walk: WALK_START,
    ...(parameter === undefined ? {} : { parameter }),
  });
  const more = found.kind === 'probe' || found.kind === 'maybe-more' || found.kind === 'next';
  return more === (next === 'more') && (more || found.kind === 'last') ? undefined : `${found.kind} instead of ${next}`;
}
