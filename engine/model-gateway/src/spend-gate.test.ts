/** The cap of REV-31 before the calls of reviews and conversations. */
import { AppError } from '@weir/kernel';
import { verifies } from '@weir/requirements';
import { expect, test } from 'vitest';
import { createModelGateway } from './create-model-gateway.ts';
import { readCapState } from './spend-gate.ts';
import { never, scriptedHttp, testWorld, VIRTUAL_KEY, type WorldChanges } from './test-world.fixture.ts';

const HOUR = 3_600_000;
const LIMITS = { millicents: 500_000, calls: null, windowMs: HOUR };
const FULL = { calls: 7, unpricedCalls: 1, millicents: 500_001 };
const WHOLE = {
  parts: ['{"choices":[{"message":{"content":"x"},"finish_reason":"stop"}],"usage":{"prompt_tokens":7,"completion_tokens":2,"total_tokens":9}}'],
};
const QUESTION = { system: 's', user: 'u', maxOutputTokens: 5 };
const RULES = { model: 'm', jsonMode: false, temperature: null, timeoutMs: 60_000 };

function ask(capability: string, changes: Partial<WorldChanges>) {
  const http = scriptedHttp(WHOLE);
  const world = testWorld({ http, ...changes });
  const port = createModelGateway(world).modelPort({ ...RULES, purpose: { capability } });
  const answer = port.complete(QUESTION, never).catch((error: unknown) => error);
  return { answer, world, http };
}

test.each(['review', 'conversation'])(
  `${verifies('REV-31')} a reached cap refuses a call of a %s before anything is sent, reserved or opened; the limit is told to the operator alone`,
  async capability => {
    const { answer, world, http } = ask(capability, { spendLimits: LIMITS, spent: FULL });
    const refusal = await answer;
    expect(refusal).toBeInstanceOf(AppError);
    expect(refusal).toMatchObject({ code: 'CAP_REACHED' });
    expect((refusal as AppError).message).toBe(
      '$5.00001 spent in the last 60 minutes; no more calls are paid for now. No capacity before 1970-01-01T01:16:39.000Z, and later if calls are still under way.',
    );
    expect([http.sent, world.opened, world.charged, world.reserved]).toEqual([[], [], [], []]);
    expect(world.events).toContainEqual(
      expect.objectContaining({ event: 'attention', code: 'CAP_REACHED', callRef: 'call-1', sentence: expect.stringContaining('The limit is $5.00.') }),
    );
    expect(world.events.at(-1)).toMatchObject({ event: 'call', outcome: 'failed', code: 'cap_reached' });
  },
);

test(`${verifies('REV-31')} a cap on calls refuses too, and one that is not reached lets the last call begin`, async () => {
  const refusal = await ask('review', { spendLimits: { ...LIMITS, calls: 7 }, spent: { ...FULL, millicents: 0 } }).answer;
  expect(refusal).toMatchObject({ code: 'CAP_REACHED', message: expect.stringContaining('7 model calls made') });
  const { answer, world } = ask('review', { spendLimits: LIMITS, spent: { ...FULL, millicents: 499_999 } });
  expect(await answer).toMatchObject({ text: 'x' });
  expect(world.charged).toHaveLength(1);
});

test(`${verifies('REV-31')} the cap holds for reviews and conversations alone: a client has the budget of its key`, async () => {
  expect(await ask('check', { spendLimits: LIMITS, spent: FULL }).answer).toMatchObject({ text: 'x' });
  const world = testWorld({ http: scriptedHttp(WHOLE), spendLimits: LIMITS, spent: FULL });
  const body = new TextEncoder().encode('{"model":"m","messages":[]}');
  const principal = { kind: 'key', key: VIRTUAL_KEY } as const;
  expect(await createModelGateway(world).call({ protocol: 'chat', body, headers: {}, principal, signal: never })).toMatchObject({ status: 200 });
});

test(`${verifies('REV-31')} an unreadable ledger allows the call, and the operator is told that the cap is not enforced`, async () => {
  let reads = 0;
  const { answer, world } = ask('review', {
    spendLimits: LIMITS,
    spent: FULL,
    // The routes are read first; the ledger fails from then on.
    databaseDown: () => (reads += 1) > 1,
  });
  expect(await answer).toMatchObject({ text: 'x' });
  expect(world.events).toContainEqual(expect.objectContaining({ code: 'CAP_UNENFORCEABLE', sentence: expect.stringContaining('cap on spending') }));
});

test(`${verifies('REV-31')} without a limit the ledger is not read`, async () => {
  const ledger = { sum: () => Promise.reject(new Error('not to be asked')), filledAt: () => Promise.reject(new Error('not to be asked')) };
  expect(await readCapState({ ledger, limits: { ...LIMITS, millicents: null }, now: () => 0 })).toEqual({
    decision: { allowed: true },
    spend: null,
    capacity: null,
  });
  await expect(readCapState({ ledger, limits: LIMITS, now: () => 0 })).rejects.toThrow('not to be asked');
});

test(`${verifies('REV-31')} the window rolls: it is asked from so long ago as it is wide`, async () => {
  const asked: unknown[] = [];
  const ledger = {
    sum: async (filter: object) => {
      asked.push(filter);
      return FULL;
    },
    filledAt: async () => null,
  };
  const state = await readCapState({ ledger, limits: LIMITS, now: () => 10 * HOUR });
  expect(asked).toEqual([{ since: 9 * HOUR }]);
  expect(state).toMatchObject({ decision: { allowed: false, measurement: '$5.00001 spent in the last 60 minutes' }, capacity: null });
});
