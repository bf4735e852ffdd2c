// What each protocol refuses: one row a rule, each row a small change of a request that is in order.
import { expect, test } from 'vitest';
import { chat } from './chat/chat.ts';
import { messages } from './messages/messages.ts';
import { responses } from './responses/responses.ts';

const VERSION = { 'anthropic-version': '2023-06-01' };
const SCHEMA = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] };

const fc = (call_id: string) => ({ type: 'function_call', call_id, name: 'bash', arguments: '{}' });
const out = (call_id: string) => ({ type: 'function_call_output', call_id, output: 'done' });
const asked = { role: 'user', content: 'Do it' };
const RESPONSES = {
  model: 'm',
  stream: true,
  input: [asked, fc('a'), fc('b'), out('a'), out('b')],
  tools: [{ type: 'function', name: 'bash', parameters: SCHEMA, strict: false }],
};

test('responses: calls and outputs in order break no rule', () => {
  const { conversation, violations } = responses.read(RESPONSES, {});
  expect(violations).toEqual([]);
  expect(conversation).toMatchObject({ calls: ['a', 'b'], userText: 'Do it', tools: [{ name: 'bash', properties: ['a'], required: ['a'] }] });
});

test.each<[string, object, RegExp]>([
  ['a call without an output', { input: [asked, fc('a')] }, /No tool output found for function call a/],
  ['an output without a call', { input: [asked, out('a')] }, /No tool call found .* a/],
  ['an output before its call', { input: [out('a'), fc('a')] }, /No tool call found/],
  ['an id twice', { input: [fc('a'), out('a'), fc('a'), out('a')] }, /Duplicate call_id a/],
  ['an output of another kind', { input: [fc('a'), { ...out('a'), type: 'custom_tool_call_output' }] }, /custom_tool_call_output answers the function_call a/],
  ['a field that the vendor does not know', { messages: [] }, /messages/],
  ['an item that the vendor does not know', { input: [{ type: 'thought', text: 'x' }] }, /input\.0/],
  ['a name with a dot', { tools: [{ type: 'function', name: 'ns.child', parameters: SCHEMA }] }, /tools\.0\.name/],
  ['a name of 65 letters', { tools: [{ type: 'function', name: 'n'.repeat(65), parameters: SCHEMA }] }, /tools\.0\.name/],
  ['a tool twice', { tools: [...RESPONSES.tools, ...RESPONSES.tools] }, /declared twice/],
  ['a required choice without tools', { tools: [], tool_choice: 'required' }, /'tool_choice' needs 'tools'/],
  ['an assistant part in a user message', { input: [{ role: 'user', content: [{ type: 'output_text', text: 'x' }] }] }, /input\.0/],
])('responses refuses %s', (_, change, problem) => {
  expect(responses.read({ ...RESPONSES, ...change }, {}).violations.join('\n')).toMatch(problem);
});

const toolCalls = (...ids: string[]) => ({
  role: 'assistant',
  tool_calls: ids.map(id => ({ id, type: 'function', function: { name: 'bash', arguments: '{}' } })),
});
const result = (tool_call_id: string) => ({ role: 'tool', tool_call_id, content: 'done' });
const CHAT = {
  model: 'm',
  messages: [asked, toolCalls('a', 'b'), result('a'), result('b')],
  tools: [{ type: 'function', function: { name: 'bash', parameters: SCHEMA } }],
};

test('chat: calls and results in order break no rule', () => {
  const { conversation, violations } = chat.read(CHAT, {});
  expect(violations).toEqual([]);
  expect(conversation).toMatchObject({ calls: ['a', 'b'], results: [{ callId: 'a', text: 'done' }, { callId: 'b' }] });
});

const TINY = { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } };
test.each<[string, object, RegExp]>([
  ['each call in a message of its own', { messages: [asked, toolCalls('a'), toolCalls('b'), result('a'), result('b')] }, /'a' has no response/],
  ['a user message between call and result', { messages: [toolCalls('a'), asked, result('a')] }, /'a' has no response/],
  ['a result without a call', { messages: [asked, result('a')] }, /follows no message with that call/],
  ['a call without a result', { messages: [asked, toolCalls('a')] }, /'a' has no response/],
  ['an id twice in one message', { messages: [toolCalls('a', 'a'), result('a')] }, /Duplicate ids/],
  ['an image in a result', { messages: [toolCalls('a'), { ...result('a'), content: [TINY] }] }, /messages\.1\.content/],
  ['an empty list of tools', { tools: [] }, /tools/],
  ['a choice without tools', { tools: undefined, tool_choice: 'auto' }, /'tool_choice' is only allowed/],
  ['parallel calls without tools', { tools: undefined, parallel_tool_calls: true }, /'parallel_tool_calls' is only allowed/],
  ['a custom tool', { tools: [{ type: 'custom', custom: { name: 'apply_patch' } }] }, /tools\.0/],
  ['a field of another protocol', { input: 'x' }, /input/],
  ['both bounds of the answer', { max_tokens: 1, max_completion_tokens: 1 }, /exclude each other/],
  ['stream options without a stream', { stream_options: { include_usage: true } }, /'stream_options' is only allowed/],
  ['an assistant that says nothing', { messages: [asked, { role: 'assistant', content: '' }] }, /needs 'content' or 'tool_calls'/],
])('chat refuses %s', (_, change, problem) => {
  expect(chat.read(JSON.parse(JSON.stringify({ ...CHAT, ...change })), {}).violations.join('\n')).toMatch(problem);
});

const use = (...ids: string[]) => ({ role: 'assistant', content: ids.map(id => ({ type: 'tool_use', id, name: 'bash', input: {} })) });
const answer = (...ids: string[]) => ({ role: 'user', content: ids.map(id => ({ type: 'tool_result', tool_use_id: id, content: 'done' })) });
const MESSAGES = { model: 'm', max_tokens: 9, messages: [asked, use('a', 'b'), answer('a', 'b')], tools: [{ name: 'bash', input_schema: SCHEMA }] };

test('messages: calls and results in order break no rule', () => {
  const { conversation, violations } = messages.read(MESSAGES, VERSION);
  expect(violations).toEqual([]);
  expect(conversation).toMatchObject({ calls: ['a', 'b'], results: [{ callId: 'a' }, { callId: 'b' }] });
});

const said = (text: string) => ({ type: 'text', text });
const marked = Array.from({ length: 5 }, () => ({ ...said('x'), cache_control: { type: 'ephemeral' } }));
test.each<[string, object, RegExp]>([
  ['no bound of the answer', { max_tokens: undefined }, /max_tokens/],
  ['results in separate messages', { messages: [asked, use('a', 'b'), answer('a'), answer('b')] }, /roles must alternate/],
  ['a missing result', { messages: [asked, use('a', 'b'), answer('a')] }, /tool_use 'b' was found without/],
  ['a result without a call', { messages: [answer('a')] }, /unexpected tool_use_id 'a'/],
  ['text before a result', { messages: [asked, use('a'), { role: 'user', content: [said('x'), ...answer('a').content] }] }, /must come first/],
  ['an empty text', { messages: [{ role: 'user', content: [said('')] }] }, /messages\.0\.content/],
  ['an assistant at the start', { messages: [{ role: 'assistant', content: 'x' }] }, /first message must be of the user/],
  ['an id with a dot', { messages: [asked, use('a.b'), answer('a.b')] }, /messages\.1\.content/],
  ['thinking without its signature', { messages: [asked, { role: 'assistant', content: [{ type: 'thinking', thinking: 'x', signature: '' }] }] }, /signature/],
  ['a choice without tools', { tools: [], tool_choice: { type: 'auto' } }, /tool_choice may only/],
  ['five marks of the cache', { messages: [{ role: 'user', content: marked }] }, /maximum of 4 blocks/],
  ['a system role without a beta', { messages: [asked, { role: 'system', content: 'x' }] }, /needs an anthropic-beta header/],
  ['context management without its beta', { context_management: { edits: [] } }, /context_management/],
  ['a thinking budget above the answer', { thinking: { type: 'enabled', budget_tokens: 1024 } }, /max_tokens must be greater/],
  ['a field of another protocol', { stream_options: {} }, /stream_options/],
])('messages refuses %s', (_, change, problem) => {
  expect(messages.read(JSON.parse(JSON.stringify({ ...MESSAGES, ...change })), VERSION).violations.join('\n')).toMatch(problem);
});

test('messages: two texts of the user in a row break no rule, two of the assistant do', () => {
  expect(messages.read({ ...MESSAGES, messages: [asked, asked] }, VERSION).violations).toEqual([]);
  const twice = [asked, { role: 'assistant', content: 'x' }, { role: 'assistant', content: 'y' }, asked];
  expect(messages.read({ ...MESSAGES, messages: twice }, VERSION).violations.join()).toContain("'assistant' stands twice");
});

test('messages refuses a request without its version', () => {
  expect(messages.read(MESSAGES, {}).violations).toEqual(['anthropic-version: must be 2023-06-01.']);
});
