/** The gateway over real sockets: scripted upstreams of all three protocols behind it, and what clients, ledger and upstream say afterwards. */
import { createHttp } from '@weir/http';
import { memoryModelStores } from '@weir/model-store';
import { startGatewayServer, type GatewayServer } from '@weir/gateway-http';
import { providerFromPreset } from '@weir/model-routes';
import { type Recording, startScriptedUpstream, type ScriptedUpstream } from '@weir/scripted-upstream';
import { newVirtualKeySecret, type ModelStores } from '@weir/model-store';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { composeGateway } from './compose-gateway.ts';

const KEY = 'sk-upstream-0123456789';
let upstream: ScriptedUpstream;
let server: GatewayServer;
let stores: ModelStores;
let recording: Recording;
const virtual = newVirtualKeySecret();
const scenario = { workspace: '/work', picture: 'cGljdHVyZQ==', probePicture: 'cHJvYmU=' };

beforeAll(async () => {
  upstream = await startScriptedUpstream({ key: KEY });
  stores = memoryModelStores({ now: Date.now });
  for (const protocol of ['chat', 'responses', 'messages'] as const) {
    const preset = { chat: 'vllm', responses: 'openai', messages: 'anthropic' }[protocol];
    const checked = providerFromPreset(preset, { name: protocol, baseUrl: `${upstream.origin}/v1` });
    if (!checked.ok) throw new Error(JSON.stringify(checked));
    await stores.config.saveProvider(checked.row);
    await stores.config.saveModel({
      modelProvider: protocol,
      name: `m-${protocol}`,
      upstreamModel: 'scripted',
      price: { mode: 'metered', rates: { input: 100_000, output: 400_000 } },
    });
    await stores.credentials.add({ ref: `${protocol}-1`, modelProvider: protocol, label: 'test', sealed: KEY });
  }
  await stores.keys.create({
    id: 'k1',
    hash: virtual.hash,
    label: 'test',
    holder: { kind: 'run', id: 'run-1' },
    budgetMillicents: null,
    budgetCalls: null,
    allowedRoutes: null,
    createdAt: 0,
    expiresAt: null,
  });
  const { gateway, metrics } = composeGateway({
    http: createHttp({ allowOrigins: [upstream.origin] }),
    stores,
    secrets: { open: sealed => sealed },
    report: e => console.log(JSON.stringify(e)),
  });
  server = await startGatewayServer({
    gateway,
    metrics,
    isOperator: k => k === 'op',
    isReady: async () => true,
    host: '127.0.0.1',
    port: 0,
    onBug: e => console.error('BUG', e),
  });
});
beforeEach(() => {
  recording = upstream.begin(scenario);
});
afterAll(async () => {
  await server.close(1000);
  await upstream.close();
});

const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${server.origin}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${virtual.secret}`, ...headers },
    body: JSON.stringify(body),
  });

test('smoke', async () => {
  for (const up of ['chat', 'responses', 'messages'])
    for (const stream of [true, false]) {
      const a = await post('/v1/chat/completions', { model: `m-${up}`, stream, messages: [{ role: 'user', content: 'hi' }] });
      console.log(up, stream, a.status, (await a.text()).slice(0, 300));
      const b = await post('/v1/responses', {
        model: `m-${up}`,
        stream,
        input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hi' }] }],
      });
      console.log(up, stream, b.status, (await b.text()).slice(0, 300));
      const c = await post('/v1/messages?beta=true', { model: `m-${up}`, stream, max_tokens: 100, messages: [{ role: 'user', content: 'hi' }] });
      console.log(up, stream, c.status, (await c.text()).slice(0, 300));
    }
  console.log(recording.violations(), recording.served(), await stores.ledger.sum({}), await stores.ledger.sumBy('model', {}, 10));
  console.log(await (await fetch(`${server.origin}/v1/models`, { headers: { 'x-api-key': virtual.secret } })).text());
  expect(1).toBe(1);
});
