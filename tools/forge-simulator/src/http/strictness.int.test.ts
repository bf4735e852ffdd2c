/** What the server holds against a request: the published description where it is at hand, this package's facts where not. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { specsFolder } from '../description/load-description.ts';
import { REPOSITORY, type SeededForge, seedForge } from '../testing/seeded-forge.ts';

const published = existsSync(path.join(specsFolder(), 'github/api.github.com.json'));
if (!published) console.warn('SKIPPED: requests are held against the facts alone; WEIR_SHARED names no specs');
let seeded: SeededForge | undefined;
afterEach(() => seeded?.forge.close());

describe.each([...(published ? (['published'] as const) : []), 'facts' as const])('against the %s', origin => {
  test('GitHub: each breach is one violation, and none passes unseen', async () => {
    seeded = await seedForge({ kind: 'github', ...(origin === 'facts' && { spec: false }) });
    const { ask, forge, number } = seeded;
    const root = `/repos/${REPOSITORY}`;
    const kinds = async (method: string, url: string, body?: unknown, headers: Record<string, string> = {}) => {
      const before = forge.violations.length;
      const answer = await ask(method, url, { ...(body !== undefined && { body }), headers });
      return [answer.status, ...forge.violations.slice(before).map(one => `${one.kind} ${one.place}`)];
    };
    expect(await kinds('GET', `${root}/pulls/${number}`)).toEqual([200]);
    expect(await kinds('GET', `${root}/pull/${number}`)).toEqual([404, `unknown-operation GET ${root}/pull/${number}`]);
    expect(await kinds('GET', `${root}/pulls?state=opened`)).toEqual([200, 'bad-query state']);
    expect(await kinds('GET', `${root}/pulls?colour=red`)).toEqual([200, 'unknown-query colour']);
    expect(await kinds('GET', `${root}/pulls?per_page=many`)).toEqual([200, ...(origin === 'published' ? ['bad-query per_page'] : ['bad-query per_page'])]);
    expect(await kinds('POST', `${root}/issues/${number}/comments`, {})).toEqual([422, 'missing-field body']);
    expect(await kinds('POST', `${root}/issues/${number}/comments`, { body: 3 })).toEqual([422, 'bad-field body']);
    expect(await kinds('POST', `${root}/issues/${number}/comments`, { body: 'x', colour: 'red' })).toEqual([201, 'unknown-field colour']);
    expect(await kinds('POST', `${root}/issues/${number}/comments`, { body: 'x' }, { 'content-type': 'text/plain' })).toEqual([201, 'content-type text/plain']);
    expect(await kinds('GET', root, undefined, { 'x-github-api-version': '1999-01-01' })).toEqual([400]);
    expect(await kinds('DELETE', `${root}/pulls/${number}`)).toEqual([404, `unknown-operation DELETE ${root}/pulls/${number}`]);
    expect(forge.checkedAgainst()).toBe(origin);
  });

  test.skipIf(origin === 'facts')('a nested field of a review comment is checked, too', async () => {
    seeded = await seedForge({ kind: 'github' });
    const { ask, forge, number } = seeded;
    await ask('POST', `/repos/${REPOSITORY}/pulls/${number}/reviews`, { body: { event: 'LGTM', comments: [{ path: 'src/app.ts', line: '12', body: 'x' }] } });
    expect(forge.violations.map(one => `${one.kind} ${one.place}`)).toEqual(['bad-field event', 'bad-field comments[0].line']);
  });

  test.each(['gitlab', 'gitea', 'forgejo', 'bitbucket-cloud'] as const)('%s: an unknown path, and an operation that is only described', async kind => {
    seeded = await seedForge({ kind, ...(origin === 'facts' && { spec: false }) });
    const { ask, forge } = seeded;
    expect((await ask('GET', '/nothing/here')).status).toBe(404);
    expect(forge.violations).toMatchObject([{ kind: 'unknown-operation' }]);
    expect(forge.checkedAgainst()).toBe(origin);
  });
});

test.skipIf(!published)('an operation of the description without a simulation is answered 501 and told', async () => {
  seeded = await seedForge({ kind: 'github' });
  expect((await seeded.ask('GET', '/emojis')).status).toBe(501);
  expect(seeded.forge.violations).toMatchObject([{ kind: 'not-simulated' }]);
});

test('a token in the URL works where the vendor takes it, and is a violation', async () => {
  seeded = await seedForge({ kind: 'gitlab' });
  expect((await seeded.ask('GET', `/user?private_token=${seeded.forge.token('alice')}`, { as: '' })).status).toBe(200);
  expect(seeded.forge.violations.map(one => one.kind)).toContain('credential');
});
