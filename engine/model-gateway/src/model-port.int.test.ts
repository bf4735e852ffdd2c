// Weir's own questions against the scripted model, through the real HTTP adapter: every fault that the model can play.
import { createHttp } from '@weir/http';
import { AppError } from '@weir/kernel';
import type { HttpPort } from '@weir/ports';
import { verifies } from '@weir/requirements';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ScriptedModel, startScriptedModel } from '@weir/scripted-model';
import { createModelGateway } from './create-model-gateway.ts';
import { MODEL, PROVIDER, testWorld } from './test-world.fixture.ts';

const KEY = 'sk-test-0123456789';
const SYSTEM = 'Answer as JSON.';
const USER = [1, 2, 3].map(n => `=== src/a${n}.ts\n. ${n} +code(${n}); // weir-plant: major correctness Planted ${n}, with ünïcode 🎉`).join('\n');
const request = { system: SYSTEM, user: USER, maxOutputTokens: 4_000 };
const never = new AbortController().signal;

let server: ScriptedModel;
beforeAll(async () => void (server = await startScriptedModel({ key: KEY, slowMs: 60_000 })));
afterAll(() => server.close());

interface Options {
  readonly http: HttpPort;
  readonly baseUrl: string;
  readonly key: string | null;
  readonly outputTokenParameter: 'max_tokens' | 'max_completion_tokens';
  readonly streamUsage: boolean;
  readonly jsonMode: boolean;
  readonly temperature: number | null;
  readonly timeoutMs: number;
  readonly longestAnswerMs: number;
}

const usual = (): Options => ({
  ...{ http: createHttp({ allowOrigins: [server.origin] }), baseUrl: server.baseUrl, key: KEY, outputTokenParameter: 'max_tokens', streamUsage: true },
  ...{ jsonMode: true, temperature: null, timeoutMs: 20_000, longestAnswerMs: 600_000 },
});

function chat(model: string, more: Partial<Options> = {}) {
  const { http, baseUrl, key, outputTokenParameter, streamUsage, ...rules } = { ...usual(), ...more };
  const provider = {
    ...{ ...PROVIDER, baseUrl, auth: key === null ? { scheme: 'none' as const } : { scheme: 'bearer' as const } },
    ...{ facts: { stream_usage: streamUsage }, profile: { ...PROVIDER.profile, outputTokens: outputTokenParameter } },
  };
  const models = [{ ...MODEL, name: model, upstreamModel: model }];
  const world = testWorld({ http, providers: [provider], models, credentials: { a: key ?? '' }, realTime: true });
  return createModelGateway(world).modelPort({ model, ...rules, purpose: { capability: 'review' } });
}

async function failureOf(model: string, more: Partial<Options> = {}): Promise<AppError> {
  const error = await chat(model, more)
    .complete(request, never)
    .then(
      () => undefined,
      (reason: unknown) => reason,
    );
  expect(error).toBeInstanceOf(AppError);
  expect(JSON.stringify([(error as AppError).message, (error as AppError).next])).not.toContain(KEY);
  return error as AppError;
}

const allConnectionsClosed = () => expect.poll(() => server.connections(), { timeout: 20_000, interval: 5 }).toBe(0);
const inputTokens = Math.ceil((SYSTEM.length + 1 + USER.length) / 4);
const titles = (text: string) => (JSON.parse(text) as { findings: { path: string }[] }).findings.map(finding => finding.path);
const honest = () => chat('scripted').complete(request, never);

test('an honest answer arrives whole, with its counts', async () => {
  const answer = await honest();
  expect(titles(answer.text)).toEqual(['src/a1.ts', 'src/a2.ts', 'src/a3.ts']);
  expect(answer).toMatchObject({ finish: 'stop', model: 'scripted', inputTokens, outputTokens: Math.ceil(answer.text.length / 4) });
  await allConnectionsClosed();
});

test.each<Partial<Options>>([{ outputTokenParameter: 'max_completion_tokens' }, { jsonMode: false }, { temperature: 0.2 }, { streamUsage: false }])(
  'the request with %j passes the strict schema',
  async more => {
    const answer = await chat('scripted', more).complete(request, never);
    expect(titles(answer.text)).toHaveLength(3);
    expect(server.requests.at(-1)).toMatchObject({ status: 200, problem: null });
  },
);

test(`${verifies('PRO-2')} missing counts are unknown, not zero`, async () => {
  expect(await chat('scripted-no-usage').complete(request, never)).toMatchObject({ finish: 'stop', inputTokens: 'unknown', outputTokens: 'unknown' });
  expect(await chat('scripted', { streamUsage: false }).complete(request, never)).toMatchObject({ inputTokens: 'unknown', outputTokens: 'unknown' });
});

test.each(['scripted-no-stream', 'scripted-parts'])('%s gives the same answer as a plain stream', async model => {
  expect(await chat(model).complete(request, never)).toEqual({ ...(await honest()), model });
});

test.each([
  ['scripted-garbage', 'stop', /seems fine overall/],
  ['scripted-fenced', 'stop', /^Here is my review:[\s\S]*```\nDone\.$/],
  ['scripted-empty', 'stop', /^$/],
  ['scripted-null', 'stop', /^$/],
  ['scripted-filter', 'refused', /^$/],
  ['scripted-refusal', 'refused', /^I cannot review this change\.$/],
  ['scripted-odd-finish', 'other', /"src\/a3\.ts"/],
])(`${verifies('REV-16a')} %s finishes as %s`, async (model, finish, text) => {
  const answer = await chat(model).complete(request, never);
  expect(answer.finish).toBe(finish);
  expect(answer.text).toMatch(text);
});

test(`${verifies('REV-16a')} an answer cut at the cap is length, by the model's word and by our cap`, async () => {
  expect(await chat('scripted-cut').complete(request, never)).toMatchObject({ finish: 'length', text: expect.stringContaining('src/a2.ts') });
  expect(await chat('scripted').complete({ ...request, maxOutputTokens: 10 }, never)).toMatchObject({ finish: 'length', outputTokens: 10 });
});

test.each(['scripted-reset', 'scripted-end', 'scripted-error-mid', 'scripted-no-finish'])(
  `${verifies('REV-16a', 'PRO-2')} %s: what arrived is kept, and never counts as complete`,
  async model => {
    const whole = (await honest()).text;
    const answer = await chat(model).complete(request, never);
    expect(answer.finish).toBe('other');
    expect(answer.text.length).toBeGreaterThan(whole.length / 3);
    expect(whole.startsWith(answer.text)).toBe(true);
    await allConnectionsClosed();
  },
);

test(`${verifies('REV-16a')} an answer that falls silent is kept as far as it came`, async () => {
  const answer = await chat('scripted-stall', { timeoutMs: 300 }).complete(request, never);
  expect(answer.finish).toBe('other');
  expect(answer.text).toContain('src/a1.ts');
  await allConnectionsClosed();
});

test.each([
  ['scripted-html', 'MODEL_GARBLED', 'a web page instead of JSON', 'model.baseUrl'],
  ['scripted-error-200', 'MODEL_UNREACHABLE', 'The engine is overloaded', 'model.baseUrl'],
  ['scripted-400', 'MODEL_REJECTED', "Unsupported parameter: 'response_format'", 'Set `model.jsonMode` to false.'],
  ['scripted-403', 'MODEL_REJECTED', 'may not use this model', 'Check `model.key`'],
  ['scripted-429', 'MODEL_RATE_LIMITED', '(wait 7 s): Rate limit reached', 'Wait for the time'],
  ['scripted-500', 'MODEL_UNREACHABLE', 'The server had an error', 'model.baseUrl'],
  ['scripted-redirect', 'MODEL_GARBLED', 'at another address', 'Set `model.baseUrl`'],
  ['no-such-model', 'MODEL_REJECTED', "The model 'no-such-model' does not exist", 'Check `model.name`'],
])('%s is %s and says what to do', async (model, code, message, next) => {
  const failure = await failureOf(model);
  expect(failure.code).toBe(code);
  expect(failure.message).toContain(message);
  expect(failure.next).toContain(next);
  await allConnectionsClosed();
});

test('a limited endpoint says when to come back', async () => {
  expect((await failureOf('scripted-429')).retryAfterSeconds).toBe(7);
});

test('a wrong key is rejected, and stands nowhere in the error', async () => {
  expect(await failureOf('scripted', { key: 'sk-wrong-987654321' })).toMatchObject({ code: 'MODEL_REJECTED', next: 'Check `model.key`.' });
  expect(await failureOf('scripted', { key: null })).toMatchObject({ code: 'MODEL_REJECTED' });
});

test(`${verifies('REV-20')} a model that does not begin in time is a timeout, asked once`, async () => {
  const before = server.requests.length;
  const failure = await failureOf('scripted-slow', { timeoutMs: 200 });
  expect(failure).toMatchObject({ code: 'MODEL_TIMEOUT', retry: 'later' });
  expect(failure.message).toContain('did not answer within 0.2 s');
  expect(server.requests.length - before).toBe(1);
  await allConnectionsClosed();
});

test('an answer has a longest time in all', async () => {
  expect(await failureOf('scripted-slow', { longestAnswerMs: 200 })).toMatchObject({
    code: 'MODEL_TIMEOUT',
    message: expect.stringContaining('did not end its answer'),
  });
  expect(await chat('scripted-stall', { longestAnswerMs: 1_000 }).complete(request, never)).toMatchObject({ finish: 'other' });
});

test.each(['scripted-slow', 'scripted-stall'])('abort ends %s upstream and rejects with the reason', async model => {
  const stop = new AbortController();
  const reason = new Error('stopped');
  const before = server.requests.length;
  const asked = chat(model).complete(request, stop.signal);
  await expect.poll(() => server.requests.length, { timeout: 20_000, interval: 5 }).toBe(before + 1);
  stop.abort(reason);
  await expect(asked).rejects.toBe(reason);
  await allConnectionsClosed();
});

test(`${verifies('REV-40')} an address that is not allowed is refused, with the row that would allow it`, async () => {
  const failure = await failureOf('scripted', { http: createHttp({ allowOrigins: [] }) });
  expect(failure).toMatchObject({ code: 'URL_REFUSED', message: expect.stringContaining(`add "${server.origin}" to \`network.allowOrigins\``) });
});

test('nobody at the address is unreachable', async () => {
  const gone = await startScriptedModel();
  await gone.close();
  const failure = await failureOf('scripted', { http: createHttp({ allowOrigins: [gone.origin] }), baseUrl: gone.baseUrl });
  expect(failure).toMatchObject({ code: 'MODEL_UNREACHABLE', message: expect.stringContaining('refuses the connection') });
});
