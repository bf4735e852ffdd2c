/** Reviews and calls as the real commands and stores write them, for tests and pictures of the dashboard. */
import { randomUUID } from 'node:crypto';
import type { FindingCoordinates, ReviewCommand, ReviewReport, Severity } from '@weir/contract';
import { createSecretBox, withNewKey } from '@weir/keyset';
import { accountSecretPlace } from '@weir/ports';
import { writeRoundContent } from '@weir/review-workers';
import { createPglite } from '@weir/sql-pglite';
import { loadSettings } from '../composition/load-settings.ts';
import { embeddedStorage } from '../composition/open-storage.ts';
import { openBus } from '../server/open-bus.ts';
import { operatorReviews } from '../server/operator-reviews.ts';
import { openReviewStores } from '../server/review-stores.ts';
import type { DashboardWorld } from './dashboard-world.ts';

const ORIGIN = 'https://forge.example';
export const idOfChange = (number: number): string => number.toString(16).padStart(32, '0');
export const headOf = (number: number, round: number): string => `${number}${round}`.padStart(40, 'a').replaceAll(/[^0-9a-f]/g, '0');
const ACTOR = { id: '7', login: 'kim', kind: 'person' } as const;

export interface SeededWorld extends DashboardWorld {
  run(command: ReviewCommand): Promise<void>;
  close(): Promise<void>;
}

/** An empty deployment in memory with one account and one repository. */
export async function seededWorld(env: Readonly<Record<string, string>> = {}): Promise<SeededWorld> {
  const storage = await embeddedStorage(await createPglite({ dataFolder: null, onNotice: () => undefined }));
  const keyset = withNewKey(undefined, new Date());
  const box = createSecretBox(() => keyset);
  const settings = loadSettings({ flags: {}, env, secretFiles: {}, file: null, repository: null });
  const bus = openBus({ settings, database: storage.sql, onFailure: () => undefined });
  const stores = openReviewStores(storage.sql, box);
  const reviews = operatorReviews({ stores, sql: storage.sql, box });
  const account = { id: 'a1', forge: 'gitea', origin: ORIGIN, baseUrl: ORIGIN, role: 'reviewer', identity: { ...ACTOR, login: 'weir' } } as const;
  await stores.registry.saveAccount({
    ...{ ...account, credential: { kind: 'token' }, sealedSecret: box.seal('a-token-of-the-account', accountSecretPlace('a1')), scopes: null },
    ...{ observedAt: 1, state: 'active', listedAuthors: [], allowedBots: [] },
  });
  await stores.registry.saveHook({ id: 'h1', account: 'a1', forge: 'gitea', origin: ORIGIN, sealedSecrets: [] });
  await stores.registry.saveRepository({
    ...{ id: 'r1', account: 'a1', factoryAccount: null, forge: 'gitea', origin: ORIGIN, repositoryId: '12', path: { owner: 'team', name: 'shop' } },
    ...{
      reviewDrafts: false,
      observe: false,
      blockOn: null,
      showCost: false,
      deniedActors: [],
      grantedActors: [],
      hook: 'h1',
      hookId: null,
      lastDeliveryAt: null,
    },
  });
  return {
    ...{ stores, models: storage.models, deadLetters: bus.deadLetters, reviews, settings, now: Date.now },
    providers: { forgeOf: () => Promise.reject(new Error('no forge is at hand')) },
    run: async command => {
      const outcome = await reviews.execute(command);
      if (outcome.outcome !== 'accepted') throw new Error(`${command.type}: ${JSON.stringify(outcome)}`);
    },
    close: async () => {
      await bus.close();
      await storage.close();
    },
  };
}

export interface SeededRound {
  readonly change: number;
  readonly round: number;
  readonly at: string;
  readonly title?: string;
  /** Severities of its new findings. */
  readonly finds: readonly Severity[];
  readonly verdicts?: readonly { readonly finding: string; readonly verdict: 'resolved' | 'still_open' | 'unchanged' }[];
  /** The round stays in this stage. */
  readonly until?: 'queued' | 'generating';
}

const finding = (round: number, severity: Severity, place: number): FindingCoordinates => ({
  ...{ id: `${round}${'abcdefgh'[place] ?? 'z'}`, rule: 'correctness/order', path: `src/file-${place}.ts`, side: 'new', line: 4, endLine: 4, severity },
  ...{ category: 'correctness', fingerprint: `f-${round}-${place}` },
});

function reportOf(found: readonly FindingCoordinates[], head: string, at: string): ReviewReport {
  return {
    ...{ schemaVersion: 1, weir: '0.1.0', at, change: { kind: 'range', base: null, head, files: 3, addedLines: 9, removedLines: 2 } },
    ...{ headline: 'Not ready.', complete: true, coverage: [], notes: [], specialists: [{ key: 'correctness', failure: null, findings: found.length }] },
    model: { state: 'ran', model: 'm', usage: { calls: 1, inputTokens: 10, outputTokens: 2 }, failure: null, note: 'one call' },
    findings: found.map(one => ({
      ...{ ...one, fingerprint: 'ab'.repeat(16), title: `Title of ${one.id}`, message: 'What happens.', quote: null, evidence: [], suggestion: null },
      ...{ sources: ['correctness'], placement: { kind: 'summary', reason: 'seeded' } },
    })),
  };
}

/** A whole round by the commands of the pipeline, with the texts where they lie. */
export async function seedRound(world: SeededWorld, seeded: SeededRound): Promise<void> {
  const { change, round, at, title = `Change ${change}`, finds, verdicts = [], until } = seeded;
  const [reviewId, head] = [idOfChange(change), headOf(change, round)];
  const coordinates = { forge: 'gitea', origin: ORIGIN, repositoryId: '12', repository: { owner: 'team', name: 'shop' }, change };
  const card = { number: change, title, url: `${ORIGIN}/team/shop/pulls/${change}`, author: ACTOR, state: 'open', draft: false } as const;
  const of = { reviewId, at, round, head, attempt: 1 };
  const cause = round === 1 ? 'opened' : 'pushed';
  await world.run({ type: 'RequestRound', reviewId, at, head, coordinates, change: card, cause, by: '7', forced: false, observe: false });
  if (until === 'queued') return;
  await world.run({ type: 'BeginRound', ...of });
  await world.run({ type: 'RecordDiff', ...of, diff: { files: 3, addedLines: 9, removedLines: 2, bytes: 100, truncated: false, renames: [] } });
  await world.run({ type: 'RecordContext', ...of, context: null, missing: [] });
  if (until === 'generating') return;
  const found = finds.map((severity, place) => finding(round, severity, place));
  const content = `${reviewId}/${round}/report`;
  await world.stores.artifacts.put({
    id: content,
    reviewId,
    kind: 'report',
    text: writeRoundContent({ report: reportOf(found, head, at), steps: [] }),
    expiresAt: null,
  });
  const reading = { full: 3, partial: 0, skipped: 0, byRule: 0 };
  await world.run({
    type: 'RecordFindings',
    ...of,
    headline: 'Not ready.',
    complete: true,
    reading,
    findings: found,
    verdicts: [...verdicts],
    tracked: 0,
    content,
  });
  const ended = new Date(Date.parse(at) + 42_000).toISOString();
  await world.run({ type: 'RecordPosted', ...of, at: ended, findings: found.map(({ id }) => ({ finding: id, thread: null })), answers: [], summary: 's1' });
}

/** One call: metered with these tokens at a dollar a million each, or unpriced. */
export async function seedCall({ models }: SeededWorld, review: string | null, at: number, tokens: number | null): Promise<void> {
  const call = {
    ...{
      callRef: randomUUID(),
      at,
      capability: 'review',
      modelProvider: 'p',
      model: 'vendor/m',
      credentialRef: null,
      forge: null,
      virtualKey: null,
      person: null,
    },
    ...{ run: null, review, repository: review === null ? null : 'team/shop' },
  };
  const line = (tokenType: 'input' | 'output', count: number) =>
    ({ tokenType, tokens: count, rate: 100_000_000, cost: count * 100, pricingMode: 'metered' }) as const;
  await models.ledger.append(
    call,
    tokens === null ? [{ tokenType: 'total', tokens: null, rate: null, cost: null, pricingMode: 'unknown' }] : [line('input', tokens), line('output', 3)],
  );
}
