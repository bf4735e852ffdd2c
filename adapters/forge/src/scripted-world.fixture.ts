/**
 * A provider's engine over a scripted network and stores in memory, for the tests of this package. Time passes only by sleeping.
 */
import { generateKeyPairSync } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ProviderDescriptor } from '@weir/contract';
import { type OperationTable, readTable } from '@weir/operation-table';
import type { AuditEntry, EtagEntry, EtagStore, HttpRequest, HttpResponse, RateGrant, RateRequest, RateStore, ServerLimit } from '@weir/ports';
import { createProvider, type Provider } from './create-provider.ts';
import { DESCRIPTORS, loadDescriptor } from './load-builtin.fixture.ts';
import type { ProviderOptions } from './provider-options.ts';
import { createReceiptSigner } from './receipt.ts';

export const CANARY = 'canary-7c1f0e5a9b';
export const receiptKeys = generateKeyPairSync('ed25519');

const tables = new Map<string, OperationTable>();

export const loadTable = (name: string): OperationTable => {
  const known = tables.get(name);
  if (known !== undefined) return known;
  const read = readTable(readFileSync(path.join(DESCRIPTORS, name, 'optable.json'), 'utf8'));
  if (!read.ok) throw new Error(read.problem);
  tables.set(name, read.table);
  return read.table;
};

/** Those of its own, and those of the provider that it extends. */
export const loadDocuments = ({ graphql, name, extends: parent = name }: ProviderDescriptor): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(graphql?.documents ?? {}).map(([key, { file }]) => [
      key,
      readFileSync(path.join(DESCRIPTORS, existsSync(path.join(DESCRIPTORS, name, file)) ? name : parent, file), 'utf8'),
    ]),
  );

/** What the network answers; an Error is thrown instead. */
export interface ScriptedAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly text?: string;
  readonly chunks?: readonly Uint8Array[];
}
type Script = (request: HttpRequest, index: number) => ScriptedAnswer | Error;

async function* bodyOf({ json, text, chunks }: ScriptedAnswer): AsyncGenerator<Uint8Array> {
  await Promise.resolve();
  if (chunks !== undefined) yield* chunks;
  else yield new TextEncoder().encode(text ?? (json === undefined ? '' : JSON.stringify(json)));
}

const respond = (answer: ScriptedAnswer): HttpResponse => ({
  status: answer.status ?? 200,
  headers: { ...(answer.json === undefined ? {} : { 'content-type': 'application/json' }), ...answer.headers },
  body: bodyOf(answer),
});

export interface World {
  readonly provider: Provider;
  readonly sent: HttpRequest[];
  readonly lines: AuditEntry[];
  readonly kept: Map<string, EtagEntry>;
  readonly sleeps: number[];
  readonly acquired: RateRequest[];
  readonly reported: ServerLimit[];
  readonly quarantines: number[];
  readonly released: string[];
  readonly clock: { now: number };
}

const GITHUB = loadDescriptor('github');
export const START = Date.parse('2026-01-02T03:04:05Z');

export const createWorld = (
  script: Script,
  changes: Partial<ProviderOptions> = {},
  grants: (request: RateRequest, now: number) => RateGrant | undefined = () => undefined,
): World => {
  const clock = { now: START };
  const world = { sent: [], lines: [], kept: new Map(), sleeps: [], acquired: [], reported: [], quarantines: [], released: [], clock } as unknown as Omit<
    World,
    'provider'
  >;
  const descriptor = changes.descriptor ?? GITHUB;
  const provider = createProvider({
    descriptor,
    table: loadTable(descriptor.name),
    documents: loadDocuments(descriptor),
    http: {
      send: request => {
        world.sent.push(request);
        const answer = script(request, world.sent.length - 1);
        return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(respond(answer));
      },
    },
    rateStore: rateStore(world, grants),
    etagStore: etagStore(world),
    auditStore: {
      append: entry => {
        world.lines.push(entry);
        return Promise.resolve({ sequence: world.lines.length, text: '', hash: '' });
      },
      read: () => Promise.resolve([]),
    },
    credentials: { env: name => (name === 'GITHUB_TOKEN' ? CANARY : undefined) },
    now: () => clock.now,
    random: () => 0,
    sleep: (milliseconds, signal) => {
      signal.throwIfAborted();
      world.sleeps.push(milliseconds);
      clock.now += milliseconds;
      return Promise.resolve();
    },
    signReceipt: createReceiptSigner(receiptKeys.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()),
    ...changes,
  });
  return { ...world, provider };
};

function rateStore(world: Omit<World, 'provider'>, grants: (request: RateRequest, now: number) => RateGrant | undefined): RateStore {
  const calls = new Map<string, number>();
  return {
    acquire: request => {
      world.acquired.push(request);
      const until = Math.max(0, ...world.quarantines) - world.clock.now;
      if (until > 0) return Promise.resolve({ granted: false, reason: 'quarantine', waitMs: until });
      return Promise.resolve(grants(request, world.clock.now) ?? { granted: true, lease: `lease-${world.acquired.length}` });
    },
    release: (_key, lease, { limit, quarantineUntil } = {}) => {
      world.released.push(lease);
      if (limit !== undefined) world.reported.push(limit);
      if (quarantineUntil !== undefined) world.quarantines.push(quarantineUntil);
      return Promise.resolve();
    },
    spend: ({ run, calls: most }) => {
      const made = (calls.get(run) ?? 0) + 1;
      if (made <= most) calls.set(run, made);
      return Promise.resolve(made <= most);
    },
  };
}

const etagStore = ({ kept }: Omit<World, 'provider'>): EtagStore => ({
  get: key => Promise.resolve(kept.get(JSON.stringify(key))),
  put: (key, entry) => {
    kept.set(JSON.stringify(key), entry);
    return Promise.resolve(true);
  },
  forget: () => Promise.resolve(),
});

/** The GitHub descriptor with some keys changed. */
export const changedDescriptor = (change: (tree: ProviderDescriptor) => Partial<ProviderDescriptor>): ProviderDescriptor => {
  return ProviderDescriptor.parse({ ...GITHUB, ...change(GITHUB) });
};
