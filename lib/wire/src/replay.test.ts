import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type CapabilityFacts, DEFAULT_FACTS, PROTOCOLS, sealEnvelope, type WireProtocol } from '@weir/tool-plan';
import { verifies } from '@weir/requirements';
import { describe, expect, test } from 'vitest';
import { eventsOf, type ScriptedCall, scriptedStream, understand } from '../test/scripted-upstream.ts';
import { convertRequest, type ConvertedRequest } from './convert-request.ts';
import { convertAnswer } from './convert-answer.ts';
import type { JsonObject } from './json.ts';
import { openStream, streamInput } from './open-stream.ts';
import type { StreamMachine } from './stream-machine.ts';
import { debugStream } from './debug-stream.ts';

const fixtures = resolve(import.meta.dirname, '../fixtures');
const protocolOf = (name: string): WireProtocol => (/completions|chat/.test(name) ? 'chat' : /messages/.test(name) ? 'messages' : 'responses');
const requests = readdirSync(fixtures)
  .filter(name => name.endsWith('.request.json'))
  .map(name => ({ name, client: protocolOf(name), body: JSON.parse(readFileSync(join(fixtures, name), 'utf8')) as JsonObject }));
const FRAME = { fallbackId: 'f', createdAt: 1, estimatedInputTokens: 5 };

const ALL: Partial<CapabilityFacts> = {
  custom: true,
  namespace: true,
  tool_search: true,
  additional_tools: true,
  developer_role: true,
  second_system_message: true,
  image_in_tool_result: true,
};
const convert = (client: WireProtocol, upstream: WireProtocol, body: unknown, facts: Partial<CapabilityFacts> = {}): ConvertedRequest => {
  const result = convertRequest({ client, upstream, body, facts: { ...DEFAULT_FACTS[upstream], ...facts }, route: 'r1' });
  if ('failure' in result) throw new Error(`${result.failure.code}: ${result.failure.message}`);
  return result.converted;
};

const pairs = requests.flatMap(request => PROTOCOLS.map(upstream => ({ ...request, upstream })));

/** Inputs that break what is cut, escaped or parsed. */
const INPUTS = ['*** Begin Patch\n*** Add File: ñ.txt\n+"q" \\ 😀\n*** End Patch', '', '{"input":"not an envelope"}'];
const argumentsFor = (kind: string, number: number): string =>
  kind === 'custom' ? (INPUTS[number % INPUTS.length] ?? '') : JSON.stringify({ query: `q ${number} "é😀\\`, list: [1, null] });

interface Exchange {
  readonly said: readonly ScriptedCall[];
  readonly expected: readonly ScriptedCall[];
}

/** Every tool that reaches the upstream, as the upstream calls it and as the client has to see it. */
function callEachTool({ plan }: ConvertedRequest): Exchange {
  const reaching = plan.entries.flatMap(({ planned }) => (planned === undefined || planned.tool.kind === 'hosted' ? [] : [planned]));
  const calls = reaching.map(({ tool, form, alias }, number) => {
    const kind = tool.kind as ScriptedCall['kind'];
    const input = argumentsFor(kind, number);
    const expected = { id: `call:${number}`, name: tool.name, namespace: tool.namespace, kind, input };
    const native = { ...expected, name: alias, namespace: form === 'same' ? tool.namespace : undefined };
    const said: ScriptedCall = form === 'same' ? native : { ...native, kind: 'function', input: form === 'envelope' ? sealEnvelope(input) : input };
    return { said, expected };
  });
  return { said: calls.map(call => call.said), expected: calls.map(call => call.expected) };
}

describe.each(pairs)('$name → $upstream', ({ client, upstream, body }) => {
  const converted = convert(client, upstream, body);
  const { said, expected } = callEachTool(converted);
  const upstreamText = scriptedStream[upstream]({ reasoning: 'Thinking…', text: 'Text é😀', calls: said });

  test(`${verifies('MOD-5', 'MOD-6', 'MOD-11')} the client sees its own names, kinds and exact inputs`, () => {
    const machine = openStream({ ...converted, passthrough: false }, FRAME);
    const seen = understand[client](machine.push(new TextEncoder().encode(upstreamText)) + machine.end());
    expect(machine.failure()).toBeUndefined();
    expect(seen.calls).toEqual(expected);
    expect(seen).toMatchObject({ text: 'Text é😀', reasoning: 'Thinking…' });
    expect(machine.usage()).toMatchObject({ input: 40, cachedInput: 60 });
  });

  test(`${verifies('MOD-5')} case 21: the same request gives the same bytes upstream`, () => {
    expect(JSON.stringify(convert(client, upstream, structuredClone(body)).body)).toBe(JSON.stringify(converted.body));
  });

  test(`${verifies('MOD-13')} a JSON answer gives the same calls as a stream`, () => {
    const events = eventsOf(upstreamText);
    const whole = wholeAnswer(upstream, events);
    const answer = convertAnswer(whole, streamInput(converted, FRAME));
    expect('body' in answer ? callsOf(client, answer.body) : answer).toEqual(
      expected.map(call => (client === 'responses' ? call : { ...call, namespace: undefined })),
    );
  });

  test(`${verifies('MOD-8')} nothing asks for tools where none are left`, () => {
    const tools = converted.body['tools'] as unknown[] | undefined;
    expect(tools?.length).not.toBe(0);
    const moved = JSON.stringify(converted.body['input'] ?? '').includes('"additional_tools"');
    if (tools === undefined && !moved) expect(converted.body).not.toMatchObject({ tool_choice: expect.anything() as unknown });
  });
});

/** The JSON answer of the same upstream, put together from its stream. */
function wholeAnswer(upstream: WireProtocol, events: ReturnType<typeof eventsOf>): unknown {
  const read = understand[upstream](events.map(event => `data: ${JSON.stringify(event)}\n\n`).join('') + 'data: [DONE]\n\n');
  if (upstream === 'responses') {
    const output = events.filter(event => (event['type'] as unknown) === 'response.output_item.done').map(event => event['item']);
    return { id: 'resp_s', status: 'completed', output, usage: read.usage };
  }
  if (upstream === 'chat') {
    const calls = read.calls.map(({ id, kind, name, input }) => ({ id, type: kind, [kind]: { name, [kind === 'custom' ? 'input' : 'arguments']: input } }));
    return {
      id: 's',
      choices: [{ index: 0, message: { role: 'assistant', content: read.text, tool_calls: calls }, finish_reason: 'tool_calls' }],
      usage: read.usage,
    };
  }
  const calls = read.calls.map(({ id, name, input }) => ({ type: 'tool_use', id, name, input: JSON.parse(input) as unknown }));
  return { id: 's', content: [{ type: 'text', text: read.text }, ...calls], stop_reason: 'tool_use', usage: { ...read.usage, input_tokens: 1 } };
}

function callsOf(client: WireProtocol, body: JsonObject): readonly ScriptedCall[] {
  if (client === 'responses') {
    const output = body['output'] as JsonObject[];
    return understand.responses(output.map(item => `data: ${JSON.stringify({ type: 'response.output_item.done', item })}\n\n`).join('')).calls;
  }
  if (client === 'chat') {
    const choices = body['choices'] as { message: { tool_calls?: { id: string; type: string; function: { name: string; arguments: string } }[] } }[];
    return (choices[0]?.message.tool_calls ?? []).map(call => ({
      id: call.id,
      namespace: undefined,
      name: call.function.name,
      kind: 'function',
      input: call.function.arguments,
    }));
  }
  const content = body['content'] as { type: string; id: string; name: string; input: unknown }[];
  return content
    .filter(block => block.type === 'tool_use')
    .map(({ id, name, input }) => ({ id, name, namespace: undefined, kind: 'function', input: JSON.stringify(input) }));
}

describe.each(requests)('$name', ({ client, body }) => {
  const isCompaction = Array.isArray(body['tools']) && body['tools'].length === 0;

  test(`${verifies('MOD-4', 'MOD-11')} decoding and encoding in one protocol loses nothing`, () => {
    const hosted = convert(client, client, body, { ...ALL, hosted: { web_search: true } });
    const dotted = JSON.stringify(body).includes('mcp__forge.pr_get_diff');
    expect(hosted.passthrough).toBe(!isCompaction && !dotted);
    if (hosted.passthrough) expect(hosted.body).toBe(hosted.changes['model'] === undefined ? hosted.body : body);
    const rewritten = convert(client, client, body, ALL).body;
    const tools = (body['tools'] as JsonObject[] | undefined)?.filter(tool => tool['type'] !== 'web_search');
    if (!isCompaction && !dotted) expect(rewritten).toEqual(tools === undefined ? body : { ...body, tools });
  });
});

const streams = readdirSync(fixtures)
  .filter(name => name.endsWith('.response.sse'))
  .map(name => ({ name, upstream: protocolOf(name), bytes: readFileSync(join(fixtures, name)) }));
const requestOf = (name: string): JsonObject => {
  const folder = name.split('__').slice(0, -1).join('__');
  return requests.find(request => request.name.startsWith(folder))?.body ?? {};
};

/** Freeform and tool-search calls exist for a Responses client only; the others get them as functions from the plan. */
const hasOwnKinds = (bytes: Uint8Array): boolean => /custom_tool_call|tool_search_call/.test(Buffer.from(bytes).toString('utf8'));
const exchanges = streams.flatMap(stream =>
  PROTOCOLS.filter(client => client === 'responses' || !hasOwnKinds(stream.bytes)).map(client => ({ ...stream, client })),
);
const WHOLE = /^(completed|tool_calls|tool_use)$/;
const CUT = /^error: (server_error|upstream_garbled|upstream_cut|overloaded_error)$/;

describe.each(exchanges)('$name → $client', ({ name, upstream, client, bytes }) => {
  /** The client's request in its own protocol, with the same tools. */
  const asClient = convert(upstream, client, requestOf(name), client === 'responses' ? ALL : {}).body;
  const converted = convert(client, upstream, asClient, upstream === 'responses' ? ALL : {});
  const open = (): StreamMachine => openStream({ ...converted, passthrough: false }, FRAME);

  test(`${verifies('MOD-10', 'MOD-13')} case 36: byte by byte or in two pieces, the stream is the same`, () => {
    const once = open();
    const expected = once.push(bytes) + once.end();
    expect(understand[client](expected).end).toMatch(WHOLE);
    const dripping = open();
    expect(Array.from(bytes, byte => dripping.push(Uint8Array.of(byte))).join('') + dripping.end()).toBe(expected);
    for (let at = 1; at < bytes.length; at += 211) {
      const machine = open();
      expect(machine.push(bytes.subarray(0, at)) + machine.push(bytes.subarray(at)) + machine.end()).toBe(expected);
    }
  });

  test(`${verifies('MOD-10')} case 37: a stream that is cut anywhere ends with the protocol's own error, or whole`, () => {
    for (let at = 0; at < bytes.length; at += 97) {
      const machine = open();
      const seen = understand[client](machine.push(bytes.subarray(0, at)) + machine.end());
      expect(seen.end).toMatch(machine.failure() === undefined ? WHOLE : CUT);
    }
  });
});

const SHORT = { reasoning: 'é', text: 'ñ😀', calls: [{ id: 'c:1', name: 'f', kind: 'function', input: '{"a":"😀\\n"}' }] } as const;
const SHORT_REQUEST: Readonly<Record<WireProtocol, JsonObject>> = {
  responses: { model: 'm', input: 'hi', tools: [{ type: 'function', name: 'f' }] },
  chat: { model: 'm', messages: [{ role: 'user', content: 'hi' }], tools: [{ type: 'function', function: { name: 'f' } }] },
  messages: { model: 'm', messages: [{ role: 'user', content: 'hi' }], tools: [{ name: 'f' }], max_tokens: 9 },
};

test.each(PROTOCOLS.flatMap(client => PROTOCOLS.map(upstream => ({ client, upstream }))))(
  `${verifies('MOD-10', 'MOD-11')} $upstream → $client: every split in two gives the same stream, and carriage returns change nothing`,
  ({ client, upstream }) => {
    const converted = convert(client, upstream, SHORT_REQUEST[client]);
    const text = scriptedStream[upstream](SHORT);
    const open = (): StreamMachine => openStream({ ...converted, passthrough: false }, FRAME);
    const once = open();
    const expected = once.push(text) + once.end();
    expect(understand[client](expected)).toMatchObject({ text: 'ñ😀', reasoning: 'é', calls: [{ id: 'c:1', name: 'f', input: '{"a":"😀\\n"}' }] });
    for (const variant of [text, text.replaceAll('\n', '\r\n'), text.replaceAll('\n', '\r'), `\ufeff: comment\n\n${text}`, text.trimEnd()]) {
      const bytes = new TextEncoder().encode(variant);
      const stride = variant === text ? 1 : 13;
      for (let at = 0; at <= bytes.length; at += stride) {
        const machine = open();
        const split = machine.push(bytes.subarray(0, at)) + machine.push(bytes.subarray(at)) + machine.end();
        if (split !== expected) expect(split, `split at ${at}`).toBe(expected);
      }
    }
  },
  60_000,
);

test(`${verifies('MOD-4')} a passed stream is the upstream's own, and ends when the upstream breaks off`, () => {
  for (const { name, upstream, bytes } of streams) {
    const body = requestOf(name);
    const input = { client: upstream, upstream, facts: { ...ALL, hosted: { web_search: true } }, request: JSON.stringify(body) };
    const facts = { ...input.facts };
    const passed = debugStream({ ...input, facts }, bytes);
    expect('sse' in passed ? passed.sse : passed).toBe(bytes.toString('utf8').replace(/\n+$/, '\n\n'));
    const cut = debugStream({ ...input, facts }, bytes.subarray(0, bytes.length / 2));
    expect('failure' in cut ? cut.failure : cut).toMatch(/upstream_cut|upstream_garbled/);
  }
});
