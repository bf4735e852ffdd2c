/** PRV-12: a provider that repeats the credential in every way it can, and everything that Weir leaves behind. */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { makeCassette, recordHttp } from '@weir/cassette';
import { type CallAnswer, ProviderError } from '@weir/forge';
import { createHttp } from '@weir/http';
import { verifies } from '@weir/requirements';
import { findSecrets } from '@weir/specialist-secrets';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openProvider, readProvider } from './provider/open-provider.ts';
import { runProgram } from './test-program.ts';

const TOKEN = 'Zq81kLm~cAnArY-Xv29dKe7+bT0/sWy';
const DESCRIPTORS = path.resolve(import.meta.dirname, '../../../descriptors/providers');
const WINDOW = 12;

/** Schemes of a descriptor, and what its variable holds. */
const SCHEMES = {
  bearer: ['scheme: bearer', TOKEN],
  'oauth-bearer': ['scheme: oauth_bearer', TOKEN],
  app: ['scheme: app', TOKEN],
  'token-prefix': ['scheme: token_prefix, prefix: token', TOKEN],
  header: ['scheme: header, header: PRIVATE-TOKEN', TOKEN],
  'basic-user': ['scheme: basic, user: bot', TOKEN],
  'basic-pair': ['scheme: basic', `bot:${TOKEN}`],
} as const;

const json = (value: unknown): string => JSON.stringify(value);
const escaped = (text: string): string => Array.from(text, character => `\\u00${character.charCodeAt(0).toString(16).padStart(2, '0')}`).join('');
const encoded = (text: string): readonly string[] => ['', 'a', 'ab'].map(before => Buffer.from(`${before}${text}!`).toString('base64'));

type Echo = readonly [status: number, headers: Readonly<Record<string, string>>, body: string];
const page = (body: string, status = 200): Echo => [status, { 'content-type': 'application/json' }, body];

/** Ways to repeat a credential. `sent` is the header's value as it arrived, `token` the secret in it. */
const ECHOES: Readonly<Record<string, (sent: string, token: string) => Echo>> = {
  body: (sent, token) => page(json({ login: token, sent, [token]: 1 })),
  header: (sent, token) => [
    200,
    { 'content-type': 'application/json', etag: `"${token}"`, link: `<https://x.example/${encodeURIComponent(token)}>; rel="next"`, 'x-echo': sent },
    '{}',
  ],
  text: sent => [200, { 'content-type': 'text/plain' }, `you sent ${sent}`],
  base64: (sent, token) => page(json({ whole: encoded(sent), token: encoded(token), url: Buffer.from(token).toString('base64url') })),
  percent: (_, token) => page(json({ url: `https://x.example/?t=${encodeURIComponent(token)}` })),
  hex: (_, token) => page(json({ hex: Buffer.from(token).toString('hex'), upper: Buffer.from(token).toString('hex').toUpperCase() })),
  escapes: (_, token) => page(`{"a":"${escaped(token)}","b":"${token.replaceAll('/', '\\/')}","c":"x${escaped(token).slice(0, 60)}"}`),
  halves: (_, token) => page(json({ first: token.slice(0, 15), second: token.slice(15) })),
  unauthorized: (sent, token) => page(json({ message: `bad token ${token}`, errors: [sent, ...encoded(token)] }), 401),
  unprocessable: (sent, token) => page(json({ message: sent, errors: [{ field: token, message: escaped(token) }] }), 422),
  cut: (_, token) => page(`{"message":"${'x'.repeat(8 * 1024 - 12 - 11)}${token}"}`, 400),
  html: sent => [404, { 'content-type': 'text/html' }, `<h1>${sent}</h1>`],
  redirect: (_, token) => [302, { location: `https://${Buffer.from(token).toString('hex').slice(0, 60)}.invalid/${token}` }, ''],
  host: (_, token) => [302, { location: `http://${token.replace(/[^\w-]/g, '-')}.invalid/` }, ''],
};

function answer(request: IncomingMessage, response: ServerResponse): void {
  const sent = String(request.headers['private-token'] ?? request.headers.authorization ?? '');
  const last = sent.slice(sent.lastIndexOf(' ') + 1);
  const token = sent.startsWith('Basic ') ? Buffer.from(last, 'base64').toString() : last;
  const mode = request.url?.split('/').at(-1) ?? '';
  const [status, headers, body] = (
    ECHOES[mode] ?? ((all, secret) => page(json({ all, secret, more: encoded(secret) }), request.method === 'POST' ? 201 : 200))
  )(sent, token);
  response.writeHead(status, headers).end(body);
}

let home: string;
let server: Server;
let origin: string;
beforeAll(async () => {
  home = mkdtempSync(path.join(tmpdir(), 'weir-canary-'));
  server = createServer(answer).listen(0, '127.0.0.1');
  await new Promise(resolve => server.once('listening', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  for (const [name, [auth]] of Object.entries(SCHEMES)) {
    const folder = path.join(home, 'config/weir/providers', name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      path.join(folder, 'provider.yaml'),
      `version: 1\nname: ${name}\nextends: gitea\nbase_url: ${origin}\nauth: { ${auth}, env: [CANARY_TOKEN], fallback: null }\n`,
    );
    cpSync(path.join(DESCRIPTORS, 'gitea/optable.json'), path.join(folder, 'optable.json'));
  }
});
afterAll(() => {
  server.close();
  rmSync(home, { recursive: true, force: true });
});

const windows = Array.from({ length: TOKEN.length - WINDOW + 1 }, (_, at) => TOKEN.slice(at, at + WINDOW));
const holds = (text: string): boolean => windows.some(window => text.includes(window) || text.includes(window.toLowerCase()));

/** The text as it is, and as everything that it may be an encoding of. */
function readings(text: string): readonly string[] {
  const runs = (pattern: RegExp, encoding: BufferEncoding, steps: number): readonly string[] =>
    [...text.matchAll(pattern)].flatMap(([run]) => Array.from({ length: steps }, (_, step) => Buffer.from(run.slice(step), encoding).toString('latin1')));
  const plain = text.replace(/\\u00([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))).replaceAll('\\/', '/');
  const percent = text.replace(/%([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  return [text, plain, percent, ...runs(/[A-Za-z0-9+/_-]{16,}/g, 'base64', 4), ...runs(/[0-9a-f]{24,}/gi, 'hex', 2)];
}

const expectClean = (text: string, where: string): void => expect(readings(text).filter(holds), where).toEqual([]);

test('the search for the canary finds what the provider sends', () => {
  for (const [mode, echo] of Object.entries(ECHOES)) {
    const [, headers, body] = echo(`Bearer ${TOKEN}`, TOKEN);
    // A host name holds no mark, so of this token nothing is left that is long enough to search for.
    if (mode !== 'host' && mode !== 'redirect' && mode !== 'cut') expect(readings(JSON.stringify(headers) + body).some(holds), mode).toBe(true);
  }
});

const textOf = (error: unknown): string =>
  error instanceof Error ? [error.message, error.stack, textOf(error.cause), JSON.stringify(error)].join('\n') : String(error);

/** Everything that a call gives to its caller, as text. */
async function answerOf(call: () => Promise<CallAnswer>): Promise<{ readonly ok: boolean; readonly text: string }> {
  try {
    const { bytes, ...rest } = await call();
    return { ok: true, text: `${JSON.stringify(rest)}\n${Buffer.from(bytes).toString()}` };
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    return { ok: false, text: textOf(error) };
  }
}

test.each(Object.entries(SCHEMES))(
  `${verifies('PRV-12', 'PRV-26')} %s: the credential is in no result, error or cassette, however it is repeated`,
  async (scheme, [, held]) => {
    vi.stubEnv('XDG_CONFIG_HOME', path.join(home, 'config'));
    vi.stubEnv('CANARY_TOKEN', held);
    const read = await readProvider(scheme);
    let cassettes = 0;
    for (const mode of Object.keys(ECHOES)) {
      const recorder = recordHttp(createHttp({ allowOrigins: [origin] }));
      const provider = openProvider(read, { http: recorder.http });
      const { ok, text } = await answerOf(() => provider.call('userGet', { username: mode }, { signal: new AbortController().signal, actor: 'test' }));
      expectClean(text, `${mode} answered`);
      const facts = { provider: scheme, apiVersion: '1', operation: 'userGet', recordedFrom: 'simulator', recordedAt: '2026-01-02' } as const;
      const made = makeCassette(facts, recorder.exchanges(), { findTokens: findSecrets, plainHeaders: [], origin });
      // Whatever is kept is clean; what can't be cleaned is not kept.
      expectClean(made.ok ? made.text : made.reason, `${mode} recorded`);
      if (ok && made.ok) cassettes += 1;
    }
    expect(cassettes).toBeGreaterThanOrEqual(5);
    vi.unstubAllEnvs();
  },
);

test(`${verifies('PRV-12', 'PRV-26')} the program prints it nowhere and keeps it in no cassette`, async () => {
  const env = { CANARY_TOKEN: TOKEN };
  for (const mode of ['body', 'escapes', 'unauthorized', 'cut', 'host']) {
    const target = ['basic-user', 'userGet', '--username', mode, '--allow-origin', origin];
    const { stdout, stderr, code } = await runProgram(home, ['provider', 'call', ...target], { env });
    expectClean(stdout + stderr, `${mode} called`);
    expect([stderr.includes('bug:'), stdout !== '', code === 0], mode).toEqual([false, code === 0, stdout !== '']);
    if (code !== 0) continue;
    const file = path.join(home, `${mode}.json`);
    const recorded = await runProgram(home, ['provider', 'record', ...target, '--to', file], { env });
    expect(recorded.code, mode).toBe(0);
    expectClean(recorded.stdout + recorded.stderr + readFileSync(file, 'utf8'), `${mode} recorded`);
  }
  expectClean((await runProgram(home, ['provider', 'call', 'basic-user', 'userGet', '--username', 'x', '--dry-run'], { env })).stdout, 'dry run');
});

test(`${verifies('PRV-12', 'PRV-18')} a write leaves it in no file: receipt, audit line, database, key`, async () => {
  mkdirSync(path.join(home, 'config/weir/policy'), { recursive: true });
  writeFileSync(path.join(home, 'config/weir/policy/basic-pair.yaml'), 'allowed_mutations: [issueCreateIssue]\n');
  const env = { CANARY_TOKEN: SCHEMES['basic-pair'][1] };
  const args = ['provider', 'call', 'basic-pair', 'issueCreateIssue', '--owner', 'a', '--repo', 'b', '--title', 't', '--allow-origin', origin];
  const { stdout, stderr, code } = await runProgram(home, args, { env });
  expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining('in the audit log') });
  expectClean(stdout + stderr, 'write');
  const audit = await runProgram(home, ['provider', 'audit', '--json']);
  expect(audit.code).toBe(0);
  const files = readdirSync(home, { recursive: true, encoding: 'utf8' }).map(file => path.join(home, file));
  const kept = files.filter(file => statSync(file).isFile());
  expect(kept.length).toBeGreaterThan(100);
  for (const file of kept) expect(holds(readFileSync(file, 'latin1')), file).toBe(false);
});
