import type { Model, ModelPrice, ModelProvider, ModelRows } from '@weir/contract';
import { verifies } from '@weir/requirements';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { providerFromPreset } from './provider-from-preset.ts';
import { resolveRoute } from './resolve-route.ts';

const PRICE: ModelPrice = { mode: 'metered', rates: { input: 1, output: 2 } };

function preset(name: string, changes: Partial<ModelProvider> = {}): ModelProvider {
  const made = providerFromPreset(name, changes);
  if (!made.ok) throw new Error(JSON.stringify(made.problems));
  return made.row;
}

const model = (modelProvider: string, name: string, changes: Partial<Model> = {}): Model => ({
  modelProvider,
  name,
  upstreamModel: name,
  price: PRICE,
  ...changes,
});

const ROWS: ModelRows = {
  providers: [preset('openai'), preset('anthropic'), preset('openrouter'), preset('azure', { baseUrl: 'https://x.openai.azure.com/openai/v1/' })],
  models: [
    model('openai', 'gpt-large'),
    model('anthropic', 'sonnet', { upstreamModel: 'sonnet-20260101', facts: { custom: true }, profile: { temperature: 'refused' } }),
    model('openrouter', 'openai/gpt-large'),
    model('openrouter', 'vendor/other'),
    model('azure', 'sonnet', { price: null }),
    model('azure', 'deployment-1', { price: { mode: 'unmetered' } }),
    model('gone', 'orphan'),
  ],
};

test(`${verifies('MOD-1')} a name resolves to one frozen route that has everything a call needs`, () => {
  const found = resolveRoute('anthropic/sonnet', ROWS);
  if (!found.ok) throw new Error(found.message);
  expect(found.route).toMatchObject({
    ref: 'anthropic/sonnet',
    modelProvider: 'anthropic',
    callerModel: 'sonnet',
    model: 'sonnet-20260101',
    protocol: 'messages',
    endpoint: 'https://api.anthropic.com/v1/messages',
    auth: { scheme: 'header', header: 'x-api-key' },
    headers: { 'anthropic-version': '2023-06-01' },
    profile: { outputTokens: 'max_tokens', temperature: 'refused' },
    usageRule: 'anthropic',
    price: PRICE,
  });
  expect(found.route.facts).toMatchObject({ custom: true, image_in_tool_result: true });
  const members = [found.route, found.route.facts, found.route.profile, found.route.price, found.route.headers, found.route.facts.hosted];
  expect(members.every(member => Object.isFrozen(member))).toBe(true);
});

test.each([
  ['gpt-large', undefined, 'openai/gpt-large', 'https://api.openai.com/v1/responses'],
  ['vendor/other', undefined, 'openrouter/vendor/other', 'https://openrouter.ai/api/v1/chat/completions'],
  ['openai/gpt-large', 'openai', 'openai/gpt-large', 'https://api.openai.com/v1/responses'],
  ['openai/gpt-large', 'openrouter', 'openrouter/openai/gpt-large', 'https://openrouter.ai/api/v1/chat/completions'],
  ['openrouter/openai/gpt-large', undefined, 'openrouter/openai/gpt-large', 'https://openrouter.ai/api/v1/chat/completions'],
  ['deployment-1', undefined, 'azure/deployment-1', 'https://x.openai.azure.com/openai/v1/responses'],
])(`${verifies('MOD-1')} %s bound to %s is %s`, (name, binding, ref, endpoint) => {
  expect(resolveRoute(name, ROWS, binding)).toMatchObject({ ok: true, route: { ref, endpoint } });
});

test.each([
  ['gpt-lagre', undefined, 'MODEL_UNKNOWN', 'No model "gpt-lagre" is configured; did you mean gpt-large?'],
  ['anthropic/sonet', undefined, 'MODEL_UNKNOWN', 'No model "anthropic/sonet" is configured; did you mean anthropic/sonnet?'],
  ['gpt-large', 'anthropic', 'MODEL_UNKNOWN', 'No model "gpt-large" is configured at anthropic.'],
  ['gpt-large', 'opena', 'MODEL_UNKNOWN', 'There is no model provider "opena"; did you mean openai?'],
  ['', undefined, 'MODEL_UNKNOWN', 'No model "" is configured.'],
  ['__proto__', undefined, 'MODEL_UNKNOWN', 'No model "__proto__" is configured.'],
  ['orphan', undefined, 'MODEL_UNKNOWN', 'The model provider gone of "orphan" is gone.'],
  ['azure/sonnet', undefined, 'MODEL_UNPRICED', 'azure/sonnet has no price, so it is not called: it needs rates or the word unmetered.'],
  [
    'openai/gpt-large',
    undefined,
    'MODEL_UNKNOWN',
    '"openai/gpt-large" means several models: openai/gpt-large, openrouter/openai/gpt-large. Name one in full, or ask at /v1/at/{model-provider}/.',
  ],
  [
    'sonnet',
    undefined,
    'MODEL_UNKNOWN',
    '"sonnet" means several models: anthropic/sonnet, azure/sonnet. Name one in full, or ask at /v1/at/{model-provider}/.',
  ],
])(`${verifies('MOD-1', 'REV-30')} %j bound to %s is refused as %s`, (name, binding, code, message) => {
  expect(resolveRoute(name, ROWS, binding)).toEqual({ ok: false, code, message });
});

test(`${verifies('MOD-1')} nothing is ever chosen for the caller: what resolves is named by the caller, and at the bound provider`, () => {
  const names = fc.constantFrom('a', 'b', 'p/a', 'q/a', 'p/b', 'x', 'p/p/a');
  const rows = fc.uniqueArray(fc.record({ modelProvider: fc.constantFrom('p', 'q'), name: names }), { selector: row => JSON.stringify(row), maxLength: 8 });
  fc.assert(
    fc.property(names, rows, fc.option(fc.constantFrom('p', 'q'), { nil: undefined }), (name, models, binding) => {
      const providers = [preset('openai', { name: 'p' }), preset('openai', { name: 'q' })];
      const found = resolveRoute(name, { providers, models: models.map(row => model(row.modelProvider, row.name)) }, binding);
      const meant = models.filter(row => (binding ?? row.modelProvider) === row.modelProvider && [row.name, `${row.modelProvider}/${row.name}`].includes(name));
      expect(found.ok).toBe(meant.length === 1);
      if (found.ok) expect({ modelProvider: found.route.modelProvider, name: found.route.callerModel }).toEqual(meant[0]);
    }),
  );
});

test(`${verifies('MOD-1')} a refusal quotes at most a part of a huge name, and is quick`, () => {
  const found = resolveRoute('x'.repeat(1_000_000), ROWS);
  expect(found.ok ? '' : found.message.length).toBeLessThan(400);
});
