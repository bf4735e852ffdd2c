/** What is reserved for an answer, and what a key can spend beyond its budget because of it. */
import type { VirtualKey } from '@weir/contract';
import { budgetRefusal } from '@weir/model-routes';
import { verifies } from '@weir/requirements';
import { expect, test } from 'vitest';
import { createModelGateway } from './create-model-gateway.ts';
import { outputBound } from './output-bound.ts';
import { MODEL, never, PROVIDER, scriptedHttp, testWorld, VIRTUAL_KEY } from './test-world.fixture.ts';

const extra = (fields: Readonly<Record<string, number>>) => ({ profile: { ...PROVIDER.profile, extra: fields } });

test.each([
  [{ max_tokens: 64_000 }, {}, 64_000],
  [{ max_completion_tokens: 7, max_tokens: 9 }, {}, 7],
  [{ max_output_tokens: 5 }, { max_output_tokens: 90 }, 5],
  [{}, { max_output_tokens: 32_000 }, 32_000],
  [{ max_tokens: 10, n: 5 }, {}, 50],
  [{ max_tokens: 10, n: 1_000_000 }, {}, 1_280],
  [{ max_tokens: -1, n: 0 }, {}, 4_000],
  [{ max_tokens: 'many', n: 'x' }, {}, 4_000],
  [{}, {}, 4_000],
])(`${verifies('MOD-17')} the body %j on a route that declares %j may be answered with %i tokens`, (body, declared, tokens) => {
  expect(outputBound({ body }, extra(declared))).toBe(tokens);
});

/** 20 calls at once, each of which is answered with all that it may have: what one key has spent in the end, of a budget of $0.01. */
async function spentBy(
  request: object,
  declared: Readonly<Record<string, number>>,
  outputTokens: number,
): Promise<{ spent: number; dearest: number; answered: number }> {
  const answer = JSON.stringify({
    choices: [{ message: { content: 'x' } }],
    usage: { prompt_tokens: 10, completion_tokens: outputTokens, total_tokens: outputTokens + 10 },
  });
  let key: VirtualKey = { ...VIRTUAL_KEY, budgetMillicents: 1_000 };
  const world = testWorld({
    http: scriptedHttp({ parts: [answer] }),
    providers: [{ ...PROVIDER, ...extra(declared) }],
    models: [MODEL],
    reserve: async () => {
      const reason = budgetRefusal(key);
      if (reason !== undefined) return { granted: false, reason };
      key = { ...key, reservedMillicents: key.reservedMillicents + (world.reserved.at(-1)?.millicents ?? 0) };
      return { granted: true };
    },
  });
  const body = new TextEncoder().encode(JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hi' }], ...request }));
  const gateway = createModelGateway(world);
  const calls = Array.from({ length: 20 }, () => gateway.call({ protocol: 'chat', body, headers: {}, principal: { kind: 'key', key }, signal: never }));
  const answered = (await Promise.all(calls)).filter(({ status }) => status === 200).length;
  const costs = world.settled.map(({ millicents }) => millicents ?? 0);
  return { spent: costs.reduce((sum, cost) => sum + cost, 0), dearest: Math.max(...costs), answered };
}

test.each([
  ['the request bounds', { max_tokens: 2_000 }, {}, 2_000],
  ['the route declares', {}, { max_tokens: 2_000 }, 2_000],
  ['the number of choices multiplies', { max_tokens: 500, n: 4 }, {}, 2_000],
])(`${verifies('MOD-17')} calls at once whose answers %s go over the budget by one call at most`, async (_how, request, declared, tokens) => {
  const { spent, dearest, answered } = await spentBy(request, declared, tokens);
  expect(answered).toBeGreaterThan(1);
  expect(spent).toBeGreaterThanOrEqual(1_000);
  expect(spent).toBeLessThan(1_000 + dearest);
});
