import { API_ROUTES, type ApiReview, type ApiReviewList, type ApiWhy, type ApiRouteId } from '@weir/contract';
import { openEnvelope } from '@weir/belt';
import type { ReviewEvent } from '@weir/contract';
import type { ApiAnswer, ApiCall, ApiFeedEvent } from '@weir/ports';
import { openBaseline, reviewList, type ReviewListRow } from '@weir/review';
import { verifies } from '@weir/requirements';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkModel, providerFromPreset } from '@weir/model-routes';
import { dashboardApi, type DashboardApi, type HandledRouteId } from './handlers.ts';
import { headOf, seedCall, seedRound } from './seed-reviews.fixture.ts';
import { idOfChange, seededWorld, type SeededWorld } from './seeded-world.fixture.ts';

type Ask = { readonly params?: object; readonly query?: object; readonly body?: unknown; readonly role?: 'viewer' | 'admin' };

let world: SeededWorld;
let api: DashboardApi;
const TODAY = new Date().toISOString().slice(0, 10);
const ONE = idOfChange(1);

/** As the server does: the schemas of the route read the request, and here the answer too. */
async function ask<Body>(id: HandledRouteId, { params = {}, query = {}, body, role = 'admin' }: Ask = {}): Promise<ApiAnswer & { readonly body: Body }> {
  const route = API_ROUTES.find(one => one.id === id);
  if (route === undefined) throw new Error(id);
  const call: ApiCall = {
    ...{ params: route.params.parse(params), query: route.query.parse(query), body: route.body === null ? null : route.body.parse(body) },
    ...{ principal: { subject: 'u1', name: 'kim', role, by: 'session' }, lastEventId: null, signal: new AbortController().signal },
  };
  const answer = await api.handlers[id](call);
  route.answer?.parse(answer.body);
  return answer as ApiAnswer & { readonly body: Body };
}

/** The whole why, over all its pages of two. */
async function why(id: HandledRouteId, figure: string, params: object = {}): Promise<ApiWhy> {
  let whole: ApiWhy | undefined;
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const { body }: { body: ApiWhy } = await ask<ApiWhy>(id, { params, query: { figure, limit: '2', ...(cursor === undefined ? {} : { cursor }) } });
    whole = { ...body, events: [...(whole?.events ?? []), ...body.events], charges: [...(whole?.charges ?? []), ...body.charges] };
    cursor = body.next;
  }
  if (whole === undefined) throw new Error('no page');
  return whole;
}

/** The events that a why lists, as the log has them, folded from nothing by review. */
async function refold({ events }: ApiWhy): Promise<readonly ReviewListRow[]> {
  const rows = new Map<string, ReviewListRow>();
  const all = await world.stores.log.readAll(undefined, 10_000);
  for (const { reviewId, position } of events) {
    const found = all.find(event => event.position === position);
    if (found === undefined) throw new Error(`the log has nothing at ${position}`);
    rows.set(reviewId, reviewList(rows.get(reviewId), openEnvelope<ReviewEvent>(found.envelope)));
  }
  return [...rows.values()];
}

beforeAll(async () => {
  world = await seededWorld({ WEIR_MODEL: 'm' });
  api = dashboardApi(world);
  const provider = providerFromPreset('openai', { name: 'p' });
  const model = checkModel({ modelProvider: 'p', name: 'm', upstreamModel: 'vendor/m', price: { mode: 'metered', rates: { input: 77_777, output: 88_888 } } });
  if (!provider.ok || !model.ok) throw new Error('the model does not fit');
  await world.models.config.saveProvider(provider.row);
  await world.models.config.saveModel(model.row as never);
  await seedRound(world, {
    change: 1,
    round: 1,
    at: '2026-01-05T08:00:00.000Z',
    title: 'Settle 100% at once',
    finds: ['blocker', 'major', 'minor', 'blocker'],
  });
  const verdicts = [
    { finding: '1a', verdict: 'resolved' },
    { finding: '1b', verdict: 'still_open' },
    { finding: '1c', verdict: 'unchanged' },
  ] as const;
  await seedRound(world, { change: 1, round: 2, at: `${TODAY}T00:00:01.000Z`, title: 'Settle 100% at once', finds: ['note', 'blocker'], verdicts });
  await seedRound(world, { change: 2, round: 1, at: '2026-01-06T08:00:00.000Z', finds: ['blocker'] });
  await seedRound(world, { change: 3, round: 1, at: '2026-01-07T08:00:00.000Z', finds: [], until: 'queued' });
  await seedRound(world, { change: 4, round: 1, at: '2026-01-08T08:00:00.000Z', finds: [], until: 'generating' });
  for (const [review, tokens] of [
    [ONE, 10],
    [ONE, null],
    [ONE, 7],
    [idOfChange(2), 5],
    [null, 1],
  ] as const)
    await seedCall(world, { review, at: Date.now(), tokens });
}, 120_000);
afterAll(() => world.close());

describe('reads', () => {
  test(`${verifies('REV-39a')} every read answers what its route says, without secrets, and without rates for a viewer`, async () => {
    const own: Partial<Record<ApiRouteId, Ask>> = {
      readReview: { params: { id: ONE } },
      listReviewEvents: { params: { id: ONE } },
      whyReview: { params: { id: ONE }, query: { figure: 'open' } },
      whyReviews: { query: { figure: 'in_flight' } },
      whySpend: { query: { figure: 'total' } },
      listProviders: { query: { limit: '1' } },
    };
    const reads = API_ROUTES.filter(({ method, id }) => method === 'GET' && !['readSession', 'readFeed', 'readReviewDiff'].includes(id));
    for (const { id } of reads) {
      for (const role of ['viewer', 'admin'] as const) {
        const { body, etag } = await ask(id as HandledRouteId, { ...own[id], role });
        const text = JSON.stringify(body);
        expect(etag, id).toMatch(/^[\w-]{27}$/);
        expect(text, id).not.toMatch(/a-token-of-the-account|sealed/);
        expect(/77777|88888|"rate"/.test(text), `${id} for ${role}`).toBe(id === 'listModels' && role === 'admin');
        // Beside the cost of a call its tokens would tell the rate.
        if (role === 'viewer') expect(text, id).not.toMatch(/inputTokens|outputTokens|cachedTokens/);
      }
    }
  });

  test('the list filters, searches, comes in pages, and counts', async () => {
    const list = async (query: object): Promise<readonly string[]> => (await ask<ApiReviewList>('listReviews', { query })).body.items.map(({ id }) => id);
    expect(await list({ text: '100%' })).toEqual([ONE]);
    expect(await list({ status: 'queued,generating' })).toEqual([idOfChange(4), idOfChange(3)]);
    expect(await list({ repository: 'team/none' })).toEqual([]);
    const first = (await ask<ApiReviewList>('listReviews', { query: { limit: '3' } })).body;
    expect(first.totals).toEqual({ all: 4, inFlight: 2, needsMe: 0, ended: 2, endedToday: 1, openBlockers: 3 });
    expect([...first.items.map(({ id }) => id), ...(await list({ cursor: first.next }))].length).toBe(4);
    expect(first.items[0]).toMatchObject({ id: ONE, stage: 'posting', cost: { calls: 3, unpricedCalls: 1, millicents: 2300 } });
  });

  test('a review has its texts, its verdict, and what each round says of earlier findings', async () => {
    const { body } = await ask<ApiReview>('readReview', { params: { id: ONE } });
    expect(body.verdict).toEqual({ ready: false, headline: 'Not ready: 2 blocker, 1 major, 1 minor, 1 note open.' });
    expect(body.rounds[1]?.reconciliation).toEqual({ resolved: 1, open: 1, unchanged: 1, added: 2, tracked: 0 });
    expect(body.findings[0]).toMatchObject({ id: '1a', status: 'resolved', text: { title: 'Title of 1a' }, sources: ['correctness'] });
    expect(body.madeBy).toEqual({ specialists: ['correctness'], model: 'm', weir: '0.1.0', account: 'weir', prompts: null, rules: null });
    await expect(ask('readReview', { params: { id: idOfChange(99) } })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('the log is read from its end, by type, and over pages it is all there once', async () => {
    const seen: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const { body } = await ask<{ items: { id: string; type: string }[]; next: string | null }>('listEvents', {
        query: { type: 'findings', limit: '1', ...(cursor === undefined ? {} : { cursor }) },
      });
      seen.push(...body.items.map(({ id }) => id));
      cursor = body.next;
    }
    expect([seen.length, new Set(seen).size]).toEqual([3, 3]);
    await expect(ask('listEvents', { query: { cursor: 'nonsense' } })).rejects.toMatchObject({ code: 'REQUEST_INVALID' });
  });
});

describe('whys', () => {
  test('each figure of a review is what the events of its why fold to', async () => {
    const { body } = await ask<ApiReview>('readReview', { params: { id: ONE } });
    const of = (figure: string): Promise<ApiWhy> => why('whyReview', figure, { id: ONE });
    const counts = body.rounds.at(-1)?.reconciliation;
    const last = body.rounds.at(-1)?.round;
    const verdicts = (row: ReviewListRow | undefined, word: string): number =>
      Object.values(row?.ledger.rows ?? {}).filter(one => one.verdicts.some(({ round, verdict }) => round === last && verdict === word)).length;
    const open = (row: ReviewListRow | undefined, severity?: string): number =>
      row === undefined ? 0 : openBaseline(row.ledger).filter(one => severity === undefined || one.severity === severity).length;
    const cases: readonly (readonly [string, number | undefined, (row: ReviewListRow | undefined, found: ApiWhy) => number | undefined])[] = [
      ['rounds', body.rounds.length, (_, found) => found.events.length],
      ['findings', body.findings.length, row => Object.keys(row?.ledger.rows ?? {}).length],
      ['open', Object.values(body.open ?? {}).reduce((sum, count) => sum + count, 0), row => open(row)],
      ...(['blocker', 'major', 'minor', 'note'] as const).map(
        level => [`open_${level}`, body.open?.[level], (row?: ReviewListRow) => open(row, level)] as const,
      ),
      ['resolved', counts?.resolved, row => verdicts(row, 'resolved')],
      ['still_open', counts?.open, row => verdicts(row, 'still_open')],
      ['unchanged', counts?.unchanged, row => verdicts(row, 'unchanged')],
      ['files_read', body.rounds.at(-1)?.reading?.full, () => 3],
      ['duration', 42_000, (_, { events: [from, to] }) => Date.parse(to?.at ?? '') - Date.parse(from?.at ?? '')],
      ['cost', body.cost.millicents, (_, { charges }) => charges.reduce((sum, { pricedMillicents }) => sum + pricedMillicents, 0)],
    ];
    for (const [figure, shown, recompute] of cases) {
      const found = await of(figure);
      const [row] = await refold(found);
      expect([found.value, recompute(row, found)], figure).toEqual([shown, shown]);
    }
    await expect(of('nonsense')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('each figure over all reviews is what its why lists', async () => {
    const { totals } = (await ask<ApiReviewList>('listReviews')).body;
    const [inFlight, endedToday, blockers] = await Promise.all(['in_flight', 'ended_today', 'open_blockers'].map(figure => why('whyReviews', figure)));
    expect([inFlight?.value, inFlight?.events.length]).toEqual([totals.inFlight, totals.inFlight]);
    expect([endedToday?.value, endedToday?.events.length]).toEqual([totals.endedToday, totals.endedToday]);
    const open = (await refold(blockers as ApiWhy)).reduce(
      (sum, row) => sum + openBaseline(row.ledger).filter(({ severity }) => severity === 'blocker').length,
      0,
    );
    expect([blockers?.value, open]).toEqual([totals.openBlockers, totals.openBlockers]);
  });

  test('each figure of the spend is the sum of the calls that its why lists', async () => {
    type Slice = { readonly name: string; readonly millicents: number };
    type Spend = { total: { millicents: number; calls: number; unpricedCalls: number }; byCapability: Slice[]; byModel: Slice[]; byRepository: Slice[] };
    const { body } = await ask<Spend>('readSpend');
    const money = ({ charges }: ApiWhy): number => charges.reduce((sum, { pricedMillicents }) => sum + pricedMillicents, 0);
    const groups = { capability: body.byCapability, model: body.byModel, repository: body.byRepository };
    const slices = Object.entries(groups).flatMap(([of, rows]) => rows.map(({ name, millicents }) => [`${of}:${name}`, millicents] as const));
    expect(slices.length).toBe(4);
    for (const [figure, shown] of [['total', body.total.millicents] as const, ...slices]) {
      const found = await why('whySpend', figure);
      expect([found.value, money(found)], figure).toEqual([shown, shown]);
    }
    const [calls, unpriced] = [await why('whySpend', 'calls'), await why('whySpend', 'unpriced')];
    expect([calls.value, calls.charges.length]).toEqual([body.total.calls, body.total.calls]);
    expect([unpriced.value, unpriced.charges.filter(({ millicents }) => millicents === null).length]).toEqual([1, 1]);
  });
});

describe('writes', () => {
  const feedFrom = (lastEventId: string | null, signal: AbortSignal): AsyncIterable<ApiFeedEvent> =>
    api.feed({ params: {}, query: {}, body: null, principal: null, lastEventId, signal });

  test('a dismissal keeps its reason, names its place in the log, and the feed passes it there', async () => {
    const stop = new AbortController();
    const start = (await world.stores.log.readBack(undefined, 1))[0]?.position ?? null;
    const { body } = await ask<{ position: string }>('dismissFinding', { params: { id: ONE, finding: '1d' }, body: { reason: 'It is meant so.' } });
    await ask('archiveReview', { params: { id: idOfChange(2) } });
    const seen: ApiFeedEvent[] = [];
    for await (const event of feedFrom(start, stop.signal)) if (seen.push(event) === 2) stop.abort();
    expect(seen.map(({ data }) => (data as { type: string }).type)).toEqual(['FindingDismissed', 'ReviewArchived']);
    expect(seen[0]?.id).toBe(body.position);
    const again = new AbortController();
    for await (const event of feedFrom(seen[0]?.id ?? null, again.signal)) {
      expect(event).toEqual(seen[1]);
      again.abort();
    }
    const review = (await ask<ApiReview>('readReview', { params: { id: ONE } })).body;
    expect(review.findings.find(({ id }) => id === '1d')?.dismissal).toEqual({ by: 'kim', reason: 'It is meant so.' });
    await expect(ask('dismissFinding', { params: { id: ONE, finding: '1d' }, body: { reason: 'again' } })).rejects.toMatchObject({ code: 'COMMAND_REFUSED' });
  });

  test('rerun, cancel, archive and restore are the commands of the review, and a refusal says why', async () => {
    await ask('rerunReview', { params: { id: ONE } });
    expect((await world.stores.views.get(ONE))?.row).toMatchObject({ status: 'queued', head: headOf(1, 2), round: 3 });
    await expect(ask('archiveReview', { params: { id: ONE } })).rejects.toMatchObject({ code: 'COMMAND_REFUSED', message: /still_running/ });
    await ask('cancelReview', { params: { id: ONE } });
    expect((await world.stores.views.get(ONE))?.row.status).toBe('cancelled');
    await ask('restoreReview', { params: { id: idOfChange(2) } });
    expect((await world.stores.views.get(idOfChange(2)))?.row.archived).toBe(false);
  });

  test('rules of a repository are saved; what is not there is unknown', async () => {
    const rules = { observe: true, reviewDrafts: true, blockOn: 'major', showCost: true };
    await ask('saveRepositoryRules', { params: { id: 'r1' }, body: rules });
    expect((await world.stores.registry.repositories())[0]).toMatchObject(rules);
    for (const id of ['replayDelivery', 'replayDeadLetter', 'dropDeadLetter'] as const)
      await expect(ask(id, { params: { id: '0' } }), id).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

test(`${verifies('REV-33')} a call whose price nobody knows may be acknowledged, and the next one brings the row back; what can be mended may not`, async () => {
  const codes = async (): Promise<readonly string[]> => (await ask<{ items: readonly { code: string }[] }>('readInbox')).body.items.map(({ code }) => code);
  const know = (code: string): Promise<unknown> => ask('acknowledgeInboxRow', { body: { code, subject: null } });
  await seedCall(world, { review: ONE, at: Date.now() - 2, tokens: null });
  expect(await codes()).toContain('unpriced_calls');
  await know('unpriced_calls');
  expect(await codes()).not.toContain('unpriced_calls');
  await expect(know('unpriced_calls')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await seedCall(world, { review: ONE, at: Date.now(), tokens: null });
  expect(await codes()).toContain('unpriced_calls');
});

test(`${verifies('REV-33', 'REV-39a')} what can be mended is not acknowledged, and a viewer is told of a cap, never of its limit`, async () => {
  const capped = await seededWorld({ WEIR_CAP_CALLS: '1' });
  await seedCall(capped, { review: null, at: Date.now(), tokens: 1 });
  const { handlers } = dashboardApi(capped);
  const call = { params: {}, query: {}, body: null, lastEventId: null, signal: new AbortController().signal } as const;
  const as = (role: 'viewer' | 'admin') => ({ principal: { subject: 'u', name: 'kim', role, by: 'session' } }) as const;
  const refused = handlers.acknowledgeInboxRow({ ...call, ...as('admin'), body: { code: 'no_default_model', subject: null } });
  await expect(refused).rejects.toMatchObject({ code: 'COMMAND_REFUSED', next: 'Choose a model.' });
  const inbox = async (role: 'viewer' | 'admin'): Promise<string> => JSON.stringify((await handlers.readInbox({ ...call, ...as(role) })).body);
  expect(await inbox('admin')).toContain('The limit is 1');
  expect(await inbox('viewer')).toContain('cap_reached');
  expect(await inbox('viewer')).not.toContain('The limit is');
  await capped.close();
});
