// The scripted upstream over real sockets: the scenario from its first turn to its end, its books, and each of its faults.
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ANSWER, ANSWER_SCHEMA, FAULT_NAMES, type ProtocolName, type Scenario, type ScriptedUpstream, startScriptedUpstream } from './index.ts';

const KEY = 'sk-test';
const SCENARIO: Scenario = { workspace: '/work', picture: 'PICTURE', probePicture: 'PROBE' };
const SCHEMA = { type: 'object', properties: { command: { type: 'string' } } };

let upstream: ScriptedUpstream;
beforeAll(async () => void (upstream = await startScriptedUpstream({ key: KEY })));
afterAll(() => upstream.close());

const BODIES: Readonly<Record<ProtocolName, { readonly path: string; readonly body: object }>> = {
  responses: { path: '/v1/responses', body: { input: [{ role: 'user', content: 'Do it' }], tools: [{ type: 'function', name: 'bash', parameters: SCHEMA }] } },
  chat: {
    path: '/v1/chat/completions',
    body: {
      messages: [{ role: 'user', content: 'Do it' }],
      stream_options: { include_usage: true },
      tools: [{ type: 'function', function: { name: 'bash', parameters: SCHEMA } }],
    },
  },
  messages: { path: '/v1/messages', body: { max_tokens: 9, messages: [{ role: 'user', content: 'Do it' }], tools: [{ name: 'bash', input_schema: SCHEMA }] } },
};
const NAMES = Object.keys(BODIES) as readonly ProtocolName[];

function post(protocol: ProtocolName, change: object = {}): Promise<Response> {
  const { path, body } = BODIES[protocol];
  return fetch(`${upstream.origin}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${KEY}`, 'anthropic-version': '2023-06-01' },
    body: JSON.stringify({ model: 'm', stream: true, ...body, ...change }),
  });
}

const dataOf = (text: string): readonly string[] => text.split('\n').flatMap(line => (line.startsWith('data: ') ? [line.slice(6)] : []));
const LAST: Readonly<Record<ProtocolName, RegExp>> = { responses: /"type":"response\.completed"/, chat: /^\[DONE\]$/, messages: /"type":"message_stop"/ };

test.each(NAMES)('%s: the first turn is a shell call, streamed in pieces that add up, with usage', async protocol => {
  const run = upstream.begin(SCENARIO);
  const data = dataOf(await (await post(protocol)).text());
  expect(data.at(-1)).toMatch(LAST[protocol]);
  const pieces = data
    .filter(line => line !== '[DONE]')
    .map(
      line =>
        JSON.parse(line) as {
          type?: string;
          delta?: string | { partial_json?: string };
          choices?: { delta: { tool_calls?: { function: { arguments: string } }[] } }[];
        },
    )
    .map(event => {
      if (event.type === 'response.function_call_arguments.delta') return event.delta as string;
      if (typeof event.delta === 'object') return event.delta.partial_json ?? '';
      return event.choices?.[0]?.delta.tool_calls?.[0]?.function.arguments ?? '';
    });
  expect(JSON.parse(pieces.join(''))).toEqual({ command: 'echo weir-alone-$((40+2))' });
  expect(run.requests).toMatchObject([{ protocol, asker: 'agent', step: 'shell', violations: [], served: { uncachedInput: 401, cacheRead: 503, output: 51 } }]);
});

test('a step counts when its result comes back, and fails when the result is not what the step makes', async () => {
  const run = upstream.begin(SCENARIO);
  expect(run.verdictOn('shell')).toEqual({ state: 'not taken' });
  await (await post('chat')).text();
  expect(run.verdictOn('shell')).toEqual({ state: 'failed', problem: 'no result came back' });
  const after = (content: string) => [
    { role: 'user', content: 'Do it' },
    { role: 'assistant', tool_calls: [{ id: 'call_shell_0_1', type: 'function', function: { name: 'bash', arguments: '{}' } }] },
    { role: 'tool', tool_call_id: 'call_shell_0_1', content },
  ];
  await (await post('chat', { messages: after('echo weir-alone-$((40+2))') })).text();
  expect(run.verdictOn('shell')).toMatchObject({ state: 'failed', problem: expect.stringContaining("lacks 'weir-alone-42'") });
  await (await post('chat', { messages: after('weir-alone-42\n') })).text();
  expect(run.verdictOn('shell')).toEqual({ state: 'passed' });
  expect(run.requests.map(request => request.step)).toEqual(['shell', 'parallel', 'parallel']);
  expect(run.finished()).toBe(false);
});

test('the books hold what was told, and call unknown what was not', async () => {
  const run = upstream.begin(SCENARIO, ['500', 'no-usage', 'cut']);
  expect((await post('chat')).status).toBe(500);
  await (await post('chat')).text();
  await expect((await post('chat')).text()).rejects.toThrow();
  await (await post('chat')).text();
  expect(run.served()).toEqual({ known: 1, unknown: 2, sum: { uncachedInput: 404, cacheRead: 512, cacheWrite: 0, output: 84, reasoning: 0 } });
});

const after = (...messages: readonly object[]) => ({ messages: [{ role: 'user', content: 'Do it' }, ...messages] });
const filled = [
  { role: 'assistant', tool_calls: [{ id: 'call_fill_0_9', type: 'function', function: { name: 'bash', arguments: '{}' } }] },
  { role: 'tool', tool_call_id: 'call_fill_0_9', content: 'weir-full-33' },
];

test('a context is full from the step that fills it until its summary comes back, and only then the step counts', async () => {
  const run = upstream.begin({ ...SCENARIO, steps: ['fill', 'schema'] });
  await (await post('chat')).text();
  await (await post('chat', after(...filled))).text();
  const asked = { role: 'user', content: 'Create a new anchored summary from the conversation history: weir-full-33' };
  const summary = await (await post('chat', { ...after(asked), tools: undefined, stream: false, stream_options: undefined })).json();
  expect(run.verdictOn('compact')).toEqual({ state: 'failed', problem: 'no result came back' });
  await (await post('chat', after((summary as { choices: { message: object }[] }).choices[0]?.message ?? {}))).text();
  expect(run.requests.map(({ asker, step, last }) => [asker, step, last])).toEqual([
    ['agent', 'fill', false],
    ['agent', null, true],
    ['summary', 'compact', false],
    ['agent', null, true],
  ]);
  expect(run.requests.map(({ served }) => (served as { uncachedInput: number }).uncachedInput)).toEqual([195_401, 195_402, 403, 404]);
  expect([run.verdictOn('fill'), run.verdictOn('compact')]).toEqual([{ state: 'passed' }, { state: 'passed' }]);
});

test('the answer comes in the form that the request asks for, and another form fails the step', async () => {
  const run = upstream.begin({ ...SCENARIO, steps: ['schema'] });
  const form = (schema: object) => ({
    response_format: { type: 'json_schema', json_schema: { name: 'answer', schema } },
    stream: false,
    stream_options: undefined,
  });
  const answer = (await (await post('chat', form(ANSWER_SCHEMA))).json()) as { choices: { message: { content: string } }[] };
  expect(JSON.parse(answer.choices[0]?.message.content ?? '')).toEqual(ANSWER);
  expect([run.verdictOn('schema'), run.finished()]).toEqual([{ state: 'passed' }, true]);
  const other = upstream.begin({ ...SCENARIO, steps: ['schema'] });
  await (await post('chat', form({ type: 'object' }))).text();
  expect(other.verdictOn('schema')).toMatchObject({ state: 'failed', problem: expect.stringContaining('the form of the answer is') });
});

test('a client whose only tool runs scripts gets each step as a script', async () => {
  upstream.begin(SCENARIO);
  const tools = [{ type: 'namespace', name: 'functions', description: '', tools: [{ type: 'custom', name: 'exec' }] }];
  const body = await (await post('responses', { tools, stream: false })).json();
  expect((body as { output: readonly object[] }).output.at(-1)).toMatchObject({
    type: 'custom_tool_call',
    namespace: 'functions',
    name: 'exec',
    input: 'text((await tools.exec_command({ cmd: "echo weir-alone-$((40+2))" })).output);',
  });
});

test('a client that goes away before the end makes the reply unknown', async () => {
  const run = upstream.begin(SCENARIO);
  const body = JSON.stringify({ model: 'm', stream: true, ...BODIES.chat.body });
  const { hostname, port } = new URL(upstream.origin);
  const socket = connect(Number(port), hostname);
  socket.write(
    `POST ${BODIES.chat.path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${KEY}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
  await once(socket, 'data');
  socket.resetAndDestroy();
  await expect.poll(() => run.served()).toMatchObject({ known: 0, unknown: 1 });
});

test.each(NAMES)('%s: a broken rule is refused in the words of the vendor, and recorded', async protocol => {
  const run = upstream.begin(SCENARIO);
  const reply = await post(protocol, { nonsense: true });
  expect(reply.status).toBe(400);
  expect(await reply.json()).toMatchObject({ error: { type: 'invalid_request_error', message: expect.stringContaining('nonsense') } });
  expect(run.violations()).toEqual([expect.stringContaining('nonsense')]);
  expect(run.served()).toMatchObject({ known: 0, unknown: 0 });
});

test('a wrong key is a violation too', async () => {
  const run = upstream.begin(SCENARIO);
  await fetch(`${upstream.origin}/v1/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': 'other', 'anthropic-version': '2023-06-01' },
    body: JSON.stringify({ model: 'm', ...BODIES.messages.body }),
  });
  expect(run.violations()).toEqual(['request 1 (messages): Incorrect API key provided.']);
});

const ENDLESS = ['never', 'silence'];
test.each(NAMES.flatMap(protocol => FAULT_NAMES.filter(name => !ENDLESS.includes(name)).map(name => [protocol, name] as const)))(
  '%s: the fault %s',
  async (protocol, name) => {
    upstream.begin(SCENARIO);
    const whole = dataOf(await (await post(protocol)).text());
    upstream.begin(SCENARIO);
    const reply = await post(protocol, { model: `fault-${name}` });
    const text = await reply.text().catch(() => null);
    const seen =
      text === null ? 'broken off' : `${reply.status} ${reply.headers.get('content-type')?.split(';')[0]} ${dataOf(text).length - whole.length || 'as many'}`;
    const status: Readonly<Record<string, RegExp>> = {
      quota: protocol === 'messages' ? /^402 application\/json/ : /^429 application\/json/,
      overloaded: protocol === 'messages' ? /^529 application\/json/ : /^503 application\/json/,
      'context-length': /^400 application\/json/,
      'html-503': /^503 text\/html/,
      'html-200': /^200 text\/html/,
      'error-200': /^200 application\/json/,
      cut: /^broken off$/,
      end: /^200 text\/event-stream -/,
      'error-mid': /^200 text\/event-stream -/,
      duplicate: /^200 text\/event-stream [1-9]/,
      reversed: /^200 text\/event-stream as many/,
      'no-usage': /^200 text\/event-stream (as many|-1)$/,
    };
    expect(seen).toMatch(status[name] ?? new RegExp(`^${name} application/json`));
  },
);
