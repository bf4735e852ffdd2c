import { DEFAULT_FACTS, PROTOCOLS, type WireProtocol } from '@weir/tool-plan';
import { verifies } from '@weir/requirements';
import { expect, test } from 'vitest';
import { understand } from '../test/scripted-upstream.ts';
import { convertAnswer } from './convert-answer.ts';
import { convertRequest, type ConvertedRequest } from './convert-request.ts';
import { permanent } from './gateway-failure.ts';
import { openStream, streamInput } from './open-stream.ts';
import { MAX_EVENT_CHARS } from './sse-reader.ts';

const FRAME = { fallbackId: 'f', createdAt: 1, estimatedInputTokens: 5 };
const BODIES = {
  responses: {
    model: 'm',
    input: 'hi',
    tools: [
      { type: 'function', name: 'exec' },
      { type: 'custom', name: 'patch' },
    ],
    stream: true,
  },
  chat: { model: 'm', messages: [{ role: 'user', content: 'hi' }], tools: [{ type: 'function', function: { name: 'exec' } }], stream: true },
  messages: { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'hi' }], tools: [{ name: 'exec' }], stream: true },
};
const convert = (client: WireProtocol, upstream: WireProtocol): ConvertedRequest => {
  const result = convertRequest({ client, upstream, facts: DEFAULT_FACTS[upstream], body: BODIES[client] });
  if ('failure' in result) throw new Error(result.failure.message);
  return { ...result.converted, passthrough: false };
};
const line = (event: object | string): string => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`;
const run = (upstream: WireProtocol, events: readonly (object | string)[], client: WireProtocol = 'responses'): { code: string | undefined; end: string } => {
  const machine = openStream(convert(client, upstream), FRAME);
  const sse = machine.push(events.map(line).join('')) + machine.end();
  expect(machine.ended()).toBe(true);
  expect(machine.push(line({ type: 'late', choices: [] })) + machine.end() + machine.fail(permanent('x', 'y'))).toBe('');
  return { code: machine.failure()?.code, end: understand[client](sse).end };
};

const chat = (delta: object, finish: string | null = null): object => ({ id: 's', choices: [{ index: 0, delta, finish_reason: finish }] });
const call = (index: number, id: string, name: string, args = '{}'): object => chat({ tool_calls: [{ index, id, function: { name, arguments: args } }] });
const STOP = chat({}, 'stop');
const added = (output_index: number, item: object): object => ({ type: 'response.output_item.added', output_index, item });
const done = (output_index: number, item: object): object => ({ type: 'response.output_item.done', output_index, item });
const fc = (id: string, args = '{}'): object => ({ type: 'function_call', id: `fc_${id}`, call_id: id, name: 'exec', arguments: args });
const COMPLETED = { type: 'response.completed', response: { id: 'r' } };
const start = { type: 'message_start', message: { id: 's', usage: { input_tokens: 1, output_tokens: 1 } } };
const block = (index: number, content_block: object): object => ({ type: 'content_block_start', index, content_block });
const TEXT = { type: 'text', text: '' };
const MESSAGE_STOP = { type: 'message_stop' };

test.each<[string, WireProtocol, string, readonly (object | string)[]]>([
  ['an unknown alias', 'chat', 'unknown_tool', [call(0, 'a', 'nobody'), STOP, '[DONE]']],
  ['two calls with one id', 'chat', 'duplicate_call_id', [call(0, 'a', 'exec'), call(1, 'a', 'exec'), STOP]],
  ['a call without a name', 'chat', 'call_without_name', [chat({ tool_calls: [{ index: 0, id: 'a', function: { arguments: '{}' } }] }), STOP, '[DONE]']],
  ['text after the finish', 'chat', 'delta_after_done', [STOP, chat({ content: 'more' })]],
  ['an envelope that is none', 'chat', 'broken_input', [call(0, 'a', 'patch', '*** Begin'), STOP]],
  ['an envelope that is cut', 'chat', 'broken_input', [call(0, 'a', 'patch', '{"input":"rm -rf /tm'), STOP, '[DONE]']],
  ['an error chunk', 'chat', 'rate_limit_exceeded', [chat({ content: 'x' }), { error: { code: 'rate_limit_exceeded', message: 'slow down' } }]],
  ['no end', 'chat', 'upstream_cut', [chat({ content: 'x' })]],
  ['an event that is no JSON', 'chat', 'upstream_garbled', [chat({ content: 'x' }), '<html>', STOP]],
  ['an event that is no object', 'chat', 'upstream_garbled', ['[1]']],
  ['nesting without end', 'chat', 'upstream_garbled', [`${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`]],
  ['one item opened twice', 'responses', 'duplicate_item', [added(0, fc('a')), added(0, fc('b'))]],
  ['two calls with one id', 'responses', 'duplicate_call_id', [done(0, fc('a')), done(1, fc('a'))]],
  [
    'a delta after the end of its item',
    'responses',
    'delta_after_done',
    [done(0, fc('a')), { type: 'response.function_call_arguments.delta', output_index: 0, delta: 'x' }],
  ],
  ['a delta of no item', 'responses', 'delta_without_item', [{ type: 'response.output_text.delta', output_index: 3, delta: 'x' }]],
  ['an item that ends twice', 'responses', 'duplicate_done', [done(0, fc('a')), done(0, fc('a'))]],
  ['a terminal with an open item', 'responses', 'open_items', [added(0, fc('a')), COMPLETED]],
  [
    'a final input that differs from its deltas',
    'responses',
    'contradictory_input',
    [added(0, fc('a', '')), { type: 'response.function_call_arguments.delta', output_index: 0, delta: '{"rm"' }, done(0, fc('a', '{"ls":1}'))],
  ],
  ['text in a call', 'responses', 'wrong_delta', [added(0, fc('a')), { type: 'response.output_text.delta', output_index: 0, delta: 'x' }]],
  [
    'a second start',
    'responses',
    'second_start',
    [
      { type: 'response.created', response: {} },
      { type: 'response.created', response: {} },
    ],
  ],
  [
    'an event twice',
    'responses',
    'out_of_order',
    [
      { type: 'response.created', sequence_number: 1, response: {} },
      { type: 'response.in_progress', sequence_number: 1 },
    ],
  ],
  [
    'a failed response',
    'responses',
    'context_length_exceeded',
    [{ type: 'response.failed', response: { error: { code: 'context_length_exceeded', message: 'long' } } }],
  ],
  ['an error event', 'responses', 'upstream_error', [{ type: 'error', code: 'server_error', message: 'x' }]],
  ['a block opened twice', 'messages', 'duplicate_item', [start, block(0, TEXT), block(0, TEXT)]],
  [
    'a delta after its block',
    'messages',
    'delta_after_done',
    [start, block(0, TEXT), { type: 'content_block_stop', index: 0 }, { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'x' } }],
  ],
  ['a stop with an open block', 'messages', 'open_items', [start, block(0, TEXT), MESSAGE_STOP]],
  ['a stop of no block', 'messages', 'done_without_item', [start, { type: 'content_block_stop', index: 4 }]],
  ['a second start', 'messages', 'second_start', [start, start]],
  ['an overload', 'messages', 'upstream_error', [start, { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }]],
  [
    'an error about our own key',
    'messages',
    'provider_auth',
    [{ type: 'error', error: { type: 'authentication_error', message: 'invalid x-api-key sk-secret' } }],
  ],
])(`${verifies('MOD-10')} %s (%s) fails with %s`, (_what, upstream, code, events) => {
  for (const client of PROTOCOLS.filter(each => each === 'responses' || code !== 'broken_input')) {
    const outcome = run(upstream, events, client);
    expect(outcome.code).toBe(client !== 'responses' && outcome.code === 'unknown_tool' ? 'unknown_tool' : code);
    expect(outcome.end).toMatch(/^error: ./);
  }
});

test(`${verifies('MOD-10')} an event larger than the limit ends the stream, and memory with it`, () => {
  const machine = openStream(convert('responses', 'chat'), FRAME);
  let sse = machine.push('data: {"x":"');
  const half = 'x'.repeat(MAX_EVENT_CHARS / 2);
  for (let n = 0; n < 4; n += 1) sse += machine.push(half);
  expect(machine.failure()?.code).toBe('upstream_garbled');
  expect(understand.responses(sse).end).toBe('error: server_error');
});

test(`${verifies('MOD-10', 'REV-29')} an answer that was cut by its limit is incomplete and no failure`, () => {
  const machine = openStream(convert('responses', 'chat'), FRAME);
  const events = [call(0, 'a', 'patch', '{"input":"*** Beg'), chat({}, 'length'), '[DONE]'];
  const sse = machine.push(events.map(line).join(''));
  expect(machine.failure()).toBeUndefined();
  expect(understand.responses(sse).end).toBe('incomplete');
  expect(sse).toMatch(/output_item\.done","sequence_number":\d+,"output_index":0,"item":\{"type":"custom_tool_call".*"status":"incomplete"/);
  expect(machine.usage()).toBeUndefined();
  expect(sse).toContain('"usage":null');
});

test(`${verifies('MOD-10')} an upstream that leaves out its last mark, items' starts or indexes is understood`, () => {
  const message = { type: 'message', content: [{ type: 'output_text', text: 'whole' }] };
  expect(run('responses', [{ type: 'response.output_item.done', item: message }, COMPLETED, '[DONE]'])).toEqual({ code: undefined, end: 'completed' });
  expect(run('responses', [{ type: 'response.completed', response: { output: [message, fc('a')] } }]).end).toBe('completed');
  expect(run('chat', [chat({ content: 'x' }), STOP]).end).toBe('completed');
  expect(
    run('messages', [
      start,
      block(0, { type: 'text', text: 'x' }),
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
    ]).end,
  ).toBe('completed');
  expect(run('responses', [COMPLETED]).end).toBe('completed');
});

test(`${verifies('MOD-10')} arguments that are no JSON go to the client, who knows its tool`, () => {
  const machine = openStream(convert('responses', 'chat'), FRAME);
  const sse = machine.push([call(0, 'a', 'exec', '{"cmd": "ls'), STOP, '[DONE]'].map(line).join(''));
  expect(understand.responses(sse).calls[0]?.input).toBe('{"cmd": "ls');
  const empty = openStream(convert('responses', 'chat'), FRAME);
  expect(understand.responses(empty.push([call(0, 'a', 'exec', ''), STOP, '[DONE]'].map(line).join(''))).calls[0]?.input).toBe('{}');
});

test(`${verifies('MOD-15')} the server can end a stream at any time, before the first byte too`, () => {
  const quota = { code: 'budget_spent', class: 'quota', message: 'The budget of this key is spent.' } as const;
  for (const [client, word] of [
    ['responses', 'insufficient_quota'],
    ['chat', 'insufficient_quota'],
    ['messages', 'billing_error'],
  ] as const) {
    const machine = openStream(convert(client, 'chat'), FRAME);
    expect(understand[client](machine.push(line(chat({ content: 'x' }))) + machine.fail(quota)).end).toBe(`error: ${word}`);
    expect(understand[client](openStream(convert(client, 'chat'), FRAME).fail(quota)).end).toBe(`error: ${word}`);
  }
});

test.each<[string, WireProtocol, unknown, string]>([
  ['HTML', 'chat', '<html>', 'upstream_garbled'],
  ['an error with status 200', 'chat', { error: { message: 'no', code: 'insufficient_quota' } }, 'insufficient_quota'],
  ['an error with status 200', 'messages', { type: 'error', error: { type: 'overloaded_error' } }, 'upstream_error'],
  ['an error with status 200', 'responses', { error: { message: 'no' }, output: [] }, 'upstream_error'],
  ['a failed response', 'responses', { status: 'failed', error: null, output: [] }, 'upstream_error'],
  ['an unknown tool', 'messages', { content: [{ type: 'tool_use', id: 'a', name: 'nobody', input: {} }], stop_reason: 'tool_use' }, 'unknown_tool'],
  ['an answer that never finished', 'responses', { status: 'in_progress', output: [] }, 'upstream_cut'],
])(`${verifies('MOD-10')} a JSON answer that is %s (%s) fails`, (_what, upstream, body, code) => {
  const outcome = convertAnswer(body, streamInput(convert('responses', upstream), FRAME));
  expect('failure' in outcome ? outcome.failure.code : outcome).toBe(code);
});
