/** Ten thousand reviews in the store behind the real API. */
import { describe, expect, test } from 'vitest';
import { manyReviews } from '../../../cli/src/dashboard/many-reviews.fixture.ts';
import { seededWorld } from '../../../cli/src/dashboard/seeded-world.fixture.ts';
import { browserMissing } from './open-browser.fixture.ts';
import { browserSuite } from './suite.fixture.ts';

describe.skipIf(browserMissing())('ten thousand reviews', () => {
  const suite = browserSuite(async () => {
    const world = await seededWorld();
    await manyReviews(world, 10_000);
    return world;
  });

  test('a page is shown, and the next ones when they are asked for', async () => {
    const { page } = suite;
    await suite.go('/reviews');
    expect(await page.locator('tbody tr').count()).toBe(50);
    expect(await suite.text('.sentence')).toMatch(/10,000 open blockers|10,000 blockers/u);
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.getByText('100 reviews shown').waitFor();
    expect(new Set(await suite.titles()).size).toBe(100);
  });

  test('the search finds the one of them that is meant', async () => {
    await suite.go('/reviews?text=shop%239876');
    expect(await suite.page.locator('table[aria-label="Reviews"]').innerText()).toContain('team/shop#9876');
    expect(await suite.page.locator('tbody tr').count()).toBe(1);
  });
});
