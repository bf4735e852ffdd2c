/** The engine of a provider with nothing replaced: the real way out, stores in a database, signed receipts, a forge that answers over HTTP. */
import { createHash, generateKeyPairSync, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { ProviderDescriptor } from '@weir/contract';
import { createProvider, createReceiptSigner, type Provider, type ProviderOptions, verifyReceipt } from '@weir/forge';
import { type Forge, startForge } from '@weir/forge-simulator';
import { createHttp } from '@weir/http';
import { AppError } from '@weir/kernel';
import { migrate } from '@weir/migrator';
import { readTable } from '@weir/operation-table';
import { type AuditIntent, type AuditLine, type AuditOutcome, type AuditStore, type HttpPort, type SqlPort, verifyAuditChain } from '@weir/ports';
import { readDescriptor } from '@weir/provider-descriptor';
import { PROVIDER_STORE_MIGRATIONS, sqlAuditStore, sqlEtagStore, sqlRateStore } from '@weir/provider-store';
import { createPglite } from '@weir/sql-pglite';
import { createPostgres } from '@weir/sql-postgres';
import { freshDatabase } from '@weir/test-infra';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { verifies } from './requirements.ts';

const server = await freshDatabase();

const FOLDER = path.resolve(import.meta.dirname, '../../descriptors/providers/github');
const text = (file: string): string => readFileSync(path.join(FOLDER, file), 'utf8');
const reading = readDescriptor(parse(text('provider.yaml'), { maxAliasCount: 1_000, merge: true }));
const table = readTable(text('optable.json'));
if (!reading.ok || !table.ok) throw new Error('the provider cannot be read');
const read = reading.descriptor;
const documents = new Map(Object.entries(read.graphql?.documents ?? {}).map(([name, { file }]) => [name, text(file)]));

const keys = generateKeyPairSync('ed25519');
const signReceipt = createReceiptSigner(keys.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString());

const REPOSITORY = { owner: 'acme', name: 'shop' };
const lines = (changed: readonly number[]) => Array.from({ length: 30 }, (_, at) => `line ${at + 1}${changed.includes(at + 1) ? ' changed' : ''}\n`).join('');

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

interface Setting {
  readonly forge: Forge;
  readonly provider: Provider;
  readonly head: string;
  readonly on: { readonly repository: typeof REPOSITORY; readonly change: number };
  readonly sleeps: number[];
  readonly audit: AuditStore;
  /** What the database answers; false is as if it were gone. */
  readonly gate: { open: boolean };
  readonly budget: (resource: string) => Promise<{ remaining: number; points: number }>;
}

/** The port as it is, until somebody closes the gate. */
function gated(port: SqlPort, gate: Setting['gate']): SqlPort {
  const through = async <T>(work: () => Promise<T>): Promise<T> => {
    if (!gate.open) throw new AppError('DATABASE_UNAVAILABLE', 'cannot reach db.secret.example as user weir_secret');
    return work();
  };
  return { query: (...given) => through(() => port.query(...given)), transaction: work => through(() => port.transaction(work)), close: () => port.close() };
}

async function seeded(now: () => Date): Promise<{ forge: Forge; head: string; change: number }> {
  const forge = await startForge({ kind: 'github', now });
  closers.push(() => forge.close());
  const { seed } = forge;
  seed.account({ login: 'acme', kind: 'organization' });
  seed.account({ login: 'alice' });
  seed.account({ login: 'weir-bot' });
  await seed.repository(REPOSITORY);
  seed.permit('acme/shop', 'alice', 'write');
  seed.permit('acme/shop', 'weir-bot', 'admin');
  await seed.push({ repository: 'acme/shop', branch: 'main', by: 'alice', files: { 'src/app.ts': lines([]) } });
  const head = await seed.push({ repository: 'acme/shop', branch: 'feature', by: 'alice', files: { 'src/app.ts': lines([5, 12, 20]) } });
  const { number } = await seed.change({ repository: 'acme/shop', head: 'feature', title: 'A change', by: 'alice' });
  return { forge, head, change: number };
}

interface Changes {
  readonly descriptor?: ProviderDescriptor;
  readonly through?: (http: HttpPort, gate: Setting['gate']) => HttpPort;
}

async function start(port: SqlPort, { descriptor = read, through = http => http }: Changes = {}): Promise<Setting> {
  const clock = { at: Math.floor(Date.now() / 1_000) * 1_000 };
  const now = (): number => clock.at;
  const { forge, head, change } = await seeded(() => new Date(clock.at));
  const gate = { open: true };
  const sql = gated(port, gate);
  const http = createHttp({ allowOrigins: [forge.url] });
  closers.push(() => http.close());
  const audit = sqlAuditStore(sql);
  const sleeps: number[] = [];
  const options: ProviderOptions = {
    ...{ descriptor, table: table.ok ? table.table : expect.unreachable(), documents, baseUrl: forge.url, http: through(http, gate) },
    rateStore: sqlRateStore(sql, { now, newId: randomUUID }),
    etagStore: sqlEtagStore(sql, { maxEntries: 100, maxBytes: 1_000_000, maxEntryBytes: 100_000 }, { now }),
    ...{ auditStore: audit, credentials: { env: () => forge.token('weir-bot') }, now, random: () => 0, signReceipt },
    sleep: (milliseconds, signal) => {
      signal.throwIfAborted();
      sleeps.push(milliseconds);
      clock.at += milliseconds;
      return Promise.resolve();
    },
  };
  const budget: Setting['budget'] = async wanted => {
    const { rows } = await port.query<{ state: State }>('select state from weir_rate_states');
    const state = rows[0]?.state;
    const points = state?.spent.find(({ window }) => window === 'points')?.seconds.reduce((sum, second) => sum + second.points, 0) ?? 0;
    return { remaining: state?.server.find(({ resource }) => resource === wanted)?.remaining ?? Number.NaN, points };
  };
  return { forge, provider: createProvider(options), head, on: { repository: REPOSITORY, change }, sleeps, audit, gate, budget };
}

interface State {
  readonly spent: readonly { readonly window: string; readonly seconds: readonly { readonly points: number }[] }[];
  readonly server: readonly { readonly resource: string; readonly remaining: number }[];
}

const by = { signal: new AbortController().signal, actor: 'service:review', run: 'run-1' };
const value = <Value>(outcome: { readonly ok: boolean; readonly value?: Value } & object): Value => {
  if (!outcome.ok || outcome.value === undefined) throw new Error(JSON.stringify(outcome));
  return outcome.value;
};
const sha256 = (content: string): string => createHash('sha256').update(content).digest('hex');
const entryOf = ({ text: entry }: AuditLine): AuditIntent | AuditOutcome => JSON.parse(entry) as AuditIntent | AuditOutcome;
const PULL = ['pulls/get', { owner: 'acme', repo: 'shop', pull_number: 1 }] as const;
const allowing = (...verbs: string[]): ProviderDescriptor => ({
  ...read,
  policy: { ...read.policy, allowed_mutations: [...read.policy.allowed_mutations, ...verbs] },
});

/** @param open a database with the tables of the stores. */
function engineTests(open: () => SqlPort): void {
  afterEach(async () => {
    for (const name of ['weir_rate_states', 'weir_etags', 'weir_run_calls']) await open().query(`delete from ${name}`);
  });

  test(`${verifies('PRV-9', 'PRV-18', 'PRV-26')} a review from reading to resolving; its receipts and the chain of the log verify`, async () => {
    const { forge, provider, head, on, audit } = await start(open(), { descriptor: allowing('label.upsert') });
    const before = (await audit.read(0, 10_000)).length;
    expect(value(await provider.verb('account.whoami', {}, by))).toMatchObject({ login: 'weir-bot' });
    expect(value(await provider.verb('change.get', on, by))).toMatchObject({ title: 'A change', state: 'open' });
    expect(value(await provider.verb('change.diff', on, by)).diff).toContain('+line 12 changed');
    const comments = [5, 12].map(line => ({
      ...{ path: 'src/app.ts', previousPath: 'src/app.ts', side: 'new' as const, line, startLine: null, oldLine: null, newLine: line },
      body: `About line ${line}`,
    }));
    expect(value(await provider.verb('review.submit', { ...on, commit: head, body: 'Two things.', comments }, by)).failures).toEqual([]);
    const { threads } = value(await provider.verb('thread.list', on, by));
    const [thread] = threads;
    expect(threads).toHaveLength(2);
    expect(value(await provider.verb('thread.resolve', { ...on, thread: thread?.ref ?? '' }, by))).toEqual({ resolved: true });
    const status = { repository: REPOSITORY, commit: head, context: 'weir/review', state: 'success' as const, description: 'Fine' };
    expect(value(await provider.verb('status.post', status, by))).toMatchObject({ state: 'success' });
    const label = { repository: REPOSITORY, name: 'reviewed', colour: '00ff00', description: 'Seen' };
    expect(value(await provider.verb('label.upsert', label, by))).toEqual({ name: 'reviewed' });
    expect(forge.violations).toEqual([]);

    const all = await audit.read(0, 10_000);
    expect(await verifyAuditChain(all, sha256)).toMatchObject({ intact: true, lines: all.length });
    const entries = all.slice(before).map(entryOf);
    const intents = entries.filter((entry): entry is AuditIntent => entry.kind === 'intent');
    const outcomes = entries.filter((entry): entry is AuditOutcome => entry.kind === 'outcome');
    expect(intents.map(({ capability }) => capability)).toEqual(['review.submit', 'thread.resolve', 'status.post', 'label.upsert', 'label.upsert']);
    expect(outcomes.map(({ result }) => result)).toEqual(['succeeded', 'succeeded', 'succeeded', 'failed', 'succeeded']);
    for (const { receipt, argsDigest, operation } of intents) {
      expect(verifyReceipt(receipt ?? '', keys.publicKey)).toMatchObject({ digest: argsDigest, operation, actor: 'service:review' });
    }
    const [first, ...rest] = all;
    const forged = { ...(first as AuditLine), text: first?.text.replace('succeeded', 'failed').replace('intent', 'intemt') ?? '' };
    expect(await verifyAuditChain([forged, ...rest], sha256)).toMatchObject({ intact: false, sequence: 1 });
    expect(JSON.stringify(all)).not.toContain(forge.token('weir-bot'));
  });

  test(`${verifies('PRV-10', 'PRV-14')} a read that finds nothing new spends a point, and nothing of the budget that the forge counts`, async () => {
    const { forge, provider, budget } = await start(open());
    const first = await provider.call(...PULL, by);
    const left = Number(first.headers['x-ratelimit-remaining']);
    expect(await budget('core')).toEqual({ remaining: left, points: 1 });
    for (let call = 0; call < 3; call += 1) expect((await provider.call(...PULL, by)).value).toEqual(first.value);
    expect(forge.requests.slice(1).map(({ headers }) => headers['if-none-match'])).toEqual(Array.from({ length: 3 }, () => first.headers['etag']));
    expect(await budget('core')).toEqual({ remaining: left, points: 4 });
    await forge.seed.push({ repository: 'acme/shop', branch: 'feature', by: 'alice', files: { 'src/app.ts': lines([7]) } });
    const changed = await provider.call(...PULL, by);
    expect(changed.value).not.toEqual(first.value);
    expect(await budget('core')).toEqual({ remaining: left - 1, points: 5 });
  });

  test.each([
    [{ status: 403 }, 60_000],
    [{ status: 429 }, 60_000],
    [{ status: 422 }, 60_000],
    [{ status: 403, retryAfterSeconds: 5 }, 60_000],
    [{ status: 429, retryAfterSeconds: 90 }, 90_000],
  ] as const)(`${verifies('PRV-10', 'PRV-19')} a secondary limit as %j is waited out for %i ms, then the call is made again`, async (limit, pause) => {
    const { forge, provider, sleeps } = await start(open());
    forge.faults.add({ fault: { kind: 'secondary-limit', ...limit } });
    expect(await provider.call(...PULL, by)).toMatchObject({ status: 200 });
    expect(sleeps).toEqual([pause]);
    expect(forge.requests).toHaveLength(2);
  });

  test(`${verifies('PRV-19')} the descriptor's pause is longer, never shorter than 60 s`, async () => {
    for (const [cooldown, pause] of [
      [100, 100_000],
      [5, 60_000],
    ] as const) {
      const descriptor = { ...read, policy: { ...read.policy, budget: { ...read.policy.budget, cooldown_s: cooldown } } };
      const { forge, provider, sleeps } = await start(open(), { descriptor });
      forge.faults.add({ fault: { kind: 'secondary-limit', status: 403 } });
      await provider.call(...PULL, by);
      expect(sleeps).toEqual([pause]);
    }
  });

  test(`${verifies('PRV-10')} a spent budget is waited for until the forge counts anew`, async () => {
    const { forge, provider, sleeps } = await start(open());
    forge.faults.add({ fault: { kind: 'rate-limit', resetAfterSeconds: 110 } });
    expect(await provider.call(...PULL, by)).toMatchObject({ status: 200 });
    expect(sleeps).toEqual([110_000]);
  });

  test(`${verifies('PRV-19')} a second engine over the same database goes on with the run where the first one is`, async () => {
    const descriptor = { ...read, policy: { ...read.policy, budget: { ...read.policy.budget, calls_per_run: 3 } } };
    const one = await start(open(), { descriptor });
    const two = await start(open(), { descriptor });
    for (const { provider } of [one, two, one]) await provider.call('GET /user', {}, by);
    await expect(two.provider.call('GET /user', {}, by)).rejects.toMatchObject({
      code: 'FORGE_DENIED',
      message: expect.stringContaining('its 3 calls') as string,
    });
    expect(await two.provider.call('GET /user', {}, { ...by, run: 'run-2' })).toMatchObject({ status: 200 });
  });

  test(`${verifies('PRV-18', 'PRV-19')} without its stores the engine sends nothing and says so, and goes on when they are back`, async () => {
    const { forge, provider, gate, head, audit } = await start(open());
    const status = { repository: REPOSITORY, commit: head, context: 'weir/review', state: 'success' as const, description: 'Fine' };
    expect((await provider.verb('status.post', status, by)).ok).toBe(true);
    const sent = forge.requests.length;
    const lines = (await audit.read(0, 10_000)).length;
    gate.open = false;
    for (const run of ['run-1', undefined]) {
      const denied = await provider.verb('status.post', status, { actor: by.actor, signal: by.signal, ...(run === undefined ? {} : { run }) });
      expect(denied).toMatchObject({ ok: false, failure: { kind: 'Denied', message: expect.stringContaining('not sent') as string } });
      expect(JSON.stringify(denied)).not.toContain('secret');
    }
    await expect(provider.call(...PULL, by)).rejects.toMatchObject({ code: 'FORGE_DENIED' });
    expect(forge.requests).toHaveLength(sent);
    gate.open = true;
    expect((await provider.verb('status.post', status, by)).ok).toBe(true);
    expect(await audit.read(0, 10_000)).toHaveLength(lines + 2);
  });

  test(`${verifies('PRV-18')} a store that goes away while a write is under way: what was done is told, with the word that it is not recorded`, async () => {
    const { provider, gate, head, audit } = await start(open(), {
      through: (http, closing) => ({
        send: async (request, signal) => {
          const response = await http.send(request, signal);
          closing.open = false;
          return response;
        },
      }),
    });
    const args = { owner: 'acme', repo: 'shop', sha: head, state: 'success', context: 'weir/review' };
    const answer = await provider.call('repos/create-commit-status', args, { ...by, capability: 'status.post' });
    expect(answer).toMatchObject({ status: 201, recorded: false });
    expect(verifyReceipt(answer.receipt ?? '', keys.publicKey)).toMatchObject({ operation: 'repos/create-commit-status' });
    gate.open = true;
    const all = await audit.read(0, 10_000);
    expect(await verifyAuditChain(all, sha256)).toMatchObject({ intact: true });
    expect(entryOf(all.at(-1) as AuditLine)).toMatchObject({ kind: 'intent', receipt: answer.receipt });
  });
}

describe('over the embedded database', () => {
  let port: SqlPort;
  beforeAll(async () => {
    port = await createPglite({ dataFolder: null, onNotice: () => undefined });
    await migrate(port, PROVIDER_STORE_MIGRATIONS);
  });
  afterAll(() => port.close());
  engineTests(() => port);
});

describe.skipIf(server === undefined)('over a PostgreSQL server', () => {
  let port: SqlPort;
  beforeAll(async () => {
    port = createPostgres({ url: server?.url ?? '' });
    await migrate(port, PROVIDER_STORE_MIGRATIONS);
  });
  afterAll(() => port.close());
  engineTests(() => port);
});
