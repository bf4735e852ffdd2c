/** For tests of the engine: one route, stores of a few lines that record what is asked of them, and time that the test holds. */
import { createHash } from 'node:crypto';
import type { ChargeLine, Model, ModelCall, ModelProvider, SpendSum, VirtualKey } from '@weir/contract';
import { AppError } from '@weir/kernel';
import { NO_LIMITS, NO_SPEND, type SpendLimits } from '@weir/model-pricing';
import type { CredentialReport, HttpPort, HttpRequest, HttpResponse, OpenCall, ReserveOutcome } from '@weir/ports';
import type { GatewayEvent } from './gateway-event.ts';
import type { GatewayWorld } from './gateway-world.ts';

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');

export const PROVIDER: ModelProvider = {
  name: 'acme',
  baseUrl: 'https://models.example/v1',
  protocol: 'chat',
  auth: { scheme: 'bearer' },
  headers: {},
  facts: {},
  profile: { outputTokens: 'max_tokens', temperature: 'allowed', reasoningEffort: [], extra: {} },
  usageRule: 'openai',
};

export const MODEL: Model = {
  modelProvider: 'acme',
  name: 'm',
  upstreamModel: 'm-1',
  price: { mode: 'metered', rates: { input: 100_000, output: 400_000 } },
};

export const VIRTUAL_KEY: VirtualKey = {
  id: 'k1',
  hash: '0'.repeat(64),
  label: 'k1',
  holder: { kind: 'run', id: 'run-1' },
  budgetMillicents: 500_000,
  budgetCalls: null,
  allowedRoutes: null,
  createdAt: 0,
  expiresAt: null,
  revokedAt: null,
  spentMillicents: 0,
  reservedMillicents: 0,
  calls: 0,
  unpricedCalls: 0,
};

export interface WorldChanges {
  readonly http: HttpPort;
  readonly providers?: readonly ModelProvider[];
  readonly models?: readonly Model[];
  /** Secrets by reference, in the order of the pool. */
  readonly credentials?: Readonly<Record<string, string>>;
  readonly reserve?: () => Promise<ReserveOutcome>;
  readonly spendLimits?: SpendLimits;
  /** What the ledger says of the window. */
  readonly spent?: SpendSum;
  /** Every store fails as an unreachable database does. */
  readonly databaseDown?: () => boolean;
  readonly realTime?: boolean;
}

export interface TestWorld extends GatewayWorld {
  readonly events: GatewayEvent[];
  readonly opened: OpenCall[];
  readonly charged: { readonly call: ModelCall; readonly lines: readonly ChargeLine[] }[];
  readonly reserved: { readonly callRef: string; readonly millicents: number }[];
  readonly settled: { readonly callRef: string; readonly millicents: number | null }[];
  readonly reports: { readonly ref: string; readonly report: CredentialReport }[];
  readonly slept: number[];
  /** Revokes the key of running calls. */
  revoke(): void;
  /** Runs what is scheduled up to so many milliseconds from now. */
  advance(milliseconds: number): void;
}

export function testWorld(changes: WorldChanges): TestWorld {
  const { http, providers = [PROVIDER], models = [MODEL], credentials = { 'acme-1': 'sk-1' }, databaseDown = () => false } = changes;
  const records = { events: [], opened: [], charged: [], reserved: [], settled: [], reports: [], slept: [] } as Pick<
    TestWorld,
    'events' | 'opened' | 'charged' | 'reserved' | 'settled' | 'reports' | 'slept'
  >;
  const out = new Map<string, CredentialReport>();
  const watchers = new Set<() => void>();
  const timers = new Map<() => void, number>();
  let clock = 1_000_000;
  let calls = 0;
  const up = async <T>(value: () => T): Promise<T> => {
    if (databaseDown()) throw new AppError('DATABASE_UNAVAILABLE', 'down');
    return value();
  };
  return {
    ...records,
    http,
    stores: {
      config: { rows: () => up(() => ({ providers, models, revision: '1' })), revision: () => up(() => '1') },
      credentials: {
        pick: async () => {
          const free = Object.entries(credentials).find(([ref]) => !out.has(ref));
          if (free !== undefined) return { available: true, ref: free[0], version: 1, sealed: free[1] };
          const limits = [...out.values()].flatMap(report => (report.kind === 'rate_limited' ? [report.until] : []));
          const returnsAt = limits.length === 0 ? null : Math.min(...limits);
          if (Object.keys(credentials).length === 0) return { available: false, reason: 'none', returnsAt };
          return { available: false, reason: returnsAt === null ? 'rejected' : 'rate_limited', returnsAt };
        },
        report: async (ref, _version, report) => {
          records.reports.push({ ref, report });
          out.set(ref, report);
        },
      },
      keys: {
        find: digest => up(() => (digest === hash('secret') ? VIRTUAL_KEY : undefined)),
        reserve: ({ callRef, millicents }) =>
          up(() => {
            records.reserved.push({ callRef, millicents });
          }).then(() => changes.reserve?.() ?? { granted: true }),
        settle: (callRef, millicents) =>
          up(() => {
            records.settled.push({ callRef, millicents });
            return true;
          }),
      },
      ledger: {
        open: call => up(() => void records.opened.push(call)),
        append: (call, lines) => up(() => records.charged.push({ call, lines })),
        sum: () => up(() => changes.spent ?? NO_SPEND),
        filledAt: () => up(() => clock - 1_000),
      },
    },
    secrets: { open: sealed => sealed },
    spendLimits: changes.spendLimits ?? NO_LIMITS,
    watchKey: (_id, onRevoked) => {
      watchers.add(onRevoked);
      return () => void watchers.delete(onRevoked);
    },
    hash,
    now: () => clock,
    random: () => 0.5,
    sleep: async milliseconds => {
      records.slept.push(milliseconds);
      clock += milliseconds;
      for (const [ref, report] of out) if (report.kind === 'rate_limited' && report.until <= clock) out.delete(ref);
    },
    schedule: (work, afterMs) => {
      if (changes.realTime === true) {
        const timer = setTimeout(work, afterMs);
        return () => clearTimeout(timer);
      }
      timers.set(work, clock + afterMs);
      return () => void timers.delete(work);
    },
    newId: () => {
      calls += 1;
      return `call-${calls}`;
    },
    report: event => void records.events.push(event),
    revoke: () => {
      for (const tell of [...watchers]) tell();
    },
    advance: milliseconds => {
      clock += milliseconds;
      for (const [work, at] of [...timers]) {
        if (at > clock) continue;
        timers.delete(work);
        work();
      }
    },
  };
}

/** One answer of an upstream: a status with a body, as pieces; an Error among them breaks it off there. */
export interface ScriptedAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly parts?: readonly (string | Error)[];
}

async function* bytes(parts: readonly (string | Error)[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) {
    if (part instanceof Error) throw part;
    yield new TextEncoder().encode(part);
  }
}

/** Answers one request after the other; the last answer stays. An Error is what sending fails with. */
export function scriptedHttp(...answers: readonly (ScriptedAnswer | Error)[]): HttpPort & { readonly sent: HttpRequest[] } {
  const sent: HttpRequest[] = [];
  return {
    sent,
    send: async request => {
      const answer = answers[Math.min(sent.length, answers.length - 1)] ?? {};
      sent.push(request);
      if (answer instanceof Error) throw answer;
      const { status = 200, headers = {}, parts = [] } = answer;
      return { status, headers, body: bytes(parts) } satisfies HttpResponse;
    },
  };
}

export const never = new AbortController().signal;
