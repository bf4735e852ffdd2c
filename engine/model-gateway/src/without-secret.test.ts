/** A credential in what an upstream sends: it is gone before anybody reads it. */
import type { UpstreamProtocol } from '@weir/contract';
import { verifies } from '@weir/requirements';
import { describe, expect, test } from 'vitest';
import { createModelGateway } from './create-model-gateway.ts';
import { MODEL, never, PROVIDER, type ScriptedAnswer, scriptedHttp, testWorld, VIRTUAL_KEY } from './test-world.fixture.ts';
import { withoutSecret } from './without-secret.ts';

const CANARY = 'sk-canary-0123456789abcdef';

async function* piecesOf(text: string, ...cuts: readonly number[]): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (const [index, from] of [0, ...cuts].entries()) yield bytes.subarray(from, cuts[index]);
}

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of body) parts.push(part);
  return Buffer.concat(parts).toString();
}

describe('the filter', () => {
  const text = `ünïcode ${CANARY}, ${CANARY}${CANARY} and sk-canary- sk-sk-canary-0123 🎉 s`;
  const clean = text.replaceAll(CANARY, '[key]');

  test(`${verifies('REV-39')} finds the key wherever the pieces are cut, and changes nothing else`, async () => {
    const { length } = Buffer.from(text);
    for (let cut = 0; cut <= length; cut += 1) expect(await textOf(withoutSecret(piecesOf(text, cut), CANARY))).toBe(clean);
    const each = Array.from({ length: length - 1 }, (_, at) => at + 1);
    expect(await textOf(withoutSecret(piecesOf(text, ...each), CANARY))).toBe(clean);
  });

  test.each(['sk/canary/0123+4567=abc', 'sk-"canary"-0123456789', "sk'<canary>'&0123456789"])(
    `${verifies('REV-39')} finds %j as JSON and addresses write it`,
    async secret => {
      const dotnet = (upper: boolean): string =>
        secret.replace(/[+<>&'"`=]/g, character => {
          const code = character.charCodeAt(0).toString(16).padStart(4, '0');
          return `\\u${upper ? code.toUpperCase() : code}`;
        });
      for (const written of [secret, JSON.stringify(secret), secret.replaceAll('/', '\\/'), dotnet(true), dotnet(false), encodeURIComponent(secret)]) {
        expect(await textOf(withoutSecret(piecesOf(`<${written}>`), secret))).toMatch(/^<"?\[key\]"?>$/);
      }
    },
  );

  test('a piece that ends no key leaves at once, and one that is given up is let go', async () => {
    let let_go = false;
    async function* endless(): AsyncGenerator<Uint8Array> {
      try {
        for (;;) yield Buffer.from('data: {"s":1}\n\n');
      } finally {
        let_go = true;
      }
    }
    for await (const part of withoutSecret(endless(), CANARY)) {
      expect(Buffer.from(part).toString()).toBe('data: {"s":1}\n\n');
      break;
    }
    expect(let_go).toBe(true);
  });
});

const PROTOCOLS = ['responses', 'chat', 'messages'] as const;
const REQUESTS = {
  responses: { input: 'hi' },
  chat: { messages: [{ role: 'user', content: 'hi' }] },
  messages: { max_tokens: 5, messages: [{ role: 'user', content: 'hi' }] },
} as const satisfies Record<UpstreamProtocol, object>;

const SAYS = `Incorrect key ${CANARY} for this model`;
const ERROR = { error: { message: SAYS, type: 'server_error', code: 'server_error' } };
const EVENTS: Readonly<Record<UpstreamProtocol, string>> = {
  responses: `event: error\ndata: ${JSON.stringify({ type: 'error', message: SAYS, code: 'server_error' })}\n\n`,
  chat: `data: ${JSON.stringify(ERROR)}\n\n`,
  messages: `event: error\ndata: ${JSON.stringify({ type: 'error', error: { type: 'overloaded_error', message: SAYS } })}\n\n`,
};
const sse = { 'content-type': 'text/event-stream' };
const split = (text: string): readonly string[] => [text.slice(0, text.indexOf(CANARY) + 7), text.slice(text.indexOf(CANARY) + 7)];

/** Everything that leaves the gateway: the reply, the log, the ledger. */
async function leaks(client: UpstreamProtocol, upstream: UpstreamProtocol, stream: boolean, answer: ScriptedAnswer): Promise<string> {
  const provider = { ...PROVIDER, protocol: upstream, usageRule: upstream === 'messages' ? 'anthropic' : 'openai' } as const;
  const world = testWorld({ http: scriptedHttp(answer), providers: [provider], credentials: { a: CANARY } });
  const body = new TextEncoder().encode(JSON.stringify({ model: 'm', stream, ...REQUESTS[client] }));
  const principal = { kind: 'key', key: VIRTUAL_KEY } as const;
  const reply = await createModelGateway(world).call({ protocol: client, body, headers: {}, principal, signal: never });
  let text = typeof reply.body === 'string' ? reply.body : '';
  if (typeof reply.body !== 'string') for await (const part of reply.body) text += part;
  return JSON.stringify([reply.status, reply.headers, text, world.events, world.charged, world.opened]);
}

const pairs = PROTOCOLS.flatMap(client => PROTOCOLS.map(upstream => ({ client, upstream })));

describe.each(pairs)('$client to $upstream', ({ client, upstream }) => {
  test.each<[string, boolean, ScriptedAnswer]>([
    ['an error status', false, { status: 500, parts: split(JSON.stringify(ERROR)) }],
    ['an error status whose body is cut within the key', false, { status: 400, parts: [`{"error":{"message":"${'x'.repeat(63_960)}`, ` ${CANARY}"}}`] }],
    ['a 200 with an error', false, { parts: split(JSON.stringify(ERROR)) }],
    ['a 200 with an error for a stream', true, { parts: split(JSON.stringify(ERROR)) }],
    ['an event of error in a stream', true, { headers: sse, parts: split(EVENTS[upstream]) }],
    ['a page that quotes it', false, { parts: [`<html>${CANARY}</html>`] }],
    ['an answer that quotes it', false, { parts: [JSON.stringify({ id: CANARY, choices: [], output: [], content: [], extra: CANARY })] }],
  ])(`${verifies('REV-39')} the credential in %s reaches nobody`, async (_what, stream, answer) => {
    const left = await leaks(client, upstream, stream, answer);
    expect(left).not.toContain(CANARY);
    // Nor most of it.
    expect(left).not.toContain(CANARY.slice(0, -4));
  });
});

test(`${verifies('REV-39')} an error says to the client what the upstream said, but for the key`, async () => {
  expect(await leaks('chat', 'chat', false, { parts: [JSON.stringify(ERROR)] })).toContain('Incorrect key [key] for this model');
  expect(await leaks('responses', 'chat', true, { headers: sse, parts: split(EVENTS.chat) })).toContain('Incorrect key [key] for this model');
});

test.each<[string, ScriptedAnswer]>([
  ['an error status', { status: 400, parts: [JSON.stringify(ERROR)] }],
  ['a 200 with an error', { parts: [JSON.stringify(ERROR)] }],
  ['an event of error', { headers: sse, parts: split(EVENTS.chat) }],
])(`${verifies('REV-39')} a review that meets the credential in %s does not name it`, async (_what, answer) => {
  const world = testWorld({ http: scriptedHttp(answer), credentials: { a: CANARY } });
  const port = createModelGateway(world).modelPort({ model: 'm', jsonMode: false, temperature: null, timeoutMs: 1_000, purpose: { capability: 'review' } });
  const error = await port.complete({ system: 's', user: 'u', maxOutputTokens: 5 }, never).catch((reason: unknown) => reason as Error);
  const said = JSON.stringify([error, error instanceof Error ? [error.message, error.stack] : error, world.events]);
  expect(said).toContain('[key]');
  expect(said).not.toContain(CANARY);
});

test(`${verifies('REV-39')} a count of tokens that quotes the credential does not pass it on`, async () => {
  const http = scriptedHttp({ parts: [JSON.stringify({ input_tokens: 5, note: CANARY })] });
  const world = testWorld({ http, providers: [{ ...PROVIDER, protocol: 'messages' }], models: [MODEL], credentials: { a: CANARY } });
  const body = new TextEncoder().encode(JSON.stringify({ model: 'm', ...REQUESTS.messages }));
  const principal = { kind: 'key', key: VIRTUAL_KEY } as const;
  const reply = await createModelGateway(world).countTokens({ protocol: 'messages', body, headers: {}, principal, signal: never });
  expect(reply).toMatchObject({ status: 200, body: '{"input_tokens":5,"note":"[key]"}' });
});

test(`${verifies('MOD-4')} a placeholder that is no secret stays what it is in an answer, and goes out of an error`, async () => {
  const answer = { parts: [JSON.stringify({ choices: [{ message: { content: 'ollama pull' } }] })] };
  const ask = async (scripted: ScriptedAnswer): Promise<unknown> => {
    const world = testWorld({ http: scriptedHttp(scripted), credentials: { a: 'ollama' } });
    const body = new TextEncoder().encode(JSON.stringify({ model: 'm', ...REQUESTS.chat }));
    const principal = { kind: 'key', key: VIRTUAL_KEY } as const;
    return (await createModelGateway(world).call({ protocol: 'chat', body, headers: {}, principal, signal: never })).body;
  };
  expect(await ask(answer)).toContain('ollama pull');
  expect(await ask({ status: 400, parts: ['{"error":{"message":"the key ollama is wrong"}}'] })).toContain('the key [key] is wrong');
});
