/** The simulated GitHub's answers, held against the response schemas of the published description. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { checkSchema } from '../description/check-schema.ts';
import { specsFolder } from '../description/load-description.ts';
import type { Schema } from '../description/operation-rule.ts';
import { isRecord } from '../http/fields.ts';
import { type Ask, REPOSITORY, seedForge } from '../testing/seeded-forge.ts';

const file = path.join(specsFolder(), 'github/api.github.com.json');
if (!existsSync(file)) console.warn('SKIPPED: no response schemas to hold answers against; WEIR_SHARED names no specs');

const at = (node: unknown, keys: readonly string[]): unknown => keys.reduce<unknown>((one, key) => (isRecord(one) ? one[key] : undefined), node);

function readSchemas() {
  const document = JSON.parse(readFileSync(file, 'utf8')) as Schema;
  const resolve = (reference: string): Schema => at(document, reference.split('/').slice(1)) as Schema;
  const operations = new Map(
    Object.values(document['paths'] as object).flatMap(item => Object.values(item as object).map(one => [String(at(one, ['operationId'])), one] as const)),
  );
  const schema = (operation: string, status: number): Schema | undefined => {
    const answer = at(operations.get(operation), ['responses', String(status)]) as Schema | undefined;
    const whole = typeof answer?.['$ref'] === 'string' ? resolve(answer['$ref']) : answer;
    return at(whole, ['content', 'application/json', 'schema']) as Schema | undefined;
  };
  return { resolve, schema };
}

test.skipIf(!existsSync(file))('every answer has each field that the description requires, with its type', async () => {
  const { forge, ask, number } = await seedForge({ kind: 'github' });
  const { resolve, schema } = readSchemas();
  const root = `/repos/${REPOSITORY}`;
  const sha = forge.seed.changeOf(REPOSITORY, number).headSha;
  // The description is wrong about null in places, and leaves fields out that the vendor sends: neither counts.
  const problems: string[] = [];
  const look = async (method: string, url: string, more: Ask = {}): Promise<void> => {
    const answer = await ask(method, url, more);
    const operation = forge.requests.at(-1)?.operation ?? '';
    const wanted = schema(operation, answer.status);
    if (wanted === undefined) problems.push(`${operation} ${answer.status}: no schema`);
    else
      for (const one of checkSchema(wanted, answer.body, { resolve, textual: false, textLists: false }))
        if (one.kind !== 'unknown-field' && one.detail !== 'is null') problems.push(`${operation} ${one.place} ${one.detail}`);
  };
  const reads = [
    '',
    '/pulls',
    '/pulls/1',
    '/pulls/1/files',
    '/pulls/1/commits',
    '/pulls/1/reviews',
    '/pulls/1/comments',
    '/compare/main...feature',
    `/commits/${sha}`,
    '/commits',
    '/contents/src/app.ts',
    '/git/trees/main?recursive=1',
    `/git/commits/${sha}`,
    '/git/ref/heads/main',
    '/branches',
    '/branches/main',
    '/issues',
    '/issues/1',
    '/issues/1/comments',
    '/issues/1/events',
    '/issues/1/timeline',
    '/labels',
    '/milestones',
    `/commits/${sha}/status`,
    `/commits/${sha}/statuses`,
    `/commits/${sha}/check-runs`,
    '/collaborators/alice/permission',
  ];
  await look('POST', `${root}/pulls/1/reviews`, { body: { event: 'COMMENT', body: 'b', comments: [{ path: 'src/app.ts', line: 12, body: 'x' }] } });
  await look('POST', `${root}/issues/1/comments`, { body: { body: 'hello' } });
  await look('POST', `${root}/issues`, { body: { title: 't', labels: ['weir'] } });
  await look('POST', `${root}/issues/1/labels`, { body: { labels: ['weir'] } });
  await look('POST', `${root}/milestones`, { body: { title: 'm' } });
  await look('POST', `${root}/statuses/${sha}`, { body: { state: 'success' } });
  await look('POST', `${root}/issues/1/reactions`, { body: { content: 'eyes' } });
  await look('POST', `${root}/hooks`, { as: 'octo', body: { config: { url: 'http://127.0.0.1:9/none' } } });
  for (const read of reads) await look('GET', `${root}${read}`);
  await look('GET', '/user');
  await look('PUT', `${root}/pulls/1/merge`, { body: {} });
  expect(problems).toEqual([]);
  expect(forge.violations).toEqual([]);
  await forge.close();
});
