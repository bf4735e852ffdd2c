/** Each fault on demand, seen from a client; and pages as each vendor cuts them. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { REPOSITORY, type SeededForge, seedForge } from '../testing/seeded-forge.ts';

const ROOT = `/repos/${REPOSITORY}`;
let seeded: SeededForge;
beforeEach(async () => {
  seeded = await seedForge({ kind: 'github' });
});
afterEach(() => seeded.forge.close());

test('limits: a spent budget, and a secondary limit as 403, 429 or 422, with and without Retry-After', async () => {
  const { ask, forge } = seeded;
  forge.faults.add({ fault: { kind: 'rate-limit', status: 403, resetAfterSeconds: 60 } });
  const spent = await ask('GET', ROOT);
  expect(spent).toMatchObject({ status: 403 });
  expect(spent.headers.get('x-ratelimit-remaining')).toBe('0');
  for (const status of [403, 422, 429] as const) {
    forge.faults.add({ fault: { kind: 'secondary-limit', status } });
    const limited = await ask('POST', `${ROOT}/issues/1/comments`, { body: { body: 'x' } });
    expect(limited.status).toBe(status);
    expect(limited.headers.get('retry-after')).toBeNull();
    expect(limited.headers.get('x-ratelimit-remaining')).not.toBe('0');
  }
  forge.faults.add({ fault: { kind: 'secondary-limit', retryAfterSeconds: 7 } });
  expect((await ask('GET', ROOT)).headers.get('retry-after')).toBe('7');
  expect((await ask('GET', `${ROOT}/issues/1/comments`)).body).toEqual([]);
});

test('bodies: garbage, HTML, a cut JSON, a cut connection, a slow drip, ten megabytes of error', async () => {
  const { ask, forge } = seeded;
  forge.faults.add({ fault: { kind: 'html-error', status: 502 } });
  expect(await ask('GET', ROOT)).toMatchObject({ status: 502, text: expect.stringContaining('<!DOCTYPE html>') as string });
  forge.faults.add({ fault: { kind: 'truncated-json' } });
  await expect(ask('GET', ROOT)).rejects.toThrow(SyntaxError);
  forge.faults.add({ fault: { kind: 'garbage' } });
  await expect(ask('GET', ROOT)).rejects.toThrow(SyntaxError);
  forge.faults.add({ fault: { kind: 'cut-body' } });
  await expect(ask('GET', ROOT)).rejects.toThrow();
  forge.faults.add({ fault: { kind: 'slow-drip', chunkBytes: 2000, everyMs: 1 } });
  expect((await ask('GET', ROOT)).body).toMatchObject({ full_name: REPOSITORY });
  forge.faults.add({ fault: { kind: 'oversized-error', bytes: 10_000_000 } });
  expect((await ask('GET', ROOT)).text.length).toBeGreaterThan(10_000_000);
});

test('connections: a reset before the effect leaves nothing, one after it leaves the comment', async () => {
  const { ask, forge } = seeded;
  const comments = `${ROOT}/issues/1/comments`;
  forge.faults.add({ method: 'POST', path: '/comments', fault: { kind: 'reset-before' } });
  await expect(ask('POST', comments, { body: { body: 'lost' } })).rejects.toThrow();
  expect((await ask('GET', comments)).body).toEqual([]);
  forge.faults.add({ method: 'POST', path: /comments$/, fault: { kind: 'reset-after' } });
  await expect(ask('POST', comments, { body: { body: 'kept' } })).rejects.toThrow();
  expect((await ask('GET', comments)).body).toMatchObject([{ body: 'kept' }]);
  expect(forge.requests.map(one => one.status)).toEqual([null, 200, null, 200]);
});

test('meanwhile: what happens while a client waits is in the answer', async () => {
  const { ask, forge } = seeded;
  const comments = `${ROOT}/issues/1/comments`;
  forge.faults.add({
    method: 'GET',
    path: comments,
    fault: { kind: 'meanwhile', happens: async () => void (await ask('POST', comments, { body: { body: 'first' } })) },
  });
  expect((await ask('GET', comments)).body).toMatchObject([{ body: 'first' }]);
});

test('redirect loops, too large diffs, a rule that lets requests pass first', async () => {
  const { ask, forge } = seeded;
  forge.faults.add({ fault: { kind: 'redirect-loop' }, times: 2 });
  const looped = await ask('GET', ROOT);
  expect(looped.headers.get('location')).toBe(`${forge.apiUrl}${ROOT}`);
  expect((await ask('GET', ROOT)).status).toBe(302);
  forge.faults.add({ fault: { kind: 'too-large' }, after: 1 });
  expect((await ask('GET', ROOT)).status).toBe(200);
  expect((await ask('GET', ROOT)).body).toMatchObject({ errors: [{ code: 'too_large' }] });
});

test('pages: at most 100, Link to the end, and endless, malformed or missing on demand', async () => {
  const { ask, forge } = seeded;
  for (let at = 0; at < 120; at += 1) forge.seed.label(REPOSITORY, `label-${at}`);
  const first = await ask('GET', `${ROOT}/labels?per_page=1000`);
  expect(first.body).toHaveLength(100);
  expect(first.headers.get('link')).toBe(
    `<${forge.apiUrl}${ROOT}/labels?per_page=1000&page=2>; rel="next", <${forge.apiUrl}${ROOT}/labels?per_page=1000&page=2>; rel="last"`,
  );
  expect((await ask('GET', `${ROOT}/labels`)).body).toHaveLength(30);
  const last = await ask('GET', `${ROOT}/labels?per_page=100&page=2`);
  expect(last.body).toHaveLength(20);
  expect(last.headers.get('link')).not.toContain('rel="next"');
  forge.faults.add({ fault: { kind: 'endless-pages' } });
  expect((await ask('GET', `${ROOT}/labels?page=900`)).headers.get('link')).toContain('page=901>; rel="next"');
  forge.faults.add({ fault: { kind: 'malformed-link' } });
  expect((await ask('GET', `${ROOT}/labels`)).headers.get('link')).not.toContain('rel="next"');
  forge.faults.add({ fault: { kind: 'no-next-page' } });
  expect((await ask('GET', `${ROOT}/labels`)).headers.get('link')).not.toContain('rel="next"');
});
