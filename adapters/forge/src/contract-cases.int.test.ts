/**
 * The generated contract cases of every built-in provider through the real engine, against a server on this machine that holds each
 * request against the published description (PRV-25, PRV-26). The requests are also compared with what the cases spell out.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { ProviderDescriptor } from '@weir/contract';
import { createHttp } from '@weir/http';
import { type ContractCase, contractCases, type ExpectedRequest, type OperationRow, pagingParameters } from '@weir/operation-table';
import { callsOf, checkBindings, resolveOperation } from '@weir/provider-descriptor';
import { verifies } from '@weir/requirements';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type HermeticServer, startHermeticServer } from './hermetic-server.fixture.ts';
import { DESCRIPTORS, loadDescriptor } from './load-builtin.fixture.ts';
import { ProviderError } from './provider-failure.ts';
import { type DescribedProvider, readPublished, SPEC_FACTS } from './published-operations.fixture.ts';
import { CANARY, createWorld, loadTable, type World } from './scripted-world.fixture.ts';
import { MAX_ANSWER_BYTES } from './send-request.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const NAMES = Object.keys(SPEC_FACTS) as DescribedProvider[];
/** Failures that a report shows. */
const SHOWN = 20;
/** Calls under way at a time. */
const WIDTH = 8;

/** Where a row is wider than the description: it has one kind for a field that takes a kind or a word of another. */
const WIDER = new Map([
  ['gists/create', 'POST /gists: the field public fits no alternative'],
  ['repos/update-information-about-pages-site', 'PUT /repos/{owner}/{repo}/pages: the field source fits no alternative'],
]);

/** Every write allowed, and nothing spaced: policy and limits have tests of their own. */
const opened = (name: string): ProviderDescriptor => {
  const descriptor = loadDescriptor(name);
  const allowed_mutations = loadTable(name).operations.map(row => row.id);
  return ProviderDescriptor.parse({ ...descriptor, policy: { ...descriptor.policy, allowed_mutations, receipts: 'off', read_only: false } });
};

/** Rows that a verb is bound to; all of a registry, which binds none. */
const boundRows = (name: string): readonly OperationRow[] => {
  const { kind, capabilities } = loadDescriptor(name);
  const table = loadTable(name);
  if (kind !== 'forge') return table.operations;
  const rows = Object.values(capabilities).flatMap(binding =>
    callsOf(binding).flatMap(({ op }) => (op === undefined ? [] : [resolveOperation(table, op).row])),
  );
  return [...new Set(rows.filter(row => row !== undefined))];
};

/** A file beside the descriptor, or beside the one that it extends. */
const beside = (name: string, file: string | undefined): { readonly file?: string } => {
  const { extends: parent } = loadDescriptor(name);
  const found = [name, parent].flatMap(folder => (folder === undefined || file === undefined ? [] : [path.join(DESCRIPTORS, folder, file)])).find(existsSync);
  return found === undefined ? {} : { file: found };
};

const isPositive = (one: ContractCase): one is Extract<ContractCase, { request: unknown }> => 'request' in one;

describe.each(NAMES)('%s', name => {
  let server: HermeticServer;
  let world: World;
  const bound = boundRows(name);
  const descriptor = loadDescriptor(name);
  const table = loadTable(name);
  const { per_page_max: perPageMax, items } = descriptor.pagination;

  beforeAll(async () => {
    const { overlay, supplement } = descriptor.spec;
    const [laid, added] = [beside(name, overlay).file, beside(name, supplement).file];
    server = await startHermeticServer(
      readPublished(name, { ...(laid === undefined ? {} : { overlay: laid }), ...(added === undefined ? {} : { supplement: added }) }),
    );
    world = createWorld(() => new Error('not used'), {
      descriptor: opened(name),
      http: createHttp({ allowOrigins: [server.url] }),
      documents: new Map(),
      baseUrl: server.url,
      credentials: { env: () => CANARY },
    });
  });
  afterAll(() => server.close());

  const call = (row: OperationRow, args: Readonly<Record<string, unknown>>, headers: Readonly<Record<string, string>> = {}) =>
    world.provider.call(row.id, args, { signal: AbortSignal.timeout(60_000), actor: 'test', headers });

  /** Sends all of them, a few at a time, and says what is wrong with each. */
  async function sendAll(all: readonly (readonly [OperationRow, Extract<ContractCase, { request: unknown }>])[]): Promise<string[]> {
    server.answerWith(() => ({}));
    server.take();
    const failures: string[] = [];
    const left = all.entries();
    const workers = Array.from({ length: WIDTH }, async () => {
      for (const [index, [row, one]] of left) {
        await call(row, one.args, { 'x-case': String(index) }).catch((error: unknown) => failures.push(`${row.id}, ${one.name}: ${String(error)}`));
      }
    });
    await Promise.all(workers);
    const arrived = new Map(server.take().map(request => [Number(request.headers['x-case']), request]));
    for (const [index, [row, { name: title, request }]] of all.entries()) {
      const seen = arrived.get(index);
      const wrong = seen === undefined ? ['nothing arrived'] : [...seen.problems, ...differences(row, request, seen)];
      failures.push(...wrong.filter(problem => problem !== WIDER.get(row.id)).map(problem => `${row.id}, ${title}: ${problem}`));
    }
    return failures;
  }

  function differences(row: OperationRow, request: ExpectedRequest, seen: ReturnType<HermeticServer['take']>[number]): string[] {
    const base = row.server === undefined ? table.basePath : new URL(row.server, server.url).pathname.replace(/\/$/, '');
    const wanted = base + request.path + (request.query === '' ? '' : `?${request.query}`);
    const carried = Object.values(seen.headers).some(
      value => value?.includes(CANARY) === true || value?.includes(Buffer.from(CANARY).toString('base64').slice(0, -4)) === true,
    );
    const { scheme, headers } = descriptor.auth;
    return [
      ...(seen.method === request.method && seen.target === wanted ? [] : [`${seen.method} ${seen.target} instead of ${request.method} ${wanted}`]),
      ...Object.entries(request.headers).flatMap(([header, value]) =>
        seen.headers[header] === value ? [] : [`the header ${header} is ${seen.headers[header]}`],
      ),
      ...Object.entries(headers).flatMap(([header, value]) => (seen.headers[header.toLowerCase()] === value ? [] : [`no ${header}`])),
      ...(carried === (scheme !== 'none') ? [] : ['the credential is not where it belongs']),
    ];
  }

  test(`${verifies('PRV-25a', 'PRV-26')} every compiled operation sends what the description asks for`, async () => {
    const all = table.operations.flatMap(row =>
      contractCases(row)
        .filter(isPositive)
        .flatMap(one => (one.name === 'everything arguments' ? [[row, one] as const] : [])),
    );
    expect(all.length).toBe(table.operations.length);
    expect((await sendAll(all)).slice(0, SHOWN)).toEqual([]);
  });

  test(`${verifies('PRV-25', 'PRV-26')} bound operations: what is required, and one entry a page, the most, and one more`, async () => {
    const all = bound.flatMap(row =>
      contractCases(row, { perPageMax })
        .filter(isPositive)
        .map(one => [row, one] as const),
    );
    expect(all.length).toBeGreaterThanOrEqual(2 * bound.length);
    expect((await sendAll(all)).slice(0, SHOWN)).toEqual([]);
  });

  test(`${verifies('PRV-25', 'PRV-12a')} bound operations: wrong arguments are refused before a socket opens, with the name that was meant`, async () => {
    server.take();
    const failures: string[] = [];
    let cases = 0;
    for (const row of bound) {
      for (const one of contractCases(row)) {
        if (!('problem' in one)) continue;
        cases += 1;
        const { argument, suggestion } = one.problem;
        const refusal = await call(row, one.args).then(
          () => 'nothing was refused',
          (error: unknown) => (error instanceof ProviderError && error.code === 'ARGUMENTS_INVALID' ? error.message : `not a refusal: ${String(error)}`),
        );
        const named = refusal.includes(`: ${argument} `) && (suggestion === undefined || refusal.includes(`did you mean ${suggestion}?`));
        if (!named) failures.push(`${row.id}, ${one.name}: ${refusal}`);
      }
    }
    expect(failures.slice(0, SHOWN)).toEqual([]);
    expect(cases).toBeGreaterThan(bound.length);
    expect(server.take()).toEqual([]);
  });

  test(`${verifies('PRV-25', 'PRV-6')} a bound operation that is deprecated is found by the doctor`, () => {
    const ended = { ...table, operations: table.operations.map(row => ({ ...row, deprecated: true })) };
    const rules = checkBindings(descriptor, ended, { today: '2026-01-01' }).filter(({ rule }) => rule === 'deprecated');
    const calls = Object.values(descriptor.capabilities).flatMap(binding => callsOf(binding).filter(({ op }) => op !== undefined));
    expect(rules.length).toBe(calls.length);
  });

  test(`${verifies('PRV-25', 'PRV-9', 'PRV-10')} bound operations: answers at their bounds, limits, and the announcement of an end`, async () => {
    const failures: string[] = [];
    for (const row of bound) {
      for (const one of contractCases(row)) {
        if (!('response' in one)) continue;
        const { status, headers, bodyText } = one.response;
        const { kind, retryAfterMs, deprecated = false } = one.outcome;
        const before = world.clock.now;
        server.take();
        server.answerWith(() => ({ status, headers, text: bodyText }));
        const args = contractCases(row).find(isPositive)?.args ?? {};
        const found = await call(row, args).then(
          answer => ({ kind: 'ok', deprecated: answer.deprecated !== undefined }),
          (error: unknown) => ({ kind: error instanceof ProviderError ? error.kind : String(error), deprecated: false }),
        );
        if (found.kind !== kind || found.deprecated !== deprecated) failures.push(`${row.id}, ${one.name}: ${JSON.stringify(found)}`);
        // The engine waits as long as it is told, on the clock of the test, and asks again at most four times.
        const sent = server.take().length;
        if (retryAfterMs !== undefined && (sent !== 5 || world.clock.now - before < 4 * retryAfterMs))
          failures.push(`${row.id}, ${one.name}: ${sent} requests`);
      }
    }
    expect(failures.slice(0, SHOWN)).toEqual([]);
  });

  const listed = (row: OperationRow, count: number): unknown => {
    const member = items[row.id] ?? items['*'];
    const entries = Array.from({ length: count }, (_, id) => ({ id }));
    return member === undefined ? entries : { [member]: entries };
  };

  test(`${verifies('PRV-25', 'PRV-11')} bound lists: an empty page, a last page, and a full page that names no next one`, async () => {
    const failures: string[] = [];
    for (const row of bound) {
      for (const one of contractCases(row)) {
        if (!('page' in one)) continue;
        const { entries, fullPage } = one.page;
        const asked: string[] = [];
        server.answerWith(({ target }) => {
          if (target.includes('/settings/api')) return { json: { max_response_items: perPageMax } };
          asked.push(target);
          return { json: listed(row, asked.length > 1 ? 0 : entries === fullPage ? perPageMax : Math.min(entries, 1)) };
        });
        let count = 0;
        const end = await (async () => {
          for await (const page of world.provider.pages(row.id, contractCases(row).find(isPositive)?.args ?? {}, {
            signal: AbortSignal.timeout(60_000),
            actor: 'test',
          }))
            count += page.items.length;
          return 'whole';
        })().catch((error: unknown) => (error instanceof ProviderError ? error.kind : String(error)));
        const askedOn = asked.length > 1 || end === 'BoundExceeded';
        if (askedOn !== (one.next === 'more') || (end !== 'whole' && end !== 'BoundExceeded'))
          failures.push(`${row.id}, ${one.name}: ${end} after ${asked.length} pages, ${count} entries`);
      }
    }
    expect(failures.slice(0, SHOWN)).toEqual([]);
    expect(
      bound.some(row => row.pagination !== 'none' && pagingParameters(row).perPage !== undefined) ||
        name === 'npm' ||
        name === 'pypi' ||
        name === 'bitbucket-cloud',
    ).toBe(true);
  });

  test(`${verifies('PRV-25', 'PRV-8')} an answer of exactly the bound is whole; one byte more is refused`, async () => {
    const row = bound.find(one => one.method === 'GET' && one.responseShape === 'object');
    if (row === undefined) throw new Error('no such operation');
    const args = contractCases(row).find(isPositive)?.args ?? {};
    const textOf = (length: number): string => JSON.stringify({ a: 'x'.repeat(length - '{"a":""}'.length) });
    server.answerWith(() => ({ text: textOf(MAX_ANSWER_BYTES) }));
    expect((await call(row, args)).bytes.byteLength).toBe(MAX_ANSWER_BYTES);
    server.answerWith(() => ({ text: textOf(MAX_ANSWER_BYTES + 1) }));
    await expect(call(row, args)).rejects.toMatchObject({ code: 'FORGE_BOUND_EXCEEDED' });
  });
});
