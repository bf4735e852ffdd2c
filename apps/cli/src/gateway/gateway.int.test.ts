/**
 * The gateway over real sockets, between real HTTP clients and scripted upstreams of all three protocols, on each kind of store. What the
 * ledger holds afterwards is what the upstream says that it served.
 */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Charge, TokenType } from '@weir/contract';
import { startGatewayServer, type GatewayServer } from '@weir/gateway-http';
import { createHttp } from '@weir/http';
import { migrate } from '@weir/migrator';
import type { CallEvent } from '@weir/model-gateway';
import { providerFromPreset } from '@weir/model-routes';
import { MODEL_STORE_MIGRATIONS, memoryModelStores, type ModelStores, newVirtualKeySecret, sqlModelStores } from '@weir/model-store';
import type { SqlPort } from '@weir/ports';
import { verifies } from '@weir/requirements';
import { type Recording, type ScriptedUpstream, startScriptedUpstream } from '@weir/scripted-upstream';
import { createPglite } from '@weir/sql-pglite';
import { createPostgres } from '@weir/sql-postgres';
import { freshDatabase } from '@weir/test-infra';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { composeGateway, MODEL_CONNECTIONS } from './compose-gateway.ts';

const KEY = 'sk-upstream-0123456789';
const SCENARIO = { workspace: '/work', picture: 'cGljdHVyZQ==', probePicture: 'cHJvYmU=' };
const PROTOCOLS = ['responses', 'chat', 'messages'] as const;
type Protocol = (typeof PROTOCOLS)[number];
const PRESET = { responses: 'openai', chat: 'vllm', messages: 'anthropic' } as const;
const PATH = { responses: '/v1/responses', chat: '/v1/chat/completions', messages: '/v1/messages?beta=true' } as const;
const RATES = { input: 100_000, output: 400_000, cached_input: 10_000, cache_write: 125_000 };
/** Streams that run at the same time; fewer where the machine has other work. */
const STREAMS = process.env['CI'] === undefined ? 200 : 60;

const requestOf = (protocol: Protocol, model: string, stream: boolean): object =>
  ({
    responses: { model, stream, input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hi' }] }] },
    chat: { model, stream, messages: [{ role: 'user', content: 'hi' }] },
    messages: { model, stream, max_tokens: 500, messages: [{ role: 'user', content: 'hi' }] },
  })[protocol];

/** The event that ends a good stream of each protocol. */
const TERMINAL = { responses: /event: response\.completed\n/, chat: /data: \[DONE\]\n/, messages: /event: message_stop\n/ } as const;

const FAULTS = [
  '400',
  '401',
  '429',
  '500',
  'html-200',
  'error-200',
  'cut',
  'end',
  'error-mid',
  'duplicate',
  'reversed',
  'no-usage',
  'never',
  'silence',
] as const;

async function fillStores(stores: ModelStores, upstream: Pick<ScriptedUpstream, 'origin'>): Promise<void> {
  for (const protocol of PROTOCOLS) {
    const checked = providerFromPreset(PRESET[protocol], { name: protocol, baseUrl: `${upstream.origin}/v1` });
    if (!checked.ok) throw new Error(JSON.stringify(checked.problems));
    await stores.config.saveProvider(checked.row);
    for (const name of ['scripted', ...FAULTS.map(fault => `fault-${fault}`)]) {
      await stores.config.saveModel({ modelProvider: protocol, name, upstreamModel: name, price: { mode: 'metered', rates: RATES } });
    }
    await stores.credentials.add({ ref: `${protocol}-1`, modelProvider: protocol, label: 'test', sealed: KEY });
  }
}

interface Rig {
  readonly server: GatewayServer;
  readonly calls: CallEvent[];
  close(): Promise<void>;
}

/** A gateway of its own for each test, so that no test finds the circuit as another one left it. */
async function startRig(stores: ModelStores, upstream: Pick<ScriptedUpstream, 'origin'>): Promise<Rig> {
  const http = createHttp({ allowOrigins: [upstream.origin], maxPerOrigin: MODEL_CONNECTIONS });
  const calls: CallEvent[] = [];
  const { gateway, metrics } = composeGateway({
    http,
    stores,
    secrets: { open: sealed => sealed },
    report: event => void (event.event === 'call' && calls.push(event)),
  });
  const server = await startGatewayServer({
    ...{ gateway, metrics, isOperator: () => false, operate: () => Promise.resolve(null), isReady: async () => true },
    ...{ host: '127.0.0.1', port: 0, onBug: error => console.error('bug', error) },
  });
  return {
    ...{ server, calls },
    close: async () => {
      await server.close(1_000);
      http.close();
    },
  };
}

let keyNumber = 0;
async function newKey(stores: ModelStores, budgetMillicents: number | null = null): Promise<{ readonly id: string; readonly secret: string }> {
  const { secret, hash } = newVirtualKeySecret();
  keyNumber += 1;
  const id = `key-${keyNumber}-${secret.slice(-6)}`;
  const rest = {
    label: id,
    holder: { kind: 'run', id: `run-${id}` },
    budgetMillicents,
    budgetCalls: null,
    allowedRoutes: null,
    createdAt: 0,
    expiresAt: null,
  } as const;
  await stores.keys.create({ id, hash, ...rest });
  return { id, secret };
}

function sumTokens(charges: readonly Charge[]): Readonly<Partial<Record<TokenType, number>>> {
  const sum: Partial<Record<TokenType, number>> = {};
  for (const { tokenType, tokens } of charges) sum[tokenType] = (sum[tokenType] ?? 0) + (tokens ?? 0);
  return sum;
}

function gatewayTests(open: () => ModelStores): void {
  let upstream: ScriptedUpstream;
  let stores: ModelStores;
  let rig: Rig;
  let recording: Recording;
  let key: Awaited<ReturnType<typeof newKey>>;
  beforeAll(async () => {
    upstream = await startScriptedUpstream({ key: KEY });
    stores = open();
    await fillStores(stores, upstream);
  });
  beforeEach(async () => {
    recording = upstream.begin(SCENARIO);
    rig = await startRig(stores, upstream);
    key = await newKey(stores);
  });
  afterEach(() => rig.close());
  afterAll(() => upstream.close());

  const ask = (
    client: Protocol,
    model: string,
    { stream = true, signal }: { readonly stream?: boolean; readonly signal?: AbortSignal } = {},
  ): Promise<Response> =>
    fetch(`${rig.server.origin}${PATH[client]}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key.secret}` },
      body: JSON.stringify(requestOf(client, model, stream)),
      ...(signal === undefined ? {} : { signal }),
    });
  const charges = async (): Promise<readonly Charge[]> => (await Promise.all(rig.calls.map(({ callRef }) => stores.ledger.charges(callRef)))).flat();
  const closed = (): Promise<void> => expect.poll(() => upstream.connections(), { timeout: 10_000, interval: 10 }).toBeLessThan(2);

  test(`${verifies('MOD-11', 'MOD-17', 'REV-29')} every client reads every upstream, and the ledger is what the upstream served`, async () => {
    for (const route of PROTOCOLS) {
      for (const client of PROTOCOLS) {
        for (const stream of [true, false]) {
          const response = await ask(client, `${route}/scripted`, { stream });
          const text = await response.text();
          expect({ client, route, stream, status: response.status }).toEqual({ client, route, stream, status: 200 });
          if (stream) expect(text).toMatch(TERMINAL[client]);
          else expect(Object.keys(JSON.parse(text) as object)).toContain('usage');
        }
      }
    }
    expect(recording.violations()).toEqual([]);
    const { sum, known, unknown } = recording.served();
    expect({ known, unknown }).toEqual({ known: 18, unknown: 0 });
    expect(sumTokens(await charges())).toEqual({
      input: sum.uncachedInput,
      cached_input: sum.cacheRead,
      cache_write: sum.cacheWrite,
      output: sum.output,
      reasoning: sum.reasoning,
    });
    expect(await stores.ledger.sum({ run: `run-${key.id}` })).toMatchObject({ calls: 18, unpricedCalls: 0 });
    const spent = await stores.ledger.sum({ virtualKey: key.id });
    expect(await stores.keys.get(key.id)).toMatchObject({ spentMillicents: spent.millicents, reservedMillicents: 0, calls: 18, unpricedCalls: 0 });
  });

  test.each(['400', '401', '429', '500', 'error-200'])(
    `${verifies('MOD-15', 'REV-29')} a refusal (%s) is an error for each client, costs nothing, and is counted`,
    async fault => {
      for (const client of PROTOCOLS) {
        const response = await ask(client, `chat/fault-${fault}`);
        expect(response.status).toBeGreaterThanOrEqual(400);
        expect(await response.text()).not.toContain(KEY);
        if (client === 'responses')
          expect({ fault, status: response.status }).toEqual({ fault, status: { 400: 400, 401: 400, 429: 429, 500: 503, 'error-200': 503 }[fault] });
      }
      expect(await stores.ledger.sum({ virtualKey: key.id })).toMatchObject({ unpricedCalls: 0, millicents: 0 });
      expect(await stores.keys.get(key.id)).toMatchObject({ spentMillicents: 0, reservedMillicents: 0 });
      // What was limited or rejected comes back, so that the next test finds its pool as it was.
      await stores.credentials.replaceSecret('chat-1', KEY);
    },
  );

  test.each(['cut', 'end', 'error-mid', 'no-usage', 'html-200'])(
    `${verifies('MOD-10', 'REV-29')} an answer with the fault %s ends in the words of its client, and is charged as unknown`,
    async fault => {
      for (const route of PROTOCOLS) {
        const response = await ask('responses', `${route}/fault-${fault}`);
        const text = await response.text();
        if (fault === 'html-200') expect(response.status).toBe(503);
        else expect(text).toMatch(fault === 'no-usage' ? /response\.completed/ : /event: response\.failed/);
      }
      expect((await charges()).map(({ tokenType, tokens, cost }) => ({ tokenType, tokens, cost }))).toEqual(
        PROTOCOLS.map(() => ({ tokenType: 'total', tokens: null, cost: null })),
      );
      expect(await stores.ledger.sum({ virtualKey: key.id })).toMatchObject({ calls: 3, unpricedCalls: 3 });
      expect(await stores.keys.get(key.id)).toMatchObject({ calls: 3, unpricedCalls: 3, reservedMillicents: 0 });
    },
  );

  test.each(['duplicate', 'reversed'])(`${verifies('MOD-10')} %s events end in a stream that says so, or that is whole, for every pair`, async fault => {
    for (const route of PROTOCOLS) {
      for (const client of PROTOCOLS.filter(protocol => protocol !== route)) {
        const text = await (await ask(client, `${route}/fault-${fault}`)).text();
        const ended = TERMINAL[client].test(text) || { responses: /response\.failed/, chat: /data: \{"error"/, messages: /event: error/ }[client].test(text);
        expect({ client, route, ended }).toEqual({ client, route, ended: true });
      }
    }
    expect(rig.calls).toHaveLength(6);
    expect(new Set((await charges()).map(({ callRef }) => callRef)).size).toBe(6);
  });

  test(`${verifies('MOD-14', 'REV-29')} a client that goes away closes the upstream's connection in each phase, and the call is charged`, async () => {
    await closed();
    const before = await upstream.connections();
    for (const [model, stream, arrived] of [
      ['fault-never', true, false],
      ['fault-silence', true, true],
      ['fault-never', false, false],
    ] as const) {
      const gone = new AbortController();
      const asked = recording.requests.length;
      const response = ask('responses', `chat/${model}`, { stream, signal: gone.signal });
      response.catch(() => undefined);
      if (arrived) await (await response).body?.getReader().read();
      await expect.poll(() => recording.requests.length).toBe(asked + 1);
      gone.abort();
      await expect.poll(() => upstream.connections(), { timeout: 10_000, interval: 10 }).toBeLessThanOrEqual(before);
    }
    await expect.poll(() => rig.calls.length).toBe(3);
    await expect
      .poll(async () => (await charges()).map(({ tokenType, cost }) => ({ tokenType, cost })))
      .toEqual(Array.from({ length: 3 }, () => ({ tokenType: 'total', cost: null })));
    expect(rig.calls.map(({ outcome }) => outcome)).toEqual(['gone', 'gone', 'gone']);
  });

  test(`${verifies('MOD-17')} a key that is revoked while it streams ends its stream, and lets nothing more through`, async () => {
    const response = await ask('responses', 'chat/fault-silence');
    const text = response.text();
    await stores.keys.revoke(key.id);
    expect(await text).toMatch(/response\.failed[^]*This virtual key was revoked/);
    expect((await ask('responses', 'chat/scripted')).status).toBe(400);
    await closed();
  });

  test(`${verifies('MOD-15', 'MOD-17')} a budget ends a run with a final answer, soft by the call that began within it`, async () => {
    key = await newKey(stores, 250);
    const statuses: number[] = [];
    for (let call = 0; call < 12; call += 1) {
      const response = await ask('responses', 'chat/scripted');
      statuses.push(response.status);
      await response.text();
    }
    const last = await ask('responses', 'chat/scripted');
    expect([last.status, ((await last.json()) as { error: { code: string } }).error.code]).toEqual([429, 'insufficient_quota']);
    expect(statuses[0]).toBe(200);
    const { spentMillicents, reservedMillicents } = (await stores.keys.get(key.id)) ?? { spentMillicents: -1, reservedMillicents: -1 };
    expect(spentMillicents).toBeGreaterThanOrEqual(250);
    expect(reservedMillicents).toBe(0);
  });

  test(`${verifies('MOD-14', 'MOD-17')} ${STREAMS} streams at once: none loses its terminal event, and none its charge`, async () => {
    const one = async (at: number): Promise<void> => {
      const client = PROTOCOLS[at % 3] ?? 'chat';
      const text = await (await ask(client, `${PROTOCOLS[Math.floor(at / 3) % 3]}/scripted`)).text();
      expect({ at, terminal: TERMINAL[client].test(text) }).toEqual({ at, terminal: true });
    };
    await Promise.all(Array.from({ length: STREAMS }, (_, at) => one(at)));
    await expect.poll(() => rig.calls.length).toBe(STREAMS);
    const { sum, known } = recording.served();
    expect(known).toBe(STREAMS);
    const tokens = sumTokens(await charges());
    expect(tokens).toMatchObject({ input: sum.uncachedInput, output: sum.output, cached_input: sum.cacheRead });
    expect(await stores.keys.get(key.id)).toMatchObject({ calls: STREAMS, reservedMillicents: 0 });
  });
}

test(`${verifies('MOD-14')} 200 streams are open at one model provider at the same time: none waits for another to end`, async () => {
  const COUNT = 200;
  const open: ServerResponse[] = [];
  const chunk = (delta: object, finish: string | null): string =>
    `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  const provider = createServer((incoming, outgoing) => {
    incoming.resume();
    outgoing.writeHead(200, { 'content-type': 'text/event-stream' }).write(chunk({ content: 'x' }, null));
    open.push(outgoing);
    // No stream ends before all of them have begun.
    if (open.length === COUNT) for (const stream of open) stream.end(`${chunk({}, 'stop')}data: [DONE]\n\n`);
  }).listen(0, '127.0.0.1');
  await once(provider, 'listening');
  const origin = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
  const stores = memoryModelStores({ now: Date.now });
  await fillStores(stores, { origin });
  const rig = await startRig(stores, { origin });
  try {
    const { secret } = await newKey(stores);
    const one = async (): Promise<string> => {
      const response = await fetch(`${rig.server.origin}${PATH.chat}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${secret}` },
        body: JSON.stringify({ model: 'chat/scripted', stream: true, messages: [] }),
      });
      return response.text();
    };
    const texts = await Promise.all(Array.from({ length: COUNT }, one));
    expect(texts.filter(text => TERMINAL.chat.test(text))).toHaveLength(COUNT);
  } finally {
    await rig.close();
    provider.closeAllConnections();
    provider.close();
  }
});

describe('stores in memory', () => {
  const stores = memoryModelStores({ now: Date.now });
  gatewayTests(() => stores);
});

describe('the embedded database', () => {
  let port: SqlPort;
  beforeAll(async () => {
    port = await createPglite({ dataFolder: null, onNotice: () => undefined });
    await migrate(port, MODEL_STORE_MIGRATIONS);
  });
  afterAll(() => port.close());
  gatewayTests(() => sqlModelStores(port, { now: Date.now }));
});

const database = await freshDatabase();
describe.skipIf(database === undefined)('a PostgreSQL server', () => {
  let port: SqlPort;
  beforeAll(async () => {
    port = createPostgres({ url: database?.url ?? '' });
    await migrate(port, MODEL_STORE_MIGRATIONS);
  });
  afterAll(() => port.close());
  gatewayTests(() => sqlModelStores(port, { now: Date.now }));
});
