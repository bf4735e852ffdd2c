import { HttpFailure, type HttpPort, type HttpRequest } from '@weir/ports';
import { verifies } from '@weir/requirements';
import { findSecrets } from '@weir/specialist-secrets';
import { expect, test } from 'vitest';
import { Cassette, CASSETTE_ORIGIN } from './cassette.ts';
import { makeCassette } from './make-cassette.ts';
import { type RawExchange, recordHttp } from './record-http.ts';
import { replayHttp } from './replay-http.ts';

const ORIGIN = 'http://127.0.0.1:8123';
const CREDENTIAL = `own-${'Z9fQ2mLx7TbR4sWy1KpC'}`;
const OTHER = `${'gh'}p_${'4fQz81LmXv29dKe7RbT0sWyC5nHj3uPa6oEi'}`;
const FACTS = { provider: 'any', apiVersion: '1', operation: 'get', recordedFrom: 'simulator', recordedAt: '2026-01-02' } as const;
const RULES = { findTokens: findSecrets, plainHeaders: ['x-version'], origin: ORIGIN };
const signal = new AbortController().signal;

const request = (path: string, more: Partial<HttpRequest> = {}): HttpRequest => ({
  ...{ method: 'GET', url: `${ORIGIN}${path}`, firstByteTimeoutMs: 1, idleTimeoutMs: 1, maxBytes: 1 },
  headers: { accept: 'application/json', 'user-agent': 'weir', 'x-version': '2026', authorization: `Bearer ${CREDENTIAL}` },
  ...more,
});

const exchange = (body: string | Uint8Array, more: Partial<RawExchange> = {}): RawExchange => ({
  ...{ request: request('/me'), status: 200, headers: { 'content-type': 'application/json', 'set-cookie': 'a=b' }, complete: true },
  ...{ body: Buffer.from(body) },
  ...more,
});

const textOf = (...exchanges: readonly RawExchange[]): string => {
  const made = makeCassette(FACTS, exchanges, RULES);
  if (!made.ok) throw new Error(made.reason);
  expect(Cassette.parse(JSON.parse(made.text))).toEqual(made.cassette);
  return made.text;
};
const reasonOf = (...exchanges: readonly RawExchange[]): string => {
  const made = makeCassette(FACTS, exchanges, RULES);
  return made.ok ? 'written' : made.reason;
};

test(`${verifies('PRV-12', 'PRV-26')} credentials, tokens, mail addresses, the origin and other headers are not kept`, () => {
  const pair = Buffer.from(`bot:${CREDENTIAL}`).toString('base64');
  const file = Buffer.from(`TOKEN=${OTHER}\nmore text of a file\n`).toString('base64').replace(/.{20}/g, '$&\n');
  const body = {
    url: `${ORIGIN}/me`,
    mail: 'ann@corp.example',
    echo: CREDENTIAL,
    pair,
    file,
    other: OTHER,
    ssh: 'git@forge.example:a/b.git',
    half: CREDENTIAL.slice(4, 20),
  };
  const text = textOf(exchange(JSON.stringify(body), { request: request(`/u/ann%40corp.example?private_token=${OTHER}`) }));
  for (const kept of [CREDENTIAL, OTHER, pair, CREDENTIAL.slice(4, 16), 'corp.example', '127.0.0.1', 'set-cookie', 'authorization'])
    expect(text).not.toContain(kept);
  const [{ request: asked, response } = { request: undefined, response: undefined }] = Cassette.parse(JSON.parse(text)).exchanges;
  expect(asked?.headers).toEqual({ accept: 'application/json', 'x-version': '2026' });
  expect(asked?.query).toEqual([['private_token', '[redacted]']]);
  const { file: kept, ...answer } = JSON.parse(response?.body ?? '') as Record<string, string>;
  expect(kept).toContain('[redacted]');
  expect(answer).toEqual({
    ...{ url: `${CASSETTE_ORIGIN}/me`, mail: 'user@example.invalid', ssh: 'git@forge.example:a/b.git' },
    ...{ echo: '[redacted]', pair: expect.stringContaining('[redacted]'), other: '[redacted]', half: '[redacted]' },
  });
});

test(`${verifies('PRV-12', 'PRV-26')} what cannot be cleaned is not written`, () => {
  expect(reasonOf()).toContain('nothing was asked');
  expect(reasonOf(exchange(new Uint8Array([0xff, 0xfe, 0])))).toContain('no text');
  expect(reasonOf(exchange('{}', { complete: false }))).toContain('not read to its end');
  expect(reasonOf(exchange(`"${'a'.repeat(9_000_000)}"`))).toContain('larger than');
  // A finder that sees its token only in the whole file: the parts pass, the file does not.
  const late = { ...RULES, findTokens: (text: string) => (text.includes('recordedAt') ? [{ start: 0, end: 1, what: 'late token' }] : []) };
  expect(makeCassette(FACTS, [exchange('{}')], late)).toMatchObject({ ok: false, reason: expect.stringContaining('late token') });
});

const scripted = (...bodies: readonly string[]): HttpPort => {
  const left = [...bodies];
  return {
    send: () => Promise.resolve({ status: 200, headers: { 'content-type': 'application/json' }, body: [Buffer.from(left.shift() ?? '')].values() as never }),
  };
};

async function read(http: HttpPort, asked: HttpRequest): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of (await http.send(asked, signal)).body) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

test(`${verifies('PRV-26')} a recording answers what was recorded, in its order, and refuses the rest`, async () => {
  const recorder = recordHttp(scripted('{"a":1}', '{"a":2}', '{"b":3}'));
  const post = request('/b', { method: 'POST', body: '{"mail":"ann@corp.example"}' });
  for (const asked of [request('/a?x=1&y=2'), request('/a?x=1&y=2'), post]) await read(recorder.http, asked);
  const made = makeCassette(FACTS, recorder.exchanges(), RULES);
  if (!made.ok) throw new Error(made.reason);
  const http = replayHttp(Cassette.parse(JSON.parse(made.text)));
  expect(await read(http, request('/a?y=2&x=1'))).toBe('{"a":1}');
  expect(await read(http, request('/a?x=1&y=2'))).toBe('{"a":2}');
  expect(await read(http, { ...post, url: `${CASSETTE_ORIGIN}/b` })).toBe('{"b":3}');
  for (const asked of [request('/a?x=1&y=2'), request('/a?x=2&y=2'), request('/c'), request('/b', { method: 'POST', body: '{}' })])
    await expect(read(http, asked)).rejects.toThrow(HttpFailure);
});
