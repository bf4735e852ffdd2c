/** The list of reviews: its words, its filters, and what arrives while a person watches. */
import { verifies } from '@weir/requirements';
import { describe, expect, test } from 'vitest';
import { LIVELY_TITLES, livelyWorld } from '../../../cli/src/dashboard/lively-world.fixture.ts';
import { seedRound } from '../../../cli/src/dashboard/seed-reviews.fixture.ts';
import { browserMissing } from './open-browser.fixture.ts';
import { browserSuite } from './suite.fixture.ts';

describe.skipIf(browserMissing())('the list of reviews', () => {
  const suite = browserSuite(livelyWorld);
  const now = (): string => new Date().toISOString();

  test(`${verifies('REV-11')} each status has its word and its shape, and what is not known is never zero`, async () => {
    const { page } = suite;
    // A newer server knows a status that this page does not.
    await page.route('**/api/v1/reviews?*', async route => {
      const answer = await route.fetch();
      const body = (await answer.json()) as { items: { status: string; change: { number: number } }[] };
      for (const row of body.items) if (row.change.number === 405) row.status = 'exploded';
      await route.fulfill({ response: answer, json: body });
    });
    await suite.go('/reviews');
    expect(await suite.titles()).toEqual(LIVELY_TITLES);
    expect(await page.locator('table[aria-label="Reviews"] .pill').allInnerTexts()).toEqual([
      'Reviewing',
      'Refused',
      'Completed',
      'Failed',
      'Completed',
      'Observed, nothing posted',
      'Unknown',
    ]);
    expect(await page.locator('tr', { hasText: 'Backfill' }).innerText()).toMatch(/unpriced/u);
    for (const row of await page.locator('tbody tr').all()) expect((await row.boundingBox())?.height).toBe(36);
  });

  test('filters stand in the address, are kept by a reload, and a link opens them', async () => {
    const { page } = suite;
    await suite.go('/reviews');
    await page.getByRole('link', { name: /^Ended/u }).click();
    await page.getByLabel('Search reviews').fill('settle');
    await page.waitForURL(/view=ended.*text=settle/u);
    await page.reload();
    await page.locator('table').waitFor();
    await expect.poll(() => suite.titles()).toEqual(['Split settlement service out of billing']);
    await suite.go('/reviews?view=in-flight');
    expect(await suite.titles()).toEqual(['Refactor checkout session handling']);
    await suite.go('/reviews?text=nothing-fits');
    expect(await suite.text('.state')).toContain('No reviews here.');
  });

  test('a status that changes is changed in its place', async () => {
    const { page, dashboard } = suite;
    const change = { change: 601, repository: 'acme/web', title: 'Changes while you watch', round: 1, finds: [] } as const;
    await seedRound(dashboard.world, { ...change, at: now(), until: 'queued' });
    await suite.go('/reviews');
    const before = await suite.titles();
    await page.locator('.live[data-state="live"]').waitFor();
    const [listed] = (await dashboard.world.stores.views.list({ change: 601 }, { limit: 1, after: null })).rows;
    if (listed === undefined || listed.head === null) throw new Error('The review is not listed.');
    const of = { reviewId: listed.reviewId, round: 1, head: listed.head, attempt: 1, at: now() };
    await dashboard.world.run({ type: 'BeginRound', ...of });
    await page.locator('tr', { hasText: 'Changes while you watch' }).getByText('Reading the change').waitFor();
    expect(await suite.titles()).toEqual(before);
  });

  test('a review that arrives while a person watches waits above the list until it is asked for', async () => {
    const { page } = suite;
    await suite.go('/reviews');
    await page.locator('.live[data-state="live"]').waitFor();
    const before = await suite.titles();
    await seedRound(suite.dashboard.world, {
      ...{ change: 600, repository: 'acme/web', title: 'Arrives while you watch', round: 1, at: now(), finds: ['major'] },
    });
    await page.getByText('1 new · show (n)').waitFor();
    expect(await suite.titles()).toEqual(before);
    await page.keyboard.press('n');
    await page.getByText('Arrives while you watch').waitFor();
    expect((await suite.titles())[0]).toBe('Arrives while you watch');
  });
});
