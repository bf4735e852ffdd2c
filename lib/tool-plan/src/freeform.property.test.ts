import { verifies } from '@weir/requirements';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createFreeformDecoder } from './freeform-decoder.ts';
import { envelopeDescription, sealEnvelope } from './freeform-envelope.ts';
import { assignAliases } from './assign-aliases.ts';
import { nameRule } from './tool-alias.ts';
import { DEFAULT_FACTS } from './capability-facts.ts';

const anyText = fc.oneof(fc.string({ unit: 'binary' }), fc.string(), fc.constantFrom('', '"', '\\', '\\u', '😀', '\ud83d', 'line\r\n\t"q" \\ \u0000\u2028'));

const decode = (pieces: readonly string[]): { text: string; complete: boolean; deltas: readonly string[] } => {
  const decoder = createFreeformDecoder();
  const deltas = pieces.map(piece => decoder.push(piece));
  return { text: deltas.join(''), complete: decoder.complete(), deltas };
};

test(`${verifies('MOD-6')} the envelope gives back every input, split at every place`, () => {
  fc.assert(
    fc.property(anyText, input => {
      const sealed = sealEnvelope(input);
      expect(decode([sealed])).toMatchObject({ text: input, complete: true });
      expect(decode([...sealed].flatMap(char => char.split('')))).toMatchObject({ text: input, complete: true });
      for (let at = 0; at <= sealed.length; at += 1) expect(decode([sealed.slice(0, at), sealed.slice(at)])).toMatchObject({ text: input, complete: true });
    }),
    { numRuns: 200 },
  );
});

test(`${verifies('MOD-6')} escapes of any JSON writer are read, and no delta splits a character`, () => {
  const text = '{ "input" : "\\ud83d\\ude00\\u00e9\\/\\b" }';
  for (let at = 0; at <= text.length; at += 1) {
    const { text: all, complete, deltas } = decode([text.slice(0, at), text.slice(at)]);
    expect({ all, complete }).toEqual({ all: '😀é/\b', complete: true });
    for (const delta of deltas) expect(encodeURIComponent(delta)).toBeTypeOf('string');
  }
});

test.each([
  '*** Begin Patch',
  '[]',
  '{"text":"x"}',
  '{"input":1}',
  '{"input":"a","b":1}',
  '{"input":"a"}x',
  '{"input":"\u0001"}',
  '{"input":"\\q"}',
  '{"input":"\\u12g4"}',
  '{}',
])(`${verifies('MOD-6')} %s is no envelope`, text => {
  const decoder = createFreeformDecoder();
  for (const char of text) decoder.push(char);
  expect(decoder.broken()).toBe(true);
});

test(`${verifies('MOD-6')} a cut envelope is neither complete nor broken`, () => {
  const decoder = createFreeformDecoder();
  expect(decoder.push('{"input":"rm -rf /tm')).toBe('rm -rf /tm');
  expect([decoder.complete(), decoder.broken()]).toEqual([false, false]);
});

test(`${verifies('MOD-6')} case 14: the description keeps the grammar`, () => {
  const text = envelopeDescription({ description: 'Edits files.', grammar: { syntax: 'lark', definition: 'start: hunk+' } });
  expect(text).toContain('Edits files.');
  expect(text).toContain('lark grammar:\nstart: hunk+');
});

const part = fc.oneof(fc.constantFrom('a', 'b', 'a__b', 'b__c', 'ns', '__proto__', 'x'.repeat(70), 'ü.ñ'), fc.string({ minLength: 1, maxLength: 8 }));
const wish = fc.record({
  tool: fc.record({ namespace: fc.option(part, { nil: undefined }), name: part, kind: fc.constantFrom('function' as const, 'custom' as const) }),
  declared: fc.boolean(),
});

test(`${verifies('MOD-5')} aliases are legal, distinct and independent of the order, for any set of tools`, () => {
  const rule = nameRule(DEFAULT_FACTS.chat);
  const distinct = fc.uniqueArray(wish, { selector: ({ tool }) => JSON.stringify(tool), maxLength: 30 });
  fc.assert(
    fc.property(distinct, wishes => {
      const all = wishes.map(each => ({ ...each, keepsName: each.tool.namespace === undefined && each.tool.kind === 'function' }));
      const { byTool, collision } = assignAliases(all, rule);
      expect(collision).toBeUndefined();
      expect(new Set(byTool.values()).size).toBe(all.length);
      for (const alias of byTool.values()) expect(alias).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
      const reversed = assignAliases([...all].reverse(), rule).byTool;
      for (const [key, alias] of byTool) expect(reversed.get(key)).toBe(alias);
    }),
  );
});
