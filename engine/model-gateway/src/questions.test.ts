/** What is asked of the gateway beside calls: which models there are, how many tokens, and what would become of a request. */
import { verifies } from '@weir/requirements';
import { expect, test } from 'vitest';
import { createModelGateway } from './create-model-gateway.ts';
import type { GatewayReply } from './gateway-call.ts';
import { MODEL, never, PROVIDER, scriptedHttp, testWorld, VIRTUAL_KEY, type WorldChanges } from './test-world.fixture.ts';

const OTHER = { ...PROVIDER, name: 'other', protocol: 'messages', baseUrl: 'https://other.example/v1' } as const;
const ROWS = {
  providers: [PROVIDER, OTHER],
  models: [MODEL, { ...MODEL, name: 'both' }, { ...MODEL, modelProvider: 'other', name: 'both' }, { ...MODEL, name: 'unpriced', price: null }],
};
const holder = (changes: Partial<typeof VIRTUAL_KEY> = {}) => ({ kind: 'key', key: { ...VIRTUAL_KEY, ...changes } }) as const;
const bytes = (value: object): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

function gatewayOver(changes: Partial<WorldChanges> = {}) {
  const http = scriptedHttp({ parts: ['{"input_tokens":42}'] });
  const world = testWorld({ http, ...ROWS, ...changes });
  return { gateway: createModelGateway(world), world, http };
}

const idsOf = (text: string): readonly string[] => (JSON.parse(text) as { data: { id: string }[] }).data.map(({ id }) => id);

test(`${verifies('MOD-12')} one document lists what the key may use, for all clients; a name that two providers have stands with its provider`, async () => {
  const { gateway } = gatewayOver();
  const all = await gateway.listModels(holder());
  expect(idsOf(all.text)).toEqual(['m', 'acme/both', 'other/both']);
  const { data, models } = JSON.parse(all.text) as { data: object[]; models: { slug: string; base_instructions: string }[] };
  expect(data[0]).toMatchObject({ id: 'm', object: 'model', type: 'model', owned_by: 'acme' });
  expect(models.map(({ slug }) => slug)).toEqual(['m', 'acme/both', 'other/both']);
  for (const entry of models) expect(entry.base_instructions).not.toBe('');
  expect(idsOf((await gateway.listModels(holder({ allowedRoutes: [{ modelProvider: 'other' }] }))).text)).toEqual(['other/both']);
  expect(idsOf((await gateway.listModels(holder(), 'other')).text)).toEqual(['both']);
});

test(`${verifies('MOD-12')} the entity tag follows the document; one model is found by both of its names`, async () => {
  const { gateway } = gatewayOver();
  const all = await gateway.listModels(holder());
  expect(all.etag).toBe((await gateway.listModels(holder())).etag);
  expect(all.etag).not.toBe((await gatewayOver({ models: [MODEL] }).gateway.listModels(holder())).etag);
  expect(JSON.parse(all.entry('m') ?? '')).toMatchObject({ id: 'm' });
  expect(all.entry('acme/m')).toBe(all.entry('m'));
  expect(all.entry('unpriced')).toBeUndefined();
});

test(`${verifies('MOD-1')} rows that change are seen, and a name is resolved once for a revision`, async () => {
  const { gateway, world } = gatewayOver();
  const models = [MODEL];
  let revision = '1';
  let reads = 0;
  Object.assign(world.stores.config, {
    rows: async () => {
      reads += 1;
      return { providers: [PROVIDER], models: [...models], revision };
    },
    revision: async () => revision,
  });
  const listed = async (): Promise<readonly string[]> => idsOf((await gateway.listModels(holder())).text);
  expect(await listed()).toEqual(['m']);
  models.push({ ...MODEL, name: 'new' });
  revision = '2';
  expect(await listed()).toEqual(['m']);
  world.advance(1_000);
  expect(await listed()).toEqual(['m', 'new']);
  world.advance(1_000);
  await listed();
  expect(reads).toBe(2);
});

const count = (gateway: ReturnType<typeof gatewayOver>['gateway'], body: object, key = holder()): Promise<GatewayReply> =>
  gateway.countTokens({ protocol: 'messages', body: bytes(body), headers: { 'anthropic-beta': 'b' }, principal: key, signal: never });

test(`${verifies('MOD-12')} tokens are counted upstream where the route speaks Messages, and else estimated; neither is charged`, async () => {
  const { gateway, http, world } = gatewayOver();
  expect(await count(gateway, { model: 'other/both', messages: [] })).toMatchObject({ status: 200, body: '{"input_tokens":42}' });
  expect(http.sent).toMatchObject([{ url: 'https://other.example/v1/messages/count_tokens', headers: { 'anthropic-beta': 'b' } }]);
  expect(JSON.parse(String(http.sent[0]?.body))).toEqual({ model: 'm-1', messages: [] });
  const body = { model: 'm', messages: [{ role: 'user', content: 'x'.repeat(400) }] };
  expect(await count(gateway, body)).toMatchObject({ status: 200, body: JSON.stringify({ input_tokens: Math.ceil(JSON.stringify(body).length / 4) }) });
  expect([world.reserved, world.opened, world.charged]).toEqual([[], [], []]);
  expect((await count(gateway, body, holder({ allowedRoutes: [] }))).status).toBe(400);
  expect((await count(gateway, { model: 'none' })).status).toBe(404);
});

test(`${verifies('MOD-18')} a plan shows the route and each tool with its reason, and nothing of the request`, async () => {
  const { gateway } = gatewayOver();
  const request = { model: 'm', input: 'secret words', tools: [{ type: 'custom', name: 'patch', description: 'secret' }, { type: 'web_search' }] };
  const answer = await gateway.planRoute({ protocol: 'responses', body: bytes(request) });
  expect(answer).toMatchObject({
    plan: {
      route: {
        modelProvider: 'acme',
        model: 'm',
        upstreamModel: 'm-1',
        protocol: 'chat',
        endpoint: 'https://models.example/v1/chat/completions',
        pricing: 'metered',
      },
      counts: { adapt: 1, omit: 1 },
      passthrough: false,
      tools: [
        { name: 'patch', kind: 'custom', disposition: 'adapt', alias: 'patch' },
        { name: 'web_search', disposition: 'omit', alias: null },
      ],
    },
  });
  expect(JSON.stringify(answer)).not.toContain('secret');
  const refused = await gateway.planRoute({ protocol: 'responses', body: bytes({ ...request, tool_choice: { type: 'web_search' } }) });
  expect(refused).toMatchObject({
    failure: { class: 'permanent' },
    tools: expect.arrayContaining([expect.objectContaining({ disposition: 'required_but_unavailable' })]) as unknown,
  });
  expect(await gateway.planRoute({ protocol: 'chat', body: bytes({ model: 'both' }) })).toMatchObject({ failure: { class: 'not_found' } });
});

test(`${verifies('MOD-18')} a past call can be looked up by its reference, for a while`, async () => {
  const { gateway } = gatewayOver();
  const call = (): Promise<GatewayReply> =>
    gateway.call({ protocol: 'chat', body: bytes({ model: 'm', messages: [] }), headers: {}, principal: holder(), signal: never });
  const reference = (await call()).headers['x-weir-call'] ?? '';
  expect(gateway.planOfCall(reference)).toMatchObject({ route: { model: 'm' }, passthrough: true });
  for (let at = 0; at < 500; at += 1) await call();
  expect(gateway.planOfCall(reference)).toBeUndefined();
});
