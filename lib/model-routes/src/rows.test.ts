import { type Model, ModelProvider } from '@weir/contract';
import { verifies } from '@weir/requirements';
import { describe, expect, test } from 'vitest';
import { checkModel, checkModelProvider } from './check-rows.ts';
import { refuseModelChange, refuseProviderDeletion } from './model-change.ts';
import { MODEL_PRESETS } from './presets.ts';
import { providerFromPreset } from './provider-from-preset.ts';
import { allowsRoute, budgetRefusal, virtualKeyState } from './virtual-key-rules.ts';

const problems = (check: ReturnType<typeof checkModel> | ReturnType<typeof checkModelProvider>): string =>
  check.ok ? '' : check.problems.map(({ path, message }) => `${path}: ${message}`).join('\n');

describe('presets', () => {
  test.each(Object.keys(MODEL_PRESETS))('%s makes a row that fits its schema', name => {
    const made = providerFromPreset(name, { baseUrl: 'https://models.example/v1/', name: 'mine' });
    expect(problems(made)).toBe('');
    if (made.ok) expect(ModelProvider.parse(made.row)).toMatchObject({ name: 'mine', baseUrl: 'https://models.example/v1' });
  });

  test.each(['openai', 'anthropic', 'gemini', 'ollama', 'vllm', 'deepseek', 'openrouter'])('%s needs nothing else', name => {
    expect(providerFromPreset(name, {})).toMatchObject({ ok: true, row: { name } });
  });

  test('where the operator has to name the address, the refusal shows one', () => {
    expect(problems(providerFromPreset('azure', {}))).toBe('baseUrl: azure has an address of your own: https://YOUR-RESOURCE.openai.azure.com/openai/v1');
  });

  test('an unknown preset is named with the nearest', () => {
    expect(problems(providerFromPreset('deepsek', {}))).toContain('there is no preset deepsek; did you mean deepseek?');
    expect(problems(providerFromPreset('constructor', {}))).toContain('there is no preset constructor');
  });

  test(`${verifies('MOD-18a')} earlier reasoning goes back only where the vendor says in which field`, () => {
    const chat = Object.entries(MODEL_PRESETS).filter(([, { protocol }]) => protocol === 'chat');
    expect(Object.fromEntries(chat.map(([name, { facts }]) => [name, facts.reasoning_field]))).toEqual({
      ...{ 'openai-chat': null, gemini: null, 'azure-chat': null, ollama: null, vllm: null },
      ...{ deepseek: 'reasoning_content', openrouter: 'reasoning' },
    });
  });

  test(`${verifies('REV-30')} no preset has a price`, () => {
    expect(JSON.stringify(MODEL_PRESETS)).not.toMatch(/price|rates|unmetered/);
  });
});

const MODEL = { modelProvider: 'p', name: 'm', upstreamModel: 'm-1', price: { mode: 'metered', rates: { input: 5, output: 9 } } };

test.each([
  ['no price', { ...MODEL, price: null }, /^price: m has neither rates .* nor the word/],
  ['a missing price', { ...MODEL, price: undefined }, /^price: /],
  ['a zero for input', { ...MODEL, price: { mode: 'metered', rates: { input: 0, output: 9 } } }, /^price\.rates\.input: a metered model has rates above zero/],
  ['no rate for output', { ...MODEL, price: { mode: 'metered', rates: { input: 5 } } }, /^price\.rates\.output: /],
  ['half a millicent', { ...MODEL, price: { mode: 'metered', rates: { input: 0.5, output: 9 } } }, /^price\.rates\.input: /],
  ['a rate beyond the bound', { ...MODEL, price: { mode: 'metered', rates: { input: 1_000_000_001, output: 9 } } }, /^price\.rates\.input: /],
  ['rates on an unmetered model', { ...MODEL, price: { mode: 'unmetered', rates: { input: 5, output: 9 } } }, /^price: /],
  ['a mode that means nothing', { ...MODEL, price: { mode: 'free' } }, /^price\.mode: /],
  ['a name with a space', { ...MODEL, name: 'a b' }, /^name: /],
  ['an unknown key', { ...MODEL, temperature: 1 }, /temperature/],
  ['an unknown fact', { ...MODEL, facts: { paralel_calls: true } }, /^facts\.paralel_calls: there is no such fact; did you mean parallel_calls\?$/],
])(`${verifies('REV-30')} a model with %s is refused`, (_, row, message) => {
  expect(problems(checkModel(row))).toMatch(message);
});

test(`${verifies('REV-30')} rates for input and output, or the word unmetered, are enough; a zero for a cache is the operator's word`, () => {
  for (const price of [MODEL.price, { mode: 'unmetered' }, { mode: 'metered', rates: { input: 5, output: 9, cached_input: 0 }, since: '2026-01-02' }]) {
    expect(checkModel({ ...MODEL, price })).toMatchObject({ ok: true, row: { price } });
  }
});

const PROVIDER = { ...MODEL_PRESETS.openai, name: 'p' };

test.each([
  ['a name that is no part of an address', { name: 'P/1' }],
  ['another scheme', { baseUrl: 'file:///etc/passwd' }],
  ['a query', { baseUrl: 'https://x.example/v1?key=1' }],
  ['a user', { baseUrl: 'https://user:pw@x.example/v1' }],
  ['a slash at the end', { baseUrl: 'https://x.example/v1/' }],
  ['a credential among the headers', { headers: { authorization: 'Bearer x' } }],
  ['a header with a line end', { headers: { 'x-a': 'b\r\nc: d' } }],
  ['a fact that does not exist', { facts: { functions: true } }],
  ['an unknown protocol', { protocol: 'grpc' }],
])('a model provider with %s is refused', (_, changes) => {
  expect(checkModelProvider({ ...PROVIDER, ...changes }).ok).toBe(false);
});

const USED: Model = { modelProvider: 'p', name: 'm', upstreamModel: 'm-1', price: { mode: 'unmetered' } };
const uses = ['default review model', 'agent profile a'].map(holder => ({ holder, modelProvider: 'p', model: 'm' }));

test(`${verifies('REV-30')} a model in use keeps its name and its id; everything else may change`, () => {
  expect(refuseModelChange(USED, undefined, uses)).toEqual({
    code: 'MODEL_IN_USE',
    message: 'p/m cannot be deleted: it is used by default review model, agent profile a.',
  });
  expect(refuseModelChange(USED, { ...USED, name: 'n' }, uses)?.message).toContain('renamed');
  expect(refuseModelChange(USED, { ...USED, upstreamModel: 'm-2' }, uses)?.message).toContain('renamed');
  expect(refuseModelChange(USED, { ...USED, price: MODEL.price as Model['price'], facts: { custom: true } }, uses)).toBeUndefined();
  expect(refuseModelChange({ ...USED, name: 'other' }, undefined, uses)).toBeUndefined();
  expect(refuseModelChange(USED, undefined, [])).toBeUndefined();
});

test(`${verifies('REV-30')} a provider with models is not deleted, and a long list is cut`, () => {
  const models = Array.from({ length: 7 }, (_, index) => ({ ...USED, name: `m${index}` }));
  expect(refuseProviderDeletion('p', { models })?.message).toBe('p cannot be deleted: it is used by p/m0, p/m1, p/m2, p/m3, p/m4 and 2 more.');
  expect(refuseProviderDeletion('q', { models })).toBeUndefined();
});

test(`${verifies('MOD-17')} a key ends by revocation and by its expiry`, () => {
  expect(virtualKeyState({ revokedAt: null, expiresAt: null }, 5)).toBe('active');
  expect(virtualKeyState({ revokedAt: null, expiresAt: 6 }, 5)).toBe('active');
  expect(virtualKeyState({ revokedAt: null, expiresAt: 5 }, 5)).toBe('expired');
  expect(virtualKeyState({ revokedAt: 1, expiresAt: 5 }, 5)).toBe('revoked');
});

test(`${verifies('MOD-17')} a key reaches its routes and no other`, () => {
  const allowedRoutes = [{ modelProvider: 'p' }, { modelProvider: 'q', model: 'm' }];
  const reach = (modelProvider: string, model: string): boolean => allowsRoute({ allowedRoutes }, modelProvider, model);
  expect([reach('p', 'any'), reach('q', 'm'), reach('q', 'n'), reach('r', 'm')]).toEqual([true, true, false, false]);
  expect([allowsRoute({ allowedRoutes: null }, 'r', 'm'), allowsRoute({ allowedRoutes: [] }, 'r', 'm')]).toEqual([true, false]);
});

test(`${verifies('MOD-17')} a budget refuses when it is spent, and for now when the calls under way may spend it`, () => {
  const key = { budgetMillicents: 100, budgetCalls: null, spentMillicents: 60, reservedMillicents: 30, calls: 9 };
  expect(budgetRefusal(key)).toBeUndefined();
  expect(budgetRefusal({ ...key, reservedMillicents: 40 })).toBe('in_flight');
  expect(budgetRefusal({ ...key, spentMillicents: 100 })).toBe('spent');
  expect(budgetRefusal({ ...key, budgetCalls: 9 })).toBe('spent');
  expect(budgetRefusal({ ...key, budgetMillicents: null, spentMillicents: 1e9 })).toBeUndefined();
  expect(budgetRefusal({ ...key, budgetMillicents: 0, spentMillicents: 0 })).toBe('spent');
});
