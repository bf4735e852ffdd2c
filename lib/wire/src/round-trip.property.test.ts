import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type CapabilityFacts, DEFAULT_FACTS, PROTOCOLS, sealEnvelope, type WireProtocol } from '@weir/tool-plan';
import { verifies } from '@weir/requirements';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scriptedStream, type ScriptedCall, understand } from '../test/scripted-upstream.ts';
import { convertRequest } from './convert-request.ts';
import type { JsonObject } from './json.ts';
import { openStream } from './open-stream.ts';

// Generators draw from the captures: their items, messages and tools, mixed anew.

const fixtures = resolve(import.meta.dirname, '../fixtures');
const protocolOf = (name: string): WireProtocol => (/completions|chat/.test(name) ? 'chat' : /messages/.test(name) ? 'messages' : 'responses');
const bodies = readdirSync(fixtures)
  .filter(name => name.endsWith('.request.json') && !name.includes('name-inverse'))
  .map(name => ({ protocol: protocolOf(name), body: JSON.parse(readFileSync(join(fixtures, name), 'utf8')) as JsonObject }));
const LIST = { responses: 'input', chat: 'messages', messages: 'messages' } as const;
const partsOf = (protocol: WireProtocol, field: string): readonly JsonObject[] =>
  bodies.filter(each => each.protocol === protocol).flatMap(({ body }) => (body[field] as JsonObject[] | undefined) ?? []);

const ALL: Partial<CapabilityFacts> = {
  custom: true,
  namespace: true,
  tool_search: true,
  additional_tools: true,
  developer_role: true,
  second_system_message: true,
  image_in_tool_result: true,
};

test.each(PROTOCOLS)(`${verifies('MOD-5', 'MOD-11')} %s: encoding is the inverse of decoding, for captured parts in any order`, protocol => {
  const items = partsOf(protocol, LIST[protocol]);
  const tools = partsOf(protocol, 'tools');
  const rest = bodies.find(each => each.protocol === protocol)?.body ?? {};
  const hosted = { type: 'web_search_20250305', name: 'web_search' };
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...items), { maxLength: 12 }),
      fc.uniqueArray(fc.nat({ max: tools.length - 1 }), { minLength: 1, maxLength: 8 }),
      (chosen, picks) => {
        const list = picks.map(pick => tools[pick] ?? {}).filter(tool => tool['type'] !== 'web_search');
        if (list.length === 0) return;
        const body = {
          ...rest,
          [LIST[protocol]]: chosen.map(item => structuredClone(item)),
          tools: [...list, hosted],
          tool_choice: protocol === 'messages' ? { type: 'auto' } : 'auto',
        };
        const result = convertRequest({ client: protocol, upstream: protocol, facts: { ...DEFAULT_FACTS[protocol], ...ALL }, body });
        if ('failure' in result)
          expect(['contradictory_tools', 'ambiguous_collaboration', 'duplicate_call_id', 'alias_collision']).toContain(result.failure.code);
        else {
          expect(result.converted.passthrough).toBe(false);
          expect(result.converted.body['tools']).toEqual(merged(list));
          expect({ ...result.converted.body, tools: body.tools }).toEqual(body);
        }
      },
    ),
    { numRuns: 150 },
  );
});

/** The same tool or namespace, taken from two captures, is one. */
function merged(tools: readonly JsonObject[]): readonly JsonObject[] {
  const kept = new Map<string, JsonObject>();
  for (const tool of tools) {
    const key = tool['type'] === 'namespace' ? `namespace ${String(tool['name'])}` : JSON.stringify(tool);
    const before = kept.get(key);
    if (before === undefined) kept.set(key, tool);
    else if (tool['type'] === 'namespace')
      kept.set(key, { ...before, tools: merged([...(before['tools'] as JsonObject[]), ...(tool['tools'] as JsonObject[])]) });
  }
  return [...kept.values()];
}

const CALL_TOOLS = [
  { type: 'function', name: 'plain', parameters: { type: 'object' } },
  { type: 'custom', name: 'patch' },
  {
    type: 'namespace',
    name: 'ns',
    tools: [
      { type: 'function', name: 'child' },
      { type: 'custom', name: 'free' },
    ],
  },
];
const anyText = fc.string({ unit: 'grapheme', maxLength: 40 });
const anyCall = fc.oneof(
  fc.record({ tool: fc.constant({ name: 'plain', namespace: undefined, kind: 'function' as const }), input: fc.json() }),
  fc.record({ tool: fc.constant({ name: 'child', namespace: 'ns', kind: 'function' as const }), input: fc.json() }),
  fc.record({ tool: fc.constant({ name: 'patch', namespace: undefined, kind: 'custom' as const }), input: anyText }),
  fc.record({ tool: fc.constant({ name: 'free', namespace: 'ns', kind: 'custom' as const }), input: anyText }),
);

test(`${verifies('MOD-5', 'MOD-6', 'MOD-10')} whatever a model says, in whatever pieces, a Responses client sees exactly that`, () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...PROTOCOLS),
      fc.array(anyCall, { maxLength: 4 }),
      anyText,
      fc.array(fc.nat({ max: 400 }), { maxLength: 8 }),
      (upstream, calls, text, cuts) => {
        const facts = DEFAULT_FACTS[upstream];
        const result = convertRequest({ client: 'responses', upstream, facts, body: { model: 'm', input: 'hi', stream: true, tools: CALL_TOOLS } });
        if ('failure' in result) throw new Error(result.failure.message);
        const expected = calls.map(({ tool, input }, index): ScriptedCall => ({ id: `c${index}`, ...tool, input }));
        const said = expected.map((call): ScriptedCall => {
          const planned = result.converted.plan.toUpstream({ namespace: call.namespace, name: call.name, kind: call.kind });
          return {
            ...call,
            name: planned?.alias ?? '',
            namespace: undefined,
            kind: 'function',
            input: planned?.form === 'envelope' ? sealEnvelope(call.input) : call.input,
          };
        });
        const bytes = new TextEncoder().encode(scriptedStream[upstream]({ text, calls: said }));
        const machine = openStream(result.converted, { fallbackId: 'f', createdAt: 1, estimatedInputTokens: 1 });
        const places = [0, ...cuts.map(cut => (cut * 7) % bytes.length).sort((a, b) => a - b), bytes.length];
        const sse = places.slice(1).map((to, index) => machine.push(bytes.subarray(places[index], to)));
        const seen = understand.responses(sse.join('') + machine.end());
        expect(machine.failure()).toBeUndefined();
        expect(seen).toMatchObject({ text, calls: expected });
      },
    ),
    { numRuns: 200 },
  );
});
