import OpenAI from 'openai';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ScriptedModel, startScriptedModel } from './start-scripted-model.ts';

const PROMPT = '=== src/a.ts\n. 3 +x // weir-plant: major correctness Off by one\n=== src/b.ts (added)\n. 7 +y // weir-plant: note - Odd name';
const KEY = 'test-key';
let model: ScriptedModel;
beforeAll(async () => void (model = await startScriptedModel({ key: KEY })));
afterAll(() => model.close());

/** The vendor's own client is the witness that this is the protocol. */
const client = (apiKey = KEY) => new OpenAI({ apiKey, baseURL: model.baseUrl, maxRetries: 0 });
const messages = [{ role: 'user' as const, content: PROMPT }];

async function post(body: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${model.baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${KEY}`, ...headers },
    body,
  });
  return { status: response.status, body: (await response.json()) as unknown };
}

test("the vendor's client reads a whole completion", async () => {
  const completion = await client().chat.completions.create({ model: 'scripted', messages });
  expect(completion.choices[0]?.finish_reason).toBe('stop');
  const { findings } = JSON.parse(completion.choices[0]?.message.content ?? '') as { findings: unknown[] };
  expect(findings).toMatchObject([
    {
      path: 'src/a.ts',
      line: 3,
      endLine: 3,
      severity: 'major',
      category: 'correctness',
      title: 'Off by one',
      quote: 'x // weir-plant: major correctness Off by one',
    },
    { path: 'src/b.ts', line: 7, category: null, evidence: [], suggestion: null },
  ]);
  expect(completion.usage?.prompt_tokens).toBe(Math.ceil(PROMPT.length / 4));
  expect(completion.usage?.total_tokens).toBe(Math.ceil(PROMPT.length / 4) + Math.ceil((completion.choices[0]?.message.content ?? '').length / 4));
});

test("the vendor's client reads a stream with the same text and counts", async () => {
  const whole = await client().chat.completions.create({ model: 'scripted', messages });
  const stream = client().chat.completions.stream({ model: 'scripted', messages, stream_options: { include_usage: true } });
  const streamed = await stream.finalChatCompletion();
  expect(streamed.choices[0]?.message.content).toBe(whole.choices[0]?.message.content);
  expect(streamed.choices[0]?.finish_reason).toBe('stop');
  expect(streamed.usage).toEqual(whole.usage);
});

test('two equal requests get equal answers', async () => {
  const body = JSON.stringify({ model: 'scripted', messages });
  const [one, two] = [await post(body), await post(body)];
  expect({ ...(one.body as object), id: '' }).toEqual({ ...(two.body as object), id: '' });
});

test('an answer over the cap is cut and says so', async () => {
  const completion = await client().chat.completions.create({ model: 'scripted', messages, max_completion_tokens: 10 });
  expect(completion.choices[0]?.finish_reason).toBe('length');
  expect(completion.choices[0]?.message.content).toHaveLength(40);
});

test("errors are those of the vendor's client", async () => {
  await expect(client('wrong').chat.completions.create({ model: 'scripted', messages })).rejects.toBeInstanceOf(OpenAI.AuthenticationError);
  await expect(client().chat.completions.create({ model: 'gpt', messages })).rejects.toBeInstanceOf(OpenAI.NotFoundError);
  await expect(client().chat.completions.create({ model: 'scripted-429', messages })).rejects.toBeInstanceOf(OpenAI.RateLimitError);
  await expect(client().chat.completions.create({ model: 'scripted-500', messages })).rejects.toBeInstanceOf(OpenAI.InternalServerError);
});

test('what is not the protocol is turned away, with a reason, and recorded', async () => {
  const good = JSON.stringify({ model: 'scripted', messages });
  const before = model.requests.length;
  expect(await post(good, { 'content-type': 'text/plain' })).toMatchObject({
    status: 400,
    body: { error: { message: expect.stringContaining('Content-Type') } },
  });
  expect(await post(good, { authorization: '' })).toMatchObject({ status: 401 });
  expect(await post('{')).toMatchObject({ status: 400, body: { error: { message: expect.stringContaining('parse') } } });
  expect(await post('{"model":"scripted"}')).toMatchObject({ status: 400, body: { error: { type: 'invalid_request_error' } } });
  expect((await fetch(`${model.baseUrl}/models`)).status).toBe(404);
  expect(model.requests.slice(before).map(seen => [seen.status, seen.problem !== null])).toEqual([
    [400, true],
    [401, true],
    [400, true],
    [400, true],
    [404, true],
  ]);
});

test('a file that the prompt lost loses its finding', async () => {
  const lost = PROMPT.split('\n').slice(0, 2).join('\n');
  const before = model.requests.length;
  await client().chat.completions.create({ model: 'scripted', messages: [{ role: 'user', content: lost }] });
  expect(model.requests[before]?.plants.map(plant => plant.path)).toEqual(['src/a.ts']);
});

test('closing ends a call that is still waiting', async () => {
  const own = await startScriptedModel();
  const asked = fetch(`${own.baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'scripted-slow', messages }),
  });
  await expect.poll(() => own.requests.length, { timeout: 20_000 }).toBe(1);
  await Promise.all([own.close(), expect(asked).rejects.toThrow()]);
});
