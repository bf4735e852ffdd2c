import { verifies } from '@weir/requirements';
import { expect, test } from 'vitest';
import { loadDescriptor } from './load-builtin.fixture.ts';
import type { CallOptions } from './provider-options.ts';
import { CANARY, changedDescriptor, createWorld, type ScriptedAnswer } from './scripted-world.fixture.ts';

const by = (): CallOptions => ({ signal: new AbortController().signal, actor: 'run:1' });
const REPO = { owner: 'o', repo: 'r' };
const PULLS = 'https://api.github.com/repos/o/r/pulls';
const numbered = (from: number, count: number) => Array.from({ length: count }, (_, index) => ({ id: from + index }));
const pageOf = (items: unknown, next?: string): ScriptedAnswer => ({ json: items, headers: next === undefined ? {} : { link: `<${next}>; rel="next"` } });

async function collect(pages: AsyncIterable<{ readonly items: readonly unknown[] }>) {
  const items: unknown[] = [];
  try {
    for await (const page of pages) items.push(...page.items);
  } catch (error) {
    return { items, error: error as { code: string; message: string } };
  }
  return { items, error: undefined };
}

test(`${verifies('PRV-11')} all pages of a list, each as large as it may be, to the server's last`, async () => {
  const { provider, sent } = createWorld((_request, index) =>
    index === 0 ? pageOf(numbered(0, 100), `${PULLS}?per_page=100&page=2`) : pageOf(numbered(100, 3)),
  );
  const { items, error } = await collect(provider.pages('pulls/list', REPO, by()));
  expect(error).toBeUndefined();
  expect(items).toEqual(numbered(0, 103));
  expect(sent.map(({ url }) => url)).toEqual([`${PULLS}?per_page=100`, `${PULLS}?per_page=100&page=2`]);
});

test(`${verifies('PRV-11')} a full page without a next marker is probed`, async () => {
  const { provider, sent } = createWorld((_request, index) => pageOf(index === 0 ? numbered(0, 100) : []));
  expect((await collect(provider.pages('pulls/list', REPO, by()))).items).toHaveLength(100);
  expect(sent[1]?.url).toContain('page=2');
});

test.each([
  ['a malformed Link header', { json: numbered(0, 100), headers: { link: '<<nonsense' } }, 'FORGE_UNAVAILABLE'],
  ['a next page at another origin', pageOf(numbered(0, 100), 'https://evil.example/next'), 'FORGE_UNAVAILABLE'],
  ['an answer that is no list', { json: { id: 1 } }, 'ARGUMENTS_INVALID'],
  ['a failure', { status: 404, json: { message: 'Not Found' } }, 'FORGE_NOT_FOUND'],
])(`${verifies('PRV-11', 'PRV-12')} %s ends the walk with an error`, async (_name, answer, code) => {
  const { provider, sent } = createWorld(() => answer);
  expect((await collect(provider.pages('pulls/list', REPO, by()))).error).toMatchObject({ code });
  expect(sent.every(({ url }) => url.startsWith('https://api.github.com/'))).toBe(true);
});

test(`${verifies('PRV-11')} pages, entries and time are bounded, and a bound is an error`, async () => {
  const endless = (_request: unknown, index: number) => pageOf(numbered(index * 100, 100), `${PULLS}?page=${index + 2}`);
  for (const pagination of [{ max_pages: 3 }, { max_items: 250 }]) {
    const descriptor = changedDescriptor(tree => ({ pagination: { ...tree.pagination, ...pagination } }));
    const { provider, sent } = createWorld(endless, { descriptor });
    expect((await collect(provider.pages('pulls/list', REPO, by()))).error).toMatchObject({ code: 'FORGE_BOUND_EXCEEDED' });
    expect(sent).toHaveLength(3);
  }
  const slow = createWorld((request, index) => {
    slow.clock.now += 14_000;
    return endless(request, index);
  });
  expect((await collect(slow.provider.pages('pulls/list', REPO, by()))).error).toMatchObject({ code: 'FORGE_BOUND_EXCEEDED' });
  expect(slow.sent).toHaveLength(9);
});

test(`${verifies('PRV-11')} a list inside an envelope is found where the descriptor says`, async () => {
  const { provider } = createWorld(() => ({ json: { state: 'success', statuses: numbered(0, 2), extra: [] } }));
  expect((await collect(provider.pages('repos/get-combined-status-for-ref', { ...REPO, ref: 'main' }, by()))).items).toEqual(numbered(0, 2));
});

const gitea = (script: Parameters<typeof createWorld>[0]) =>
  createWorld(script, { descriptor: loadDescriptor('gitea'), baseUrl: 'https://gitea.example', credentials: { env: () => CANARY } });

test(`${verifies('PRV-11')} the maximum of a page is the server's own, asked once`, async () => {
  const { provider, sent } = gitea(({ url }) =>
    url.includes('settings/api') ? { json: { max_response_items: 20 } } : pageOf(url.includes('page=2') ? numbered(20, 1) : numbered(0, 20)),
  );
  for (let walk = 0; walk < 2; walk += 1) expect((await collect(provider.pages('repoListPullRequests', REPO, by()))).items).toHaveLength(21);
  expect(sent[0]?.url).toBe('https://gitea.example/api/v1/settings/api');
  expect(sent[1]?.url).toContain('limit=20');
  expect(sent).toHaveLength(5);
});

test(`${verifies('PRV-11')} where the server hides its maximum every page is probed`, async () => {
  const { provider, sent } = gitea(({ url }) => {
    if (url.includes('settings/api')) return { status: 404, json: { message: 'no' } };
    return pageOf(url.includes('page=2') ? [] : numbered(0, 7));
  });
  expect((await collect(provider.pages('repoListPullRequests', REPO, by()))).items).toHaveLength(7);
  expect(sent.filter(({ url }) => url.includes('/pulls'))).toHaveLength(2);
  expect(sent[1]?.url).toContain('limit=50');
});

test(`${verifies('PRV-17a', 'PRV-11')} a GraphQL query is a read, its errors in a 200 are failures, its pages are joined`, async () => {
  const connection = (ids: readonly string[], endCursor: string | null) => ({
    data: { repository: { pullRequest: { reviewThreads: { pageInfo: { hasNextPage: endCursor !== null, endCursor }, nodes: ids.map(threadOf) } } } },
  });
  const { provider, sent, lines } = createWorld((_request, index) => ({ json: index === 0 ? connection(['T1'], 'c1') : connection(['T2'], null) }));
  const threads = await provider.verb('thread.list', { repository: { owner: 'o', name: 'r' }, change: 7 }, { ...by(), readOnly: true });
  expect(threads).toMatchObject({ ok: true, value: { threads: [{ ref: { id: 'T1' } }, { ref: { id: 'T2' } }] } });
  const bodies = sent.map(({ body }) => JSON.parse(String(body)) as { variables: unknown });
  expect(bodies.map(({ variables }) => variables)).toEqual([
    { owner: 'o', name: 'r', number: 7 },
    { owner: 'o', name: 'r', number: 7, after: 'c1' },
  ]);
  expect(sent[0]?.url).toBe('https://api.github.com/graphql');
  expect(lines).toEqual([]);
  const stuck = createWorld(() => ({ json: connection(['T1'], 'c1') }));
  expect(await stuck.provider.verb('thread.list', { repository: { owner: 'o', name: 'r' }, change: 7 }, by())).toMatchObject({
    ok: false,
    failure: { kind: 'Unavailable' },
  });
  const refused = createWorld(() => ({ json: { data: null, errors: [{ type: 'NOT_FOUND', message: 'Could not resolve' }] } }));
  expect(await refused.provider.verb('thread.list', { repository: { owner: 'o', name: 'r' }, change: 7 }, by())).toMatchObject({
    ok: false,
    failure: { kind: 'NotFound' },
  });
});

const threadOf = (id: string) => ({
  ...{ id, isResolved: false, isOutdated: false, path: 'a.ts', line: 3, diffSide: 'RIGHT' },
  comments: {
    nodes: [
      {
        ...{
          fullDatabaseId: '11',
          url: 'https://github.com/o/r/pull/7#discussion_r11',
          body: 'x',
          createdAt: '2026-01-01T00:00:00Z',
          updatedAt: '2026-01-01T00:00:00Z',
        },
        author: null,
      },
    ],
  },
});

test(`${verifies('PRV-17', 'PRV-17a')} a GraphQL mutation is a write: allowed by its verb, with a receipt, and denied when read-only`, async () => {
  const thread = { id: 'T1', root: '11', review: null, path: 'a.ts', side: 'new', line: 3 };
  const args = { repository: { owner: 'o', name: 'r' }, change: 7, thread };
  const { provider, sent, lines } = createWorld(() => ({ json: { data: { result: { thread: { id: 'T1', isResolved: true } } } } }));
  expect(await provider.verb('thread.resolve', args, { ...by(), readOnly: true })).toMatchObject({ ok: false, failure: { kind: 'Denied' } });
  expect(sent).toEqual([]);
  expect(await provider.verb('thread.resolve', args, by())).toEqual({ ok: true, value: { resolved: true } });
  expect(lines).toMatchObject([
    { kind: 'intent', operation: 'graphql/resolve-thread', capability: 'thread.resolve' },
    { kind: 'outcome', result: 'succeeded' },
  ]);
});

test(`${verifies('PRV-4')} a project's path is one segment where the forge wants it so, and never empty`, async () => {
  const descriptor = loadDescriptor('gitlab');
  const { provider, sent } = createWorld(() => ({ json: {} }), { descriptor, baseUrl: 'https://gitlab.example/', credentials: { env: () => CANARY } });
  await provider.call('GET /api/v4/projects/{id}/merge_requests/{merge_request_iid}', { id: 'group/sub/project', merge_request_iid: 3 }, by());
  expect(sent[0]?.url).toBe('https://gitlab.example/api/v4/projects/group%2Fsub%2Fproject/merge_requests/3');
  expect(sent[0]?.headers['private-token']).toBe(CANARY);
  expect(() => provider.dryRun('DELETE /api/v4/projects/{id}', { id: '' })).toThrow(/must not be empty/);
});
