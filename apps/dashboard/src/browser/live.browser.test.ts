/** The live feed, and the keys. */
import { describe, expect, test } from 'vitest';
import { livelyWorld, SETTLEMENT } from '../../../cli/src/dashboard/lively-world.fixture.ts';
import { seedRound } from '../../../cli/src/dashboard/seed-reviews.fixture.ts';
import { browserMissing } from './open-browser.fixture.ts';
import { browserSuite } from './suite.fixture.ts';

describe.skipIf(browserMissing())('a page that is open', () => {
  const suite = browserSuite(livelyWorld);

  test('when the feed is cut the page says for how long, and goes on where it was: nothing that happened meanwhile is missed', async () => {
    const { page, faults, dashboard } = suite;
    await suite.go('/reviews');
    await page.locator('.live[data-state="live"]').waitFor();
    const change = { repository: 'acme/web', round: 1, finds: [], at: new Date().toISOString(), until: 'queued' } as const;
    await seedRound(dashboard.world, { ...change, change: 801, title: 'Before the cut' });
    await page.getByText('1 new · show (n)').waitFor();
    const [seen] = await dashboard.world.stores.log.readBack(undefined, 1);
    dashboard.shut();
    await page.getByText(/^behind \d+ s$/u).waitFor();
    await seedRound(dashboard.world, { ...change, change: 802, title: 'While it was cut' });
    dashboard.open();
    await page.locator('.live[data-state="live"]').waitFor();
    await page.getByText('2 new · show (n)').waitFor();
    expect(dashboard.resumed.at(-1)).toBe(seen?.position);
    await page.keyboard.press('n');
    await page.getByText('While it was cut').waitFor();
    faults.length = 0; // The browser reports the cut itself.
  });

  test('keys lead through pages and lists, and are quiet while a person writes', async () => {
    const { page } = suite;
    await suite.go('/');
    await page.keyboard.press('g');
    await page.keyboard.press('r');
    await page.locator('table[aria-label="Reviews"]').waitFor();
    const wanted = (await suite.titles())[1] ?? '';
    for (const key of ['j', 'j', 'j', 'k', 'o']) await page.keyboard.press(key);
    await page.waitForURL(/\/reviews\/[0-9a-f]+/u);
    await page.getByRole('heading', { level: 1, name: wanted }).waitFor();
    await page.goBack();
    await page.locator('table[aria-label="Reviews"]').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('gi?');
    await page.waitForURL(/text=gi/u);
    expect(new URL(page.url()).pathname).toBe('/reviews');
    await page.keyboard.press('Escape');
    await page.locator('h1').click();
    await page.keyboard.press('?');
    expect(await suite.text('[role="dialog"]')).toContain('next row');
    await page.keyboard.press('Escape');
    await page.locator('[role="dialog"]').waitFor({ state: 'detached' });
  });

  test('the palette finds pages and reviews', async () => {
    const { page } = suite;
    await suite.go('/');
    const palette = async (written: string): Promise<void> => {
      await page.keyboard.press('Control+k');
      await page.locator('[role="dialog"] input:focus').waitFor();
      await page.keyboard.type(written);
    };
    await palette('settlement');
    await page.getByRole('option', { name: /Split settlement/u }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/reviews/${SETTLEMENT}`);
    await palette('spe');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/spend$/u);
  });
});
