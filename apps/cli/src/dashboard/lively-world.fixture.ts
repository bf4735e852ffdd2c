/** A deployment at work: a review in each state that people see, calls with and without a price, and one of everything that needs a person. */
import { createEnvelopes } from '@weir/belt';
import { checkModel, providerFromPreset } from '@weir/model-routes';
import { UPCASTS } from '../server/review-upcasts.ts';
import { seedCall, seedRound, type SeededRound } from './seed-reviews.fixture.ts';
import { ACTOR, emptyWorld, idOfChange, seedAccount, type SeededWorld, seedRepository } from './seeded-world.fixture.ts';
import { ROUND_1, ROUND_2, ROUND_3, SETTLEMENT_DIFF } from './settlement-change.fixture.ts';

export const SETTLEMENT = idOfChange(284);
const MADE = {
  prompts: [{ specialist: 'correctness', digest: '3fa9c1e07b52'.padEnd(64, '0') }],
  rules: [{ path: '.weir/rules.md', digest: '91d0aa5c4e21'.padEnd(64, '0') }],
};
const [PAYMENTS, WEB, TOOLS, DATA] = ['acme/payments-api', 'acme/web', 'acme/internal-tools', 'acme/data-pipeline'] as const;

/** Seconds before now, in the form of the events. */
const ago = (seconds: number): string => new Date(Date.now() - seconds * 1_000).toISOString();

const settlement = (round: number, seconds: number, rest: Pick<SeededRound, 'finds'> & Partial<SeededRound>): SeededRound => ({
  ...{ change: 284, repository: PAYMENTS, title: 'Split settlement service out of billing', round, at: ago(seconds), made: MADE },
  ...rest,
});

/** Oldest first, so that the list has the newest on top. */
const ROUNDS = (): readonly SeededRound[] => [
  {
    ...{ change: 405, repository: WEB, title: 'Introduce feature-flag provider', round: 1, at: ago(18_000), finds: [], until: 'generating' },
    ends: ({ reviewId, at, round, head }) => ({ type: 'CancelRound', reviewId, at, round, head, by: '7' }),
  },
  {
    change: 57,
    repository: TOOLS,
    title: 'Migrate cron runner to structured logs',
    round: 1,
    at: ago(14_400),
    finds: ['major', 'minor', 'minor'],
    observe: true,
  },
  settlement(1, 13_000, { finds: ROUND_1 }),
  settlement(2, 12_000, { finds: ROUND_2, verdicts: [{ finding: '1b', verdict: 'unchanged' }] }),
  settlement(3, 10_842, {
    finds: ROUND_3,
    verdicts: [
      { finding: '1b', verdict: 'resolved' },
      { finding: '2a', verdict: 'still_open' },
    ],
    missing: [{ source: 'linked issue', reason: 'the forge did not answer in time' }],
  }),
  {
    ...{ change: 134, repository: DATA, title: 'Backfill job for partitioned events', round: 1, at: ago(3_600), finds: ['minor'], until: 'posting' },
    ends: of => ({
      ...{ type: 'FailRound', ...of, failure: 'FORGE_FORBIDDEN', sentence: 'The account may not comment here.' },
      ...{ retry: 'never', retryAfterSeconds: null, jitter: 0 },
    }),
  },
  { change: 409, repository: WEB, title: 'Bump design-tokens to 2.4.0', round: 1, at: ago(1_320), finds: [] },
  {
    ...{ change: 288, repository: PAYMENTS, title: 'Add idempotency keys to refunds', round: 1, at: ago(120), finds: [], until: 'generating' },
    ends: of => ({ type: 'RefuseRound', ...of, code: 'cap_reached', measurement: '41 model calls made in the last hour' }),
  },
  { change: 412, repository: WEB, title: 'Refactor checkout session handling', round: 1, at: ago(25), finds: [], until: 'generating' },
];

/** Titles of its reviews as the list has them. */
export const LIVELY_TITLES: readonly string[] = [...new Set(ROUNDS().map(({ title }) => title ?? ''))].reverse();

/** @param env settings of the deployment */
export async function livelyWorld(env: Readonly<Record<string, string>> = { WEIR_MODEL: 'sonnet-4.6' }): Promise<SeededWorld> {
  const world = await emptyWorld(env);
  await seedPlaces(world);
  await seedModels(world);
  for (const round of ROUNDS()) await seedRound(world, round);
  world.diffs.set(284, SETTLEMENT_DIFF);
  await dismiss(world, '1a', 'The vendor calls it a batch.');
  await world.run({ type: 'SettleThread', reviewId: SETTLEMENT, at: ago(10_700), finding: '1b', resolved: true, by: ACTOR });
  await seedCalls(world);
  await seedDeliveries(world);
  await buryWork(world);
  return world;
}

async function dismiss(world: SeededWorld, finding: string, reason: string): Promise<void> {
  const content = `${SETTLEMENT}/reason/${finding}`;
  await world.stores.artifacts.put({ id: content, reviewId: SETTLEMENT, kind: 'reason', text: reason, expiresAt: null });
  await world.run({ type: 'DismissFinding', reviewId: SETTLEMENT, at: ago(10_750), finding, by: ACTOR, content, comment: null });
}

async function seedPlaces(world: SeededWorld): Promise<void> {
  const observedAt = Date.now() - 400_000;
  await seedAccount(world, { id: 'a1', identity: { id: '99', login: 'weir-bot', kind: 'bot' }, scopes: ['write:repository', 'write:issue'], observedAt });
  await seedAccount(world, { id: 'a2', origin: 'https://git.example', state: 'rejected', observedAt });
  for (const [index, path] of [PAYMENTS, WEB, TOOLS, DATA].entries()) {
    const [owner = '', name = ''] = path.split('/');
    const lastDeliveryAt = path === DATA ? null : Date.now() - (index * 4_000 + 25) * 1_000;
    const rules = { observe: path === TOOLS, blockOn: path === PAYMENTS ? 'blocker' : null, showCost: true } as const;
    await seedRepository(world, { id: `r${index}`, account: 'a1', path: { owner, name }, lastDeliveryAt, ...rules });
  }
}

async function seedModels({ models }: SeededWorld): Promise<void> {
  const price = { mode: 'metered', rates: { input: 300_000, output: 1_500_000, cached_input: 30_000 }, since: '2026-09-01', source: 'price list' } as const;
  for (const [preset, name, row] of [
    ['anthropic', 'anthropic', { name: 'sonnet-4.6', upstreamModel: 'claude-sonnet-4-6', price }],
    ['vllm', 'local', { name: 'qwen', upstreamModel: 'qwen3', price: { mode: 'unmetered' } }],
  ] as const) {
    const provider = providerFromPreset(preset, preset === 'vllm' ? { name, baseUrl: 'http://127.0.0.1:8000/v1', auth: { scheme: 'none' } } : { name });
    const model = checkModel({ modelProvider: name, ...row });
    if (!provider.ok || !model.ok) throw new Error(`The rows of ${name} do not fit.`);
    await models.config.saveProvider(provider.row);
    await models.config.saveModel(model.row);
  }
}

async function seedCalls(world: SeededWorld): Promise<void> {
  const sonnet = { provider: 'anthropic', name: 'sonnet-4.6' };
  const call = { model: sonnet, repository: PAYMENTS, review: SETTLEMENT };
  await seedCall(world, { ...call, at: Date.now() - 10_860_000, tokens: 120, capability: 'reconcile' });
  await seedCall(world, { ...call, at: Date.now() - 10_840_000, tokens: 320 });
  await seedCall(world, { ...call, repository: WEB, review: idOfChange(409), at: Date.now() - 1_300_000, tokens: 90 });
  await seedCall(world, { ...call, repository: DATA, review: idOfChange(134), at: Date.now() - 3_590_000, tokens: null });
  await seedCall(world, { ...call, review: null, at: Date.now() - 9_000_000, tokens: 38, capability: 'conversation' });
}

async function seedDeliveries({ stores, storage }: SeededWorld): Promise<void> {
  const kept = { registration: 'hook-r0', body: '{}' };
  await storage.sql.transaction(async session => {
    await stores.deliveries.keep(session, {
      ...kept,
      id: 'hook-r0/72d3162e',
      headers: { 'x-gitea-event': 'repository' },
      arrivedAt: Date.now() - 40_000,
      problem: null,
    });
    await stores.deliveries.keep(session, {
      ...{ ...kept, id: 'hook-r0/5ab0917c', headers: { 'x-gitea-event': 'pull_request' }, arrivedAt: Date.now() - 7_000_000 },
      problem: 'The payload has no pull request.',
    });
  });
}

/** A piece of work that has used its attempts up. */
async function buryWork({ stores, storage }: SeededWorld): Promise<void> {
  const envelopes = createEnvelopes({ source: '/weir', now: Date.now, upcasts: UPCASTS });
  const reviewId = idOfChange(134);
  const [id, kind] = ['w1', 'PostRound'];
  const envelope = envelopes.first({ type: kind }, { id, subject: reviewId });
  await storage.sql.transaction(session => stores.leases.offer(session, [{ id, kind, key: reviewId, envelope }]));
  const [lease] = await stores.leases.claim({ kinds: [kind], leaseMs: 60_000, limit: 1 });
  if (lease === undefined) throw new Error('There is no work to bury.');
  await stores.leases.bury(lease, new Error('the forge answered 403'), async () => undefined);
}
