import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DEFAULT_FACTS, PROTOCOLS, type WireProtocol } from '@weir/tool-plan';
import { verifies } from '@weir/requirements';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { understand } from '../test/scripted-upstream.ts';
import { debugConvert } from './debug-convert.ts';
import { convertRequest } from './convert-request.ts';
import { debugStream } from './debug-stream.ts';

const fixtures = resolve(import.meta.dirname, '../fixtures');
const protocolOf = (name: string): WireProtocol => (/completions|chat/.test(name) ? 'chat' : /messages/.test(name) ? 'messages' : 'responses');
const captured = readdirSync(fixtures)
  .filter(name => name.endsWith('.request.json'))
  .map(name => ({ client: protocolOf(name), body: JSON.parse(readFileSync(join(fixtures, name), 'utf8')) as unknown }));

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** All places of a document, and the values that stand there. */
function placesOf(value: unknown, path: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, child]) => placesOf(child, [...path, key]))];
}
function replaceAt(value: unknown, path: readonly (string | number)[], by: unknown): unknown {
  const [head, ...rest] = path;
  if (head === undefined) return by;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((child: unknown, index) => (String(index) === String(head) ? replaceAt(child, rest, by) : child));
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, key === head ? replaceAt(child, rest, by) : (child as unknown)]));
}

const HOSTILE: readonly Json[] = [
  null,
  true,
  -1,
  1e308,
  '',
  '😀\ud800',
  'x'.repeat(3000),
  [],
  [null],
  {},
  { type: 'unknown_thing' },
  { type: 7 },
  [[[]]],
  '__proto__',
  'constructor',
];
const damage = fc.record({ at: fc.nat(), by: fc.oneof(fc.constantFrom(...HOSTILE), fc.jsonValue()) });
const PLACES = captured.map(({ body }) => placesOf(body));

test(`${verifies('MOD-10', 'MOD-11')} any damage to a captured request gives a body or a client error, at every upstream`, () => {
  fc.assert(
    fc.property(
      fc.nat({ max: captured.length - 1 }),
      fc.array(damage, { minLength: 1, maxLength: 4 }),
      fc.constantFrom(...PROTOCOLS),
      (which, damages, upstream) => {
        const { client, body } = captured[which] ?? { client: 'chat' as const, body: {} };
        const places = PLACES[which] ?? [];
        const broken = damages.reduce((document: unknown, { at, by }) => replaceAt(document, places[at % places.length] ?? [], by), body);
        const outcome = debugConvert({ client, upstream, facts: undefined, request: JSON.stringify(broken) });
        if ('error' in outcome) expect(outcome.error.status).toBe(400);
        else if ('body' in outcome) expect(() => JSON.stringify(outcome.body)).not.toThrow();
        else throw new Error(outcome.problem);
      },
    ),
    { numRuns: 600 },
  );
});

const streams = readdirSync(fixtures)
  .filter(name => name.endsWith('.response.sse'))
  .map(name => ({ upstream: protocolOf(name), text: readFileSync(join(fixtures, name), 'utf8') }));
const REQUESTS = {
  responses: { model: 'm', stream: true, input: 'hi', tools: ['exec_command', 'bash', 'Bash'].map(name => ({ type: 'function', name })) },
  chat: { model: 'm', stream: true, messages: [], tools: ['exec_command', 'bash', 'Bash'].map(name => ({ type: 'function', function: { name } })) },
  messages: { model: 'm', stream: true, max_tokens: 9, messages: [], tools: ['exec_command', 'bash', 'Bash'].map(name => ({ name })) },
};
const shuffle = fc.record({ at: fc.nat(), to: fc.nat(), how: fc.constantFrom('drop', 'double', 'move', 'damage'), by: fc.constantFrom(...HOSTILE) });

test(`${verifies('MOD-10')} lost, doubled, moved and damaged events end every client's stream with an ending of its own`, () => {
  fc.assert(
    fc.property(
      fc.nat({ max: streams.length - 1 }),
      fc.array(shuffle, { minLength: 1, maxLength: 4 }),
      fc.constantFrom(...PROTOCOLS),
      (which, shuffles, client) => {
        const { upstream, text } = streams[which] ?? { upstream: 'chat' as const, text: '' };
        const blocks = text.split('\n\n').filter(block => block !== '');
        for (const { at, to, how, by } of shuffles) {
          const index = at % blocks.length;
          const block = blocks[index] ?? '';
          if (how === 'drop') blocks.splice(index, 1);
          else if (how === 'double') blocks.splice(index, 0, block);
          else if (how === 'move') blocks.splice(to % blocks.length, 0, ...blocks.splice(index, 1));
          else blocks[index] = damageEvent(block, to, by);
        }
        const request = JSON.stringify(REQUESTS[client]);
        const outcome = debugStream(
          { client, upstream, facts: { custom: false, developer_role: false }, request },
          blocks.map(block => `${block}\n\n`).join(''),
        );
        if (!('sse' in outcome)) throw new Error(JSON.stringify(outcome));
        if (client !== upstream) expect(understand[client](outcome.sse).end).not.toBe('');
      },
    ),
    { numRuns: 600 },
  );
});

function damageEvent(block: string, at: number, by: Json): string {
  const line = block.split('\n').find(each => each.startsWith('data: ')) ?? '';
  if (line === 'data: [DONE]' || line === '') return block;
  const event = JSON.parse(line.slice(6)) as unknown;
  const places = placesOf(event);
  return `data: ${JSON.stringify(replaceAt(event, places[at % places.length] ?? [], by))}`;
}

const refused = (client: WireProtocol, request: string): string => {
  const outcome = debugConvert({ client, upstream: 'chat', facts: undefined, request });
  return 'error' in outcome ? String((outcome.error.body['error'] as { code?: string }).code) : 'taken';
};

test.each<[string, WireProtocol, string]>([
  ['nothing', 'chat', ''],
  ['no object', 'chat', '[]'],
  ['an empty object', 'chat', '{}'],
  ['no model', 'responses', '{"input":"hi"}'],
  ['no messages', 'messages', '{"model":"m"}'],
  ['an item that is text', 'responses', '{"model":"m","input":["hi"]}'],
  ['a call without an id', 'responses', '{"model":"m","input":[{"type":"function_call","name":"x"}]}'],
  ['a role of nobody', 'responses', '{"model":"m","input":[{"type":"message","role":"ghost"}]}'],
  ['a result of nothing', 'chat', '{"model":"m","messages":[{"role":"tool","content":"x"}]}'],
  ['a tool without a name', 'messages', '{"model":"m","messages":[],"tools":[{"input_schema":{}}]}'],
  ['a choice of a shape of its own', 'responses', '{"model":"m","input":"hi","tool_choice":7}'],
  ['depth', 'chat', `{"model":"m","messages":[],"x":${'['.repeat(90_000)}${']'.repeat(90_000)}}`],
])(`${verifies('MOD-15')} %s is refused with 400 and a sentence`, (_what, client, request) => {
  expect(refused(client, request)).toBe('invalid_request');
});

test(`${verifies('MOD-13')} a field that changes the answer is refused, any other is named`, () => {
  const body = { model: 'm', input: 'hi', previous_response_id: 'r', user: 'u' };
  expect(refused('responses', JSON.stringify(body))).toBe('unsupported_field');
  expect(refused('responses', JSON.stringify({ ...body, previous_response_id: null }))).toBe('taken');
  const result = convertRequest({ client: 'responses', upstream: 'chat', facts: DEFAULT_FACTS.chat, body: { model: 'm', input: 'hi', user: 'u' } });
  expect('converted' in result ? result.converted.diagnostics : []).toEqual([
    { code: 'field_dropped', message: expect.stringContaining('"user"') as string, count: 1 },
  ]);
});

test(`${verifies('MOD-11')} an unknown item is kept when native and explained when not; a sealed summary is never lost in silence`, () => {
  const odd = { type: 'odd_item', data: 1 };
  const convert = (upstream: WireProtocol, input: readonly unknown[]): ReturnType<typeof convertRequest> =>
    convertRequest({ client: 'responses', upstream, facts: DEFAULT_FACTS[upstream], body: { model: 'm', input, tools: [] } });
  expect(convert('responses', [odd])).toMatchObject({ converted: { body: { input: [odd] } } });
  expect(convert('chat', [odd])).toMatchObject({ converted: { diagnostics: [{ code: 'item_dropped' }] } });
  expect(convert('chat', [{ type: 'compaction', encrypted_content: 'x' }])).toMatchObject({ failure: { code: 'unsupported_item' } });
  const file = { type: 'message', role: 'user', content: [{ type: 'input_file', file_id: 'f' }] };
  expect(convert('chat', [file])).toMatchObject({ failure: { code: 'unsupported_content' } });
});

test(`${verifies('MOD-5')} tools with names from the prototype are tools like any other`, () => {
  const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];
  const request = JSON.stringify({ model: 'm', input: 'hi', stream: true, tools: names.map(name => ({ type: 'custom', name })) });
  const chunks = names.map((name, index) => ({
    choices: [{ index: 0, delta: { tool_calls: [{ index, id: `c${index}`, function: { name, arguments: '{"input":"x"}' } }] } }],
  }));
  const sse = [...chunks, { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }].map(chunk => `data: ${JSON.stringify(chunk)}\n\n`).join('');
  const outcome = debugStream({ client: 'responses', upstream: 'chat', facts: undefined, request }, sse);
  expect('sse' in outcome ? understand.responses(outcome.sse).calls.map(call => `${call.kind} ${call.name}`) : outcome).toEqual(
    names.map(name => `custom ${name}`),
  );
});

test(`${verifies('MOD-10')} thousands of interleaved turns are ordered without trouble`, () => {
  const input = Array.from({ length: 2000 }, (_, n) => [
    { type: 'function_call', call_id: `a${n}`, name: 'x', arguments: '{}' },
    { type: 'function_call', call_id: `b${n}`, name: 'x', arguments: '{}' },
    { type: 'function_call_output', call_id: `a${n}`, output: '' },
  ]).flat();
  const late = Array.from({ length: 2000 }, (_, n) => ({ type: 'function_call_output', call_id: `b${n}`, output: '' }));
  const result = convertRequest({ client: 'responses', upstream: 'chat', facts: DEFAULT_FACTS.chat, body: { model: 'm', input: [...input, ...late] } });
  expect('converted' in result ? (result.converted.body['messages'] as unknown[]).length : result).toBe(6000);
});
