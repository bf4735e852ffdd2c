import { type CapabilityFacts, DEFAULT_FACTS, type WireProtocol } from '@weir/tool-plan';
import { verifies } from '@weir/requirements';
import { expect, test } from 'vitest';
import { type Script, scriptedStream, understand, type Understood } from '../test/scripted-upstream.ts';
import { convertRequest, type ConvertedRequest } from './convert-request.ts';
import type { JsonObject } from './json.ts';
import { openStream } from './open-stream.ts';

// One test for each public bug report of the case list; the title names the case.

const FRAME = { fallbackId: 'f', createdAt: 1, estimatedInputTokens: 77 };
type Facts = Partial<CapabilityFacts>;

const attempt = (client: WireProtocol, upstream: WireProtocol, body: JsonObject, facts: Facts = {}): ReturnType<typeof convertRequest> =>
  convertRequest({ client, upstream, facts: { ...DEFAULT_FACTS[upstream], ...facts }, body: { model: 'm', ...body }, route: 'r1' });

const convert = (client: WireProtocol, upstream: WireProtocol, body: JsonObject, facts: Facts = {}): ConvertedRequest => {
  const result = attempt(client, upstream, body, facts);
  if ('failure' in result) throw new Error(`${result.failure.code}: ${result.failure.message}`);
  return result.converted;
};
const code = (client: WireProtocol, upstream: WireProtocol, body: JsonObject, facts: Facts = {}): string => {
  const result = attempt(client, upstream, body, facts);
  return 'failure' in result ? result.failure.code : 'none';
};
const answer = (converted: ConvertedRequest, sse: string): Understood => {
  const machine = openStream(converted, FRAME);
  return understand[converted.request.protocol](machine.push(sse) + machine.end());
};
const rawAnswer = (converted: ConvertedRequest, sse: string): string => {
  const machine = openStream(converted, FRAME);
  return machine.push(sse) + machine.end();
};

const user = (text: string): JsonObject => ({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] });
const fc = (id: string, name = 'exec'): JsonObject => ({ type: 'function_call', call_id: id, name, arguments: '{}' });
const out = (id: string, output: unknown = `out ${id}`): JsonObject => ({ type: 'function_call_output', call_id: id, output });
const EXEC = { type: 'function', name: 'exec', parameters: { type: 'object', properties: {} } };
const PATCH = { type: 'custom', name: 'apply_patch', description: 'Edits.', format: { type: 'grammar', syntax: 'lark', definition: 'start: hunk+' } };
const FORGE = { type: 'namespace', name: 'mcp__forge', description: '', tools: [{ type: 'function', name: 'pr_get_diff', parameters: { type: 'object' } }] };

const shape = ({ body }: ConvertedRequest): readonly string[] =>
  (body['messages'] as { role: string; content: unknown; tool_calls?: { id: string }[]; tool_call_id?: string }[]).map(message =>
    [message.role, ...(message.tool_calls ?? []).map(call => call.id), message.tool_call_id ?? ''].join(' ').trim(),
  );

test(`${verifies('MOD-13')} cases 1, 2 and 3: calls merge into one assistant message, results follow in order, ids untouched`, () => {
  const input = [user('go'), fc('exec_command:0'), fc('exec_command:1'), out('exec_command:0'), out('exec_command:1')];
  expect(shape(convert('responses', 'chat', { input, tools: [EXEC] }))).toEqual([
    'user',
    'assistant exec_command:0 exec_command:1',
    'tool exec_command:0',
    'tool exec_command:1',
  ]);
});

test(`${verifies('MOD-13')} case 1: results that come in another order follow the calls' order`, () => {
  expect(shape(convert('responses', 'chat', { input: [fc('a'), fc('b'), out('b'), out('a')], tools: [EXEC] }))).toEqual(['assistant a b', 'tool a', 'tool b']);
});

test(`${verifies('MOD-13')} case 4: what stands between call and result is held back`, () => {
  const input = [fc('a'), user('meanwhile'), out('a'), user('then')];
  expect(shape(convert('responses', 'chat', { input, tools: [EXEC] }))).toEqual(['assistant a', 'tool a', 'user', 'user']);
});

test(`${verifies('MOD-13')} an id that is used again after its answer is a new call, and two open ones are refused`, () => {
  const input = [fc('0'), out('0', 'first'), fc('0'), out('0', 'second')];
  expect(shape(convert('responses', 'chat', { input, tools: [EXEC] }))).toEqual(['assistant 0', 'tool 0', 'assistant 0', 'tool 0']);
  expect(code('responses', 'chat', { input: [fc('0'), fc('0'), out('0')] })).toBe('duplicate_call_id');
  expect(code('responses', 'chat', { input: [out('nobody')] })).toBe('result_without_call');
});

const THREE: Script = { calls: ['a', 'b', 'c'].map(id => ({ id, name: 'exec', kind: 'function', input: `{"n":"${id}"}` })) };
const chatTools = [{ type: 'function', function: { name: 'exec' } }];
const MESSAGES = [{ role: 'user', content: 'hi' }];

test(`${verifies('MOD-13')} case 6: three parallel Responses calls get the indexes 0, 1, 2`, () => {
  const sse = rawAnswer(convert('chat', 'responses', { messages: MESSAGES, tools: chatTools, stream: true }), scriptedStream.responses(THREE));
  expect([...sse.matchAll(/"index":(\d),"id":"(\w)"/g)].map(match => match.slice(1).join(''))).toEqual(['0a', '1b', '2c']);
});

test(`${verifies('MOD-13')} case 7: two tool_use blocks get two indexes`, () => {
  const seen = answer(convert('chat', 'messages', { messages: MESSAGES, tools: chatTools, stream: true }), scriptedStream.messages({ ...THREE, text: 'x' }));
  expect(seen.calls.map(call => [call.id, call.input])).toEqual([
    ['a', '{"n":"a"}'],
    ['b', '{"n":"b"}'],
    ['c', '{"n":"c"}'],
  ]);
});

const piece = (fields: JsonObject): string =>
  `data: ${JSON.stringify({ id: 's', choices: [{ index: 0, delta: { tool_calls: [fields] }, finish_reason: null }] })}\n\n`;
const fn = (name: string | undefined, args: string): JsonObject => ({ ...(name === undefined ? {} : { name }), arguments: args });
const end = (reason = 'tool_calls'): string =>
  `data: ${JSON.stringify({ id: 's', choices: [{ index: 0, delta: {}, finish_reason: reason }] })}\n\ndata: [DONE]\n\n`;
const twoTools = { input: 'hi', tools: [EXEC, { ...EXEC, name: 'other' }], stream: true };
const calls = (sse: string): readonly string[] =>
  answer(convert('responses', 'chat', twoTools), sse).calls.map(({ id, name, input }) => `${id} ${name} ${input}`);

test(`${verifies('MOD-13')} case 8: interleaved pieces go by index, and names are not joined`, () => {
  const sse = [
    piece({ index: 0, id: 'a', function: fn('exec', '{"x"') }),
    piece({ index: 1, id: 'b', function: fn('other', '{"y"') }),
    piece({ index: 0, function: fn('exec', ':1}') }),
    piece({ index: 1, function: fn(undefined, ':2}') }),
  ].join('');
  expect(calls(sse + end())).toEqual(['a exec {"x":1}', 'b other {"y":2}']);
});

test(`${verifies('MOD-13')} case 10: a new id at a used index is a new call, and an orphan tail goes to it`, () => {
  const sse = [
    piece({ index: 0, id: 'a', function: fn('exec', '{"x":1}') }),
    piece({ index: 0, id: 'b', function: fn('other', '{"y"') }),
    piece({ index: 1, function: fn(undefined, ':2}') }),
  ].join('');
  expect(calls(sse + end())).toEqual(['a exec {"x":1}', 'b other {"y":2}']);
});

test(`${verifies('MOD-13')} calls without ids or indexes are told apart by their names`, () => {
  const sse = [piece({ function: fn('exec', '{}') }), piece({ function: fn('other', '{"a"') }), piece({ function: fn(undefined, ':1}') })].join('');
  expect(calls(sse + end())).toEqual(['call_s_0 exec {}', 'call_s_1 other {"a":1}']);
});

test(`${verifies('MOD-13')} another name at a used index without an id is another call`, () => {
  const sse = [piece({ index: 0, function: fn('exec', '{}') }), piece({ index: 0, function: fn('other', '{"a":1}') })].join('');
  expect(calls(sse + end())).toEqual(['call_s_0 exec {}', 'call_s_1 other {"a":1}']);
});

test(`${verifies('MOD-13')} a Messages client gets interleaved calls as blocks one after the other`, () => {
  const ids = ['a', 'b', 'c'];
  const opened = ids.map((id, index) => piece({ index, id, function: fn('exec', '') }));
  const fed = [2, 0, 1, 0, 2, 1].map(index => piece({ index, function: fn(undefined, `${index};`) }));
  const text = `data: ${JSON.stringify({ id: 's', choices: [{ index: 0, delta: { content: 'first' } }] })}\n\n`;
  const converted = convert('messages', 'chat', { messages: MESSAGES, tools: [{ name: 'exec' }], max_tokens: 9, stream: true });
  const seen = answer(converted, [text, ...opened, ...fed].join('') + end());
  expect(seen).toMatchObject({ text: 'first', end: 'tool_use' });
  expect(seen.calls.map(({ id, input }) => `${id} ${input}`)).toEqual(['a 0;0;', 'b 1;1;', 'c 2;2;']);
});

test(`${verifies('MOD-13')} a Messages client gets items that end out of order in the order in which they began`, () => {
  const event = (type: string, output_index: number, more: JsonObject): string =>
    `data: ${JSON.stringify({ type: `response.${type}`, output_index, ...more })}\n\n`;
  const item = (id: string, args: string): JsonObject => ({ item: { type: 'function_call', call_id: id, name: 'exec', arguments: args } });
  const sse = [
    ...['a', 'b', 'c'].map((id, index) => event('output_item.added', index, item(id, ''))),
    ...[1, 2, 0].map(index => event('output_item.done', index, item(['a', 'b', 'c'][index] ?? '', `{"n":${index}}`))),
    event('completed', 0, { response: { id: 'r' } }),
  ];
  const converted = convert('messages', 'responses', { messages: MESSAGES, tools: [{ name: 'exec' }], max_tokens: 9, stream: true });
  expect(answer(converted, sse.join('')).calls.map(({ id, input }) => `${id} ${input}`)).toEqual(['a {"n":0}', 'b {"n":1}', 'c {"n":2}']);
});

test(`${verifies('MOD-13')} one dropped block of a Messages message leaves the others as they came`, () => {
  const content = [
    { type: 'thinking', thinking: 'Hm.', signature: 'SIG==' },
    { type: 'text', text: 'Hi.', cache_control: { type: 'ephemeral' } },
    { type: 'tool_use', id: 'a', name: 'exec', input: { x: 1 }, cache_control: { type: 'ephemeral' } },
  ];
  const messages = [...MESSAGES, { role: 'assistant', content, odd: 1 }, { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'ok' }] }];
  const body = convert('messages', 'messages', { messages, tools: [{ name: 'exec' }], max_tokens: 9 }, { sealed_reasoning: 'none' }).body;
  expect(body['messages']).toEqual([messages[0], { role: 'assistant', content: content.slice(1), odd: 1 }, messages[2]]);
});

test(`${verifies('MOD-6')} cases 12, 13 and 14: a custom tool is an envelope upstream and a custom call for the client`, () => {
  const converted = convert('responses', 'chat', { input: 'hi', tools: [PATCH], stream: true });
  expect(converted.body['tools']).toEqual([
    {
      type: 'function',
      function: {
        name: 'apply_patch',
        description: 'Edits.\n\nThe text in "input" follows this lark grammar:\nstart: hunk+',
        parameters: expect.objectContaining({ properties: { input: expect.objectContaining({ type: 'string' }) as unknown }, required: ['input'] }) as unknown,
      },
    },
  ]);
  const patch = '*** Begin Patch\n+"é😀" \\n\n*** End Patch';
  const sse = rawAnswer(
    converted,
    scriptedStream.chat({ calls: [{ id: 'c', name: 'apply_patch', kind: 'function', input: JSON.stringify({ input: patch }) }] }),
  );
  expect(understand.responses(sse).calls).toEqual([{ id: 'c', name: 'apply_patch', namespace: undefined, kind: 'custom', input: patch }]);
  const deltas = [...sse.matchAll(/custom_tool_call_input\.delta","sequence_number":\d+.*?"delta":("(?:[^"\\]|\\.)*")/g)].map(
    match => JSON.parse(match[1] ?? '""') as string,
  );
  expect(deltas.join('')).toBe(patch);
  expect(deltas.length).toBeGreaterThan(3);
});

test(`${verifies('MOD-2')} case 15: a Responses upstream without custom tools gets functions`, () => {
  const body = {
    input: [
      { type: 'custom_tool_call', call_id: 'c', name: 'apply_patch', input: 'x' },
      { type: 'custom_tool_call_output', call_id: 'c', output: 'ok' },
    ],
    tools: [PATCH],
  };
  const adapted = convert('responses', 'responses', body);
  expect(adapted.passthrough).toBe(false);
  expect(adapted.body['input']).toEqual([
    { type: 'function_call', call_id: 'c', name: 'apply_patch', arguments: '{"input":"x"}' },
    { type: 'function_call_output', call_id: 'c', output: 'ok' },
  ]);
  expect(convert('responses', 'responses', body, { custom: true }).passthrough).toBe(true);
});

test(`${verifies('MOD-5')} cases 16, 17 and 18: a namespace survives, also when the upstream spells it in its own way`, () => {
  const converted = convert('responses', 'chat', { input: 'hi', tools: [FORGE], stream: true });
  expect(converted.plan.entries.map(entry => entry.planned?.alias)).toEqual(['mcp__forge__pr_get_diff']);
  for (const name of ['mcp__forge__pr_get_diff', 'mcp__forge.pr_get_diff']) {
    const seen = answer(converted, scriptedStream.chat({ calls: [{ id: 'c', name, kind: 'function', input: '{"number":1}' }] }));
    expect(seen.calls).toEqual([{ id: 'c', name: 'pr_get_diff', namespace: 'mcp__forge', kind: 'function', input: '{"number":1}' }]);
  }
});

test(`${verifies('MOD-7')} case 19: additional_tools are hoisted, and no empty developer message is left`, () => {
  const input = [{ type: 'additional_tools', role: 'developer', tools: [{ ...FORGE, name: 'functions' }, PATCH] }, user('hi')];
  const converted = convert('responses', 'chat', { input });
  expect(shape(converted)).toEqual(['user']);
  expect(JSON.stringify(converted.body['tools'])).toContain('functions__pr_get_diff');
  const responses = convert('responses', 'responses', { input });
  expect(responses.body['input']).toEqual([user('hi')]);
  const native = convert('responses', 'responses', { input }, { additional_tools: true, namespace: true, custom: true });
  expect(native.passthrough).toBe(true);
  const inPart = convert('responses', 'responses', { input }, { additional_tools: true, namespace: true });
  expect(inPart.body['input']).toEqual([user('hi')]);
  expect((inPart.body['tools'] as JsonObject[]).map(tool => tool['type'])).toEqual(['namespace', 'function']);
});

const SEARCH = {
  type: 'tool_search',
  execution: 'client',
  description: 'Finds tools.',
  parameters: { type: 'object', properties: { query: { type: 'string' } } },
};

test(`${verifies('MOD-7')} case 20: tool search goes round, and what it found can be called`, () => {
  const input = [
    { type: 'tool_search_call', call_id: 's', execution: 'client', arguments: { query: 'diff' } },
    { type: 'tool_search_output', call_id: 's', execution: 'client', tools: [FORGE] },
  ];
  const converted = convert('responses', 'chat', { input, tools: [SEARCH], stream: true });
  const messages = converted.body['messages'] as { tool_calls?: unknown; content?: string }[];
  expect(messages[0]?.tool_calls).toEqual([{ id: 's', type: 'function', function: { name: 'tool_search', arguments: '{"query":"diff"}' } }]);
  expect(messages[1]?.content).toContain('mcp__forge__pr_get_diff');
  const seen = answer(
    converted,
    scriptedStream.chat({
      calls: [
        { id: '1', name: 'tool_search', kind: 'function', input: '{"query":"x"}' },
        { id: '2', name: 'mcp__forge__pr_get_diff', kind: 'function', input: '{}' },
      ],
    }),
  );
  expect(seen.calls).toMatchObject([
    { kind: 'tool_search', input: '{"query":"x"}' },
    { name: 'pr_get_diff', namespace: 'mcp__forge' },
  ]);
});

test(`${verifies('MOD-5')} case 21: the same request twice gives the same bytes`, () => {
  const bytes = (): string => JSON.stringify(convert('responses', 'chat', { input: 'hi', tools: [EXEC, PATCH, FORGE, SEARCH] }).body);
  expect(bytes()).toBe(bytes());
});

test(`${verifies('MOD-5')} case 22: a name of any length fits, whatever stands before it`, () => {
  const long = {
    type: 'namespace',
    name: 'mcp__a_server_with_quite_a_long_name',
    tools: [{ type: 'function', name: 'a_tool_whose_name_is_long_as_well_indeed' }],
  };
  const alias = (tools: readonly unknown[]): string | undefined =>
    convert('responses', 'chat', { input: 'hi', tools }).plan.entries.find(entry => entry.declaration.namespace === long.name)?.planned?.alias;
  expect(alias([long])).toMatch(/^mcp__a_server[\w-]{1,60}_[0-9a-f]{8}$/);
  expect(alias([long])?.length).toBeLessThanOrEqual(64);
  expect(alias([EXEC, FORGE, long])).toBe(alias([long]));
});

test(`${verifies('MOD-13')} case 23: a reasoning item goes whole to its own route, and nowhere else`, () => {
  const reasoning = { type: 'reasoning', id: 'rs_1', summary: [], content: null, encrypted_content: 'ENC==', odd: 1 };
  const input = [reasoning, fc('a'), out('a')];
  expect((convert('responses', 'responses', { input, tools: [EXEC, PATCH] }).body['input'] as unknown[])[0]).toEqual(reasoning);
  for (const [upstream, facts] of [
    ['responses', { sealed_reasoning: 'none' }],
    ['chat', {}],
    ['messages', {}],
  ] as const) {
    const converted = convert('responses', upstream, { input, tools: [EXEC] }, facts);
    expect(JSON.stringify(converted.body)).not.toContain('ENC==');
    expect(converted.diagnostics.map(each => each.code)).toContain('sealed_reasoning_dropped');
  }
});

test.each(['chat', 'messages'] as const)(`${verifies('MOD-13')} a turn that broke off after its reasoning is no message at %s`, upstream => {
  const facts = { reasoning_field: 'reasoning_content' } as const;
  const sealed = answer(convert('responses', 'messages', { input: 'hi', stream: true }), scriptedStream.messages({ reasoning: 'Hm.', text: 'x' })).sealed;
  const reasoning = { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'Hm.' }], encrypted_content: upstream === 'chat' ? null : sealed };
  const cut = convert('responses', upstream, { input: [user('go'), reasoning, user('on')], tools: [EXEC] }, facts);
  expect(JSON.stringify(cut.body['messages'])).not.toContain('Hm.');
  expect(shape(cut).filter(role => role === 'assistant')).toEqual([]);
  expect(cut.diagnostics.map(each => each.code)).toContain('reasoning_dropped');
  const whole = convert('responses', upstream, { input: [user('go'), reasoning, fc('a'), out('a')], tools: [EXEC] }, facts);
  expect(JSON.stringify(whole.body['messages'])).toContain('Hm.');
});

test(`${verifies('MOD-4')} a chat history keeps a message of reasoning alone as it came`, () => {
  const messages = [
    { role: 'user', content: 'go' },
    { role: 'assistant', content: '', reasoning_content: 'Hm.' },
    { role: 'user', content: 'on' },
  ];
  expect(convert('chat', 'chat', { messages }).body['messages']).toEqual(messages);
});

test(`${verifies('MOD-13')} a signature crosses a Responses client and comes back to its own route only`, () => {
  const first = convert('responses', 'messages', { input: 'hi', tools: [EXEC], stream: true });
  const seen = answer(first, scriptedStream.messages({ reasoning: 'Hm.', calls: [{ id: 'a', name: 'exec', kind: 'function', input: '{}' }] }));
  const input = [
    user('hi'),
    { type: 'reasoning', id: 'x', summary: [{ type: 'summary_text', text: 'Hm.' }], encrypted_content: seen.sealed },
    fc('a'),
    out('a'),
  ];
  const back = convert('responses', 'messages', { input, tools: [EXEC] });
  expect((back.body['messages'] as { content: unknown[] }[])[1]?.content[0]).toEqual({ type: 'thinking', thinking: 'Hm.', signature: 'SIG==' });
  const other = convertRequest({
    client: 'responses',
    upstream: 'messages',
    facts: DEFAULT_FACTS.messages,
    body: { model: 'm', input, tools: [EXEC] },
    route: 'other',
  });
  expect(JSON.stringify(other)).not.toContain('"signature":"SIG==');
});

test.each(['responses', 'chat', 'messages'] as const)(`${verifies('MOD-13')} case 25: no tools means no tool_choice and no switch, at %s`, upstream => {
  const { body } = convert('responses', upstream, { input: [fc('a'), out('a')], tools: [], tool_choice: 'auto', parallel_tool_calls: false });
  expect(Object.keys(body)).not.toEqual(expect.arrayContaining(['tools']));
  expect(body).not.toMatchObject({ tool_choice: expect.anything() as unknown });
  expect(body).not.toMatchObject({ parallel_tool_calls: expect.anything() as unknown });
});

test(`${verifies('MOD-8')} a choice that names nothing fails before the empty list is dropped`, () => {
  expect(code('responses', 'chat', { input: 'hi', tools: [], tool_choice: { type: 'function', name: 'exec' } })).toBe('tool_choice_unknown');
  expect(code('responses', 'chat', { input: 'hi', tools: [], tool_choice: 'required' })).toBe('tool_choice_unavailable');
  expect(code('responses', 'responses', { input: 'hi', tools: [{ type: 'web_search' }], tool_choice: { type: 'web_search' } })).toBe('tool_choice_unavailable');
});

test(`${verifies('MOD-8')} a kept choice names the alias, in the upstream's own form`, () => {
  const choice = { input: 'hi', tools: [FORGE, EXEC], tool_choice: { type: 'function', name: 'pr_get_diff', namespace: 'mcp__forge' } };
  expect(convert('responses', 'chat', choice).body['tool_choice']).toEqual({ type: 'function', function: { name: 'mcp__forge__pr_get_diff' } });
  expect(convert('responses', 'messages', choice).body['tool_choice']).toEqual({ type: 'tool', name: 'mcp__forge__pr_get_diff' });
  expect(convert('responses', 'messages', { ...choice, tool_choice: 'required', parallel_tool_calls: false }).body['tool_choice']).toEqual({
    type: 'any',
    disable_parallel_tool_use: true,
  });
  const allowed = { ...choice, tool_choice: { type: 'allowed_tools', mode: 'required', tools: [{ type: 'function', name: 'exec' }] } };
  const { body } = convert('responses', 'chat', allowed);
  expect(body['tool_choice']).toBe('required');
  expect(body['tools']).toHaveLength(1);
});

const SCHEMA = { type: 'object', properties: { ok: { type: 'boolean' } } };
test(`${verifies('MOD-13')} case 27: a schema is mapped, or the request is refused`, () => {
  const body = { input: 'hi', text: { format: { type: 'json_schema', name: 'n', schema: SCHEMA, strict: true } } };
  expect(convert('responses', 'chat', body).body['response_format']).toEqual({ type: 'json_schema', json_schema: { name: 'n', schema: SCHEMA, strict: true } });
  expect(convert('responses', 'messages', body).body['output_config']).toEqual({ format: { type: 'json_schema', schema: SCHEMA } });
  for (const upstream of ['responses', 'chat', 'messages'] as const)
    expect(code('responses', upstream, body, { json_schema: 'none' })).toBe('unsupported_schema');
  const chat = { messages: MESSAGES, response_format: { type: 'json_schema', json_schema: { name: 'n', schema: SCHEMA } } };
  expect(convert('chat', 'responses', chat).body['text']).toEqual({ format: { type: 'json_schema', name: 'n', schema: SCHEMA } });
  expect(code('chat', 'messages', { messages: MESSAGES, response_format: { type: 'json_object' } })).toBe('unsupported_schema');
});

const PNG = 'data:image/png;base64,iVBORw0KGgo=';
test(`${verifies('MOD-13')} case 28: an image in a tool result moves behind the whole run of results`, () => {
  const image = [
    { type: 'input_text', text: 'look' },
    { type: 'input_image', image_url: PNG, detail: 'original' },
  ];
  const input = [fc('a'), fc('b'), out('a', image), out('b')];
  const chat = convert('responses', 'chat', { input, tools: [EXEC] });
  expect(shape(chat)).toEqual(['assistant a b', 'tool a', 'tool b', 'user']);
  expect((chat.body['messages'] as { content: unknown }[])[3]?.content).toEqual([
    { type: 'text', text: 'Images returned by the tool call a:' },
    { type: 'image_url', image_url: { url: PNG, detail: 'high' } },
  ]);
  const messages = convert('responses', 'messages', { input, tools: [EXEC] });
  expect(JSON.stringify(messages.body['messages'])).toContain('{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgo="}}');
  const native = convert('responses', 'responses', { input, tools: [EXEC] }).body['input'] as JsonObject[];
  expect(native.map(item => item['type'])).toEqual(['function_call', 'function_call', 'function_call_output', 'function_call_output', 'message']);
  expect(convert('responses', 'responses', { input, tools: [EXEC] }, { image_in_tool_result: true }).passthrough).toBe(true);
  const later = convert('responses', 'chat', { input: [...input, user('next'), fc('c'), out('c', image)], tools: [EXEC] });
  expect(shape(later)).toEqual(['assistant a b', 'tool a', 'tool b', 'user', 'user', 'assistant c', 'tool c', 'user']);
  expect(JSON.stringify((later.body['messages'] as unknown[])[3])).toContain('tool call a:');
});

test(`${verifies('MOD-4', 'MOD-13')} case 30: usage is asked for, read from its own chunk, and hidden from who did not ask`, () => {
  const asked = convert('chat', 'chat', { messages: MESSAGES, stream: true });
  expect(asked).toMatchObject({ passthrough: true, hideUsageChunk: true, changes: { stream_options: { include_usage: true } } });
  const machine = openStream(asked, FRAME);
  const sse = machine.push(scriptedStream.chat({ text: 'x' })) + machine.end();
  expect(machine.usage()).toMatchObject({ input: 40, cachedInput: 60, output: 20, reasoning: 10, total: 130 });
  expect(sse).not.toContain('prompt_tokens');
  expect(sse.endsWith('data: [DONE]\n\n')).toBe(true);
  const own = convert('chat', 'chat', { messages: MESSAGES, stream: true, stream_options: { include_usage: true } });
  expect(own).toMatchObject({ passthrough: true, changes: {} });
  expect(rawAnswer(own, scriptedStream.chat({ text: 'x' }))).toContain('prompt_tokens');
  expect(convert('responses', 'chat', { input: 'hi', stream: true }).body['stream_options']).toEqual({ include_usage: true });
  expect(convert('chat', 'chat', { messages: MESSAGES, stream: true }, { stream_usage: false }).changes).toEqual({});
});

test(`${verifies('MOD-13')} case 31: message_start carries a figure, and message_delta the full usage`, () => {
  const sse = rawAnswer(convert('messages', 'chat', { messages: MESSAGES, max_tokens: 9, stream: true }), scriptedStream.chat({ text: 'x' }));
  expect(sse).toMatch(/"type":"message_start".*"usage":\{"input_tokens":77,/);
  expect(understand.messages(sse).usage).toEqual({ input_tokens: 40, cache_creation_input_tokens: 0, cache_read_input_tokens: 60, output_tokens: 30 });
});

test(`${verifies('MOD-13')} case 32: an answer with a call ends with tool_calls, whatever the upstream says`, () => {
  const call = piece({ index: 0, id: 'a', function: fn('exec', '{}') });
  const chat = convert('chat', 'chat', { messages: [{ role: 'developer', content: 'x' }, ...MESSAGES], tools: chatTools, stream: true });
  expect(answer(chat, call + end('stop')).end).toBe('tool_calls');
  const messages = convert('messages', 'chat', { messages: MESSAGES, tools: [{ name: 'exec' }], max_tokens: 9, stream: true });
  expect(answer(messages, call + end('stop')).end).toBe('tool_use');
  expect(answer(messages, end('tool_calls')).end).toBe('end_turn');
  expect(answer(messages, call + end('length')).end).toBe('max_tokens');
});

test(`${verifies('MOD-13')} case 34: one leading system message by capability, and nothing is dropped`, () => {
  const dev = (text: string): JsonObject => ({ type: 'message', role: 'developer', content: [{ type: 'input_text', text }] });
  const input = [dev('one'), dev('two'), user('hi'), dev('three')];
  const messages = (facts: Facts): unknown => convert('responses', 'chat', { input, instructions: 'zero' }, facts).body['messages'];
  expect(messages({})).toEqual([
    { role: 'system', content: 'zero\n\none\n\ntwo\n\nthree' },
    { role: 'user', content: 'hi' },
  ]);
  expect(shape(convert('responses', 'chat', { input }, { second_system_message: true }))).toEqual(['system', 'system', 'user', 'system']);
  expect(shape(convert('responses', 'chat', { input }, { developer_role: true }))).toEqual(['developer', 'user']);
  expect(convert('responses', 'messages', { input }).body['system']).toHaveLength(3);
});

test(`${verifies('MOD-13')} case 35: results and text are one user message, results first`, () => {
  const input = [fc('a'), fc('b'), out('a'), out('b'), user('next')];
  const { body } = convert('responses', 'messages', { input, tools: [EXEC] });
  const messages = body['messages'] as { role: string; content: { type: string; tool_use_id?: string }[] }[];
  expect(messages.map(message => message.role)).toEqual(['assistant', 'user']);
  expect(messages[1]?.content.map(block => block.tool_use_id ?? block.type)).toEqual(['a', 'b', 'text']);
});

test(`${verifies('MOD-13')} ids that a Messages upstream refuses get legal stand-ins, the same for call and result`, () => {
  const { body } = convert('responses', 'messages', { input: [fc('exec:0'), fc('exec_0'), out('exec:0'), out('exec_0')], tools: [EXEC] });
  const blocks = (body['messages'] as { content: { id?: string; tool_use_id?: string }[] }[]).flatMap(message => message.content);
  expect(blocks.map(block => block.id ?? block.tool_use_id)).toEqual(['exec_0_2', 'exec_0', 'exec_0_2', 'exec_0']);
});

test(`${verifies('MOD-13')} empty text is dropped`, () => {
  const input = [user(''), user('hi'), { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: '' }] }, out('none')].slice(0, 3);
  expect(shape(convert('responses', 'chat', { input }))).toEqual(['user']);
  expect(convert('responses', 'messages', { input }).body['messages']).toHaveLength(1);
});

test.each([
  ['responses', 'server_error'],
  ['chat', 'upstream_cut'],
  ['messages', 'overloaded_error'],
] as const)(`${verifies('MOD-10', 'MOD-15')} case 37: a %s client sees the upstream break off`, (client, expected) => {
  const request = { responses: { input: 'hi' }, chat: { messages: MESSAGES }, messages: { messages: MESSAGES, max_tokens: 9 } }[client];
  for (const upstream of ['responses', 'chat', 'messages'] as const) {
    const text = scriptedStream[upstream]({ text: 'partial' });
    expect(answer(convert(client, upstream, { ...request, stream: true }), text.slice(0, text.length / 2)).end).toBe(`error: ${expected}`);
    expect(answer(convert(client, upstream, { ...request, stream: true }), '').end).toBe(`error: ${expected}`);
  }
});

test(`${verifies('MOD-13')} case 40: tool-call text inside a message stays text`, () => {
  const xml = '<tool_call>{"name":"exec"}</tool_call>';
  expect(answer(convert('responses', 'chat', { input: 'hi', tools: [EXEC], stream: true }), scriptedStream.chat({ text: xml }))).toMatchObject({
    text: xml,
    calls: [],
  });
});

test(`${verifies('MOD-9')} a message between agents reaches a model of another protocol with its task`, () => {
  const message = {
    type: 'agent_message',
    author: '/root',
    recipient: '/root/t',
    content: [
      { type: 'input_text', text: 'Payload:' },
      { type: 'encrypted_content', encrypted_content: 'Do it.' },
    ],
  };
  const { body } = convert('responses', 'chat', { input: [message] });
  expect(body['messages']).toEqual([{ role: 'user', content: 'Payload:\nDo it.' }]);
});

test(`${verifies('MOD-13')} a Responses client gets interleaved items one after the other: each is done before the next is added`, () => {
  const ids = ['a', 'b', 'c'];
  const opened = ids.map((id, index) => piece({ index, id, function: fn('exec', '') }));
  const fed = [2, 0, 1, 0, 2, 1].map(index => piece({ index, function: fn(undefined, `${index};`) }));
  const converted = convert('responses', 'chat', { input: 'hi', tools: [EXEC], stream: true });
  const sse = rawAnswer(converted, [...opened, ...fed].join('') + end());
  const steps = [...sse.matchAll(/"type":"response\.(output_item\.(?:added|done)|function_call_arguments\.delta)"[^\n]*?"output_index":(\d)/g)];
  const told = steps.map(([, type = '', index]) => `${type.replace(/^.*\./, '')} ${index}`);
  expect(told).toEqual([0, 1, 2].flatMap(index => ['added', 'delta', 'delta', 'done'].map(step => `${step} ${index}`)));
  expect(answer(converted, [...opened, ...fed].join('') + end()).calls.map(({ id, input }) => `${id} ${input}`)).toEqual(['a 0;0;', 'b 1;1;', 'c 2;2;']);
});

test(`${verifies('MOD-13', 'MOD-7')} a reference to a found tool crosses as its name, and stays as it is between equals`, () => {
  const found = { type: 'tool_reference', tool_name: 'mcp__forge__pr_get' };
  const messages = [
    { role: 'user', content: 'go' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'exec', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: [found] }] },
  ];
  const body = { messages, tools: [{ name: 'exec', input_schema: { type: 'object' } }], max_tokens: 9 };
  const chat = convert('messages', 'chat', body).body['messages'] as { role: string; content: unknown }[];
  expect(chat.at(-1)).toMatchObject({ role: 'tool', content: 'mcp__forge__pr_get' });
  expect(JSON.stringify(convert('messages', 'messages', body).body)).toContain(JSON.stringify(found));
});
