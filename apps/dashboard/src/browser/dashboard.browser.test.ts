/** The dashboard in a real browser, under the content security policy of the server: what a person does, and what is shown. */
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { verifies } from '@weir/requirements';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ReviewRow } from '../api/resources.ts';
import { type DashboardServer, freshWorld, startDashboard } from './dashboard-server.fixture.ts';
import { browserMissing, openBrowser, openPage } from './open-browser.fixture.ts';
import { SCREENS } from './screens.fixture.ts';
import { arrivingReview, LONG_FILE, manyReviews, REVIEWS, SETTLEMENT } from './seeds.fixture.ts';

describe.skipIf(browserMissing())('dashboard', () => {
  let browser: Browser;
  let server: DashboardServer;
  let page: Page;
  let faults: string[];

  beforeAll(async () => {
    [browser, server] = await Promise.all([openBrowser(), startDashboard()]);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });
  beforeEach(async () => {
    Object.assign(server.world, freshWorld());
    server.written.length = 0;
    ({ page, faults } = await openPage(browser, server.address));
  });
  afterEach(async () => {
    await page.context().close();
    expect(faults, 'console').toEqual([]);
  });

  const go = async (address: string): Promise<void> => {
    await page.goto(address);
    await page.waitForFunction(() => document.querySelector('h1') !== null && document.querySelector('[aria-busy="true"]') === null);
  };
  const text = (selector: string): Promise<string> => page.locator(selector).innerText();
  const titles = (): Promise<string[]> => page.locator('table[aria-label="Reviews"] .row-link').allInnerTexts();

  describe.each(['light', 'dark'] as const)('in the %s theme', theme => {
    test('no screen has a barrier that axe finds', async () => {
      const themed = await openPage(browser, server.address, theme);
      await themed.page.setViewportSize({ width: 1360, height: 2400 });
      for (const [name, address] of Object.entries(SCREENS)) {
        await themed.page.goto(address);
        await themed.page.waitForFunction(() => document.querySelector('h1') !== null && document.querySelector('[aria-busy="true"]') === null);
        await themed.page.evaluate(() => document.querySelectorAll('details').forEach(one => (one.open = true)));
        await themed.page.evaluate(axe.source);
        const found = await themed.page.evaluate(async () => {
          const run = (globalThis as unknown as { axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> } }).axe;
          return (await run.run()).violations.map(({ id, nodes }) => `${id}: ${nodes.map(node => node.html.slice(0, 120)).join(' | ')}`);
        });
        expect(found, name).toEqual([]);
      }
      expect(themed.faults).toEqual([]);
      await themed.page.context().close();
    });
  });

  test('no page asks another host for anything', async () => {
    const hosts = new Set<string>();
    page.on('request', request => hosts.add(new URL(request.url()).host));
    for (const address of Object.values(SCREENS)) await go(address);
    expect([...hosts]).toEqual([new URL(server.address).host]);
  });

  test('without a session nothing is shown but how to sign in; signing out leads there', async () => {
    await go('/reviews');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('weir login-link').waitFor();
    expect(server.written.map(({ method, path }) => `${method} ${path}`)).toEqual(['DELETE /session']);
    expect(await page.locator('table').count()).toBe(0);
  });

  test(`${verifies('REV-11')} each status has its word and its shape, and what is not known is never zero`, async () => {
    server.world.unchecked = true;
    server.world.reviews = [...REVIEWS, { ...arrivingReview, id: 'f'.repeat(32), status: 'exploded' } as unknown as ReviewRow];
    await go('/reviews');
    expect(await page.locator('table[aria-label="Reviews"] .pill').allInnerTexts()).toEqual([
      'Refused',
      'Reviewing',
      'Completed',
      'Completed',
      'Failed',
      'Observed, nothing posted',
      'Superseded',
      'Unknown',
    ]);
    expect(await page.locator('tr', { hasText: 'Backfill' }).innerText()).toMatch(/not yet known\s+unpriced/u);
    for (const row of await page.locator('tbody tr').all()) expect((await row.boundingBox())?.height).toBe(36);
  });

  test('filters stand in the address, are kept by a reload, and a link opens them', async () => {
    await go('/reviews');
    await page.getByRole('link', { name: /^Ended/u }).click();
    await page.getByLabel('Search reviews').fill('settle');
    await page.waitForURL(/view=ended.*text=settle/u);
    await page.reload();
    await page.locator('table').waitFor();
    expect(await titles()).toEqual(['Split settlement service out of billing']);
    await go('/reviews?view=in-flight');
    expect(await titles()).toEqual(['Refactor checkout session handling']);
    await go('/reviews?text=nothing-fits');
    expect(await text('.state')).toContain('No reviews here.');
  });

  test('a review that arrives while a person watches waits above the list until it is asked for', async () => {
    await go('/reviews');
    const before = await titles();
    server.world.reviews = [arrivingReview, ...REVIEWS];
    server.event();
    await page.getByText('1 new · show (n)').waitFor();
    expect(await titles()).toEqual(before);
    await page.keyboard.press('n');
    await page.getByText('Arrives while you watch').waitFor();
    expect((await titles())[0]).toBe('Arrives while you watch');
  });

  test('a status that changes is changed in its place', async () => {
    await go('/reviews');
    server.world.reviews = REVIEWS.map(row => (row.status === 'generating' ? { ...row, status: 'completed' as const } : row)).toReversed();
    server.event();
    await page.locator('tr', { hasText: 'Refactor checkout' }).getByText('Completed').waitFor();
    expect(await titles()).toEqual(REVIEWS.map(row => row.change?.title));
  });

  test('when the feed is cut the page says for how long, and goes on where it was', async () => {
    await go('/reviews');
    const position = server.event();
    await page.locator('.live[data-state="live"]').waitFor();
    server.cutFeeds();
    await page.getByText(/^behind \d+ s$/u).waitFor();
    await page.locator('.live[data-state="live"]').waitFor();
    expect(server.lastEventIds().at(-1)).toBe(position);
    faults.length = 0; // The browser reports the cut itself.
  });

  test('a session that ends elsewhere ends here: the feed is refused, and the way to sign in is shown', async () => {
    await go('/reviews');
    await page.locator('.live[data-state="live"]').waitFor();
    server.world.role = null;
    server.cutFeeds();
    await page.getByText('weir login-link').waitFor();
    expect(await page.locator('table').count()).toBe(0);
    faults.length = 0; // The browser reports the refusals itself.
  });

  test('keys lead through pages and lists, and are quiet while a person writes', async () => {
    await go('/');
    await page.keyboard.press('g');
    await page.keyboard.press('r');
    await page.locator('table[aria-label="Reviews"]').waitFor();
    for (const key of ['j', 'j', 'j', 'k', 'o']) await page.keyboard.press(key);
    await page.waitForURL(/\/reviews\/[0-9a-f]+/u);
    await page.getByRole('heading', { level: 1, name: 'Refactor checkout session handling' }).waitFor();
    await page.goBack();
    await page.locator('table[aria-label="Reviews"]').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('gi?');
    await page.waitForURL(/text=gi/u);
    expect(new URL(page.url()).pathname).toBe('/reviews');
    await page.keyboard.press('Escape');
    await page.locator('h1').click();
    await page.keyboard.press('?');
    expect(await text('[role="dialog"]')).toContain('next row');
    await page.keyboard.press('Escape');
    await page.locator('[role="dialog"]').waitFor({ state: 'detached' });
  });

  test('the palette finds pages and reviews', async () => {
    await go('/');
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

  test('the theme is chosen, and kept', async () => {
    await go('/');
    const ground = (): Promise<string> => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await ground();
    await page.getByRole('button', { name: 'Dark theme' }).click();
    expect(await ground()).not.toBe(light);
    await page.reload();
    await page.getByRole('button', { name: 'Light theme' }).waitFor();
    expect(await ground()).toBe('rgb(16, 19, 23)');
  });

  test(`${verifies('PRO-6')} a figure opens its why, the address keeps it, and Escape leads back`, async () => {
    await go(`/reviews/${SETTLEMENT}`);
    await page.getByRole('button', { name: '1 is resolved' }).click();
    const panel = page.getByRole('dialog');
    await panel.getByText('FindingsRecorded').waitFor();
    expect(await panel.innerText()).toMatch(/2 events[\s\S]*1 call/u);
    const address = page.url();
    expect(new URL(address).searchParams.get('why')).toBe(`review/${SETTLEMENT}/resolved`);
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('');
    await page.goto(address);
    await page.getByRole('dialog').getByText('RoundPosted').waitFor();
  });

  test('findings stand between the lines they are about, with evidence, and the words that changed', async () => {
    await go(`/reviews/${SETTLEMENT}`);
    const finding = page.getByRole('article', { name: 'Finding 2a' });
    expect(await finding.innerText()).toContain('Ledger posts outside the transaction');
    expect(await finding.evaluate(card => card.previousElementSibling?.textContent)).toContain("43+  await this.outbox.emit('settled', batch.id);");
    await finding.getByRole('button', { name: 'Show suggestion (2 lines)' }).click();
    expect(await finding.locator('pre').innerText()).toContain('this.tx(');
    expect(await page.getByRole('article', { name: 'Finding 1a' }).count()).toBe(0);
    expect(await text('table[aria-label="Findings"]')).toContain('src/settlement/names.ts:3');
  });

  test('a dismissal needs a reason, waits for its event, and a repeat after a failure keeps its key', async () => {
    await go(`/reviews/${SETTLEMENT}`);
    const at = `/reviews/${SETTLEMENT}/findings/2a/dismiss`;
    await page.getByRole('article', { name: 'Finding 2a' }).getByRole('button', { name: 'Dismiss with a reason…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Dismiss', exact: true }).click();
    await dialog.getByText('Write why it does not hold.').waitFor();
    expect(server.written).toEqual([]);
    server.world.problems.set(at, { status: 503, body: { title: 'The database is away.', code: 'DATABASE', next: 'Try again.' } });
    await dialog.getByLabel('Reason').fill('The outbox is in the same transaction.');
    await dialog.getByRole('button', { name: 'Dismiss', exact: true }).click();
    await dialog.getByText('The database is away. Try again.').waitFor();
    server.world.problems.clear();
    await dialog.getByRole('button', { name: 'Dismiss', exact: true }).click();
    await dialog.getByText('Waiting for its event…').waitFor();
    server.world.findings = server.world.findings.map(one =>
      one.id === '2a' ? { ...one, status: 'dismissed', dismissal: { by: 'j.lee', reason: 'It holds.' } } : one,
    );
    server.event();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('Dismissed by j.lee: It holds.').waitFor();
    expect(new Set(server.written.map(({ key }) => key)).size).toBe(1);
    expect(server.written.map(({ path, body }) => [path, body])).toEqual([
      [at, { reason: 'The outbox is in the same transaction.' }],
      [at, { reason: 'The outbox is in the same transaction.' }],
    ]);
    faults.length = 0; // The browser reports the 503 itself.
  });

  test('a review is run again and archived, and a dead letter and a delivery go their way', async () => {
    await go(`/reviews/${SETTLEMENT}`);
    const press = async (name: string, done: string): Promise<void> => {
      await page.getByRole('button', { name, exact: true }).first().click();
      await page.getByText('Waiting for its event…').waitFor();
      server.event();
      await page.getByRole('button', { name: done, exact: true }).first().waitFor();
    };
    await press('Run again', 'Run again');
    await press('Archive', 'Archive');
    await go('/dead-letters');
    await press('Send again', 'Sent again');
    await go('/deliveries');
    await page.getByRole('button', { name: 'Take again' }).first().click();
    await page.getByText('Taken again').waitFor();
    expect(server.written.map(({ method, path }) => `${method} ${path}`)).toEqual([
      `POST /reviews/${SETTLEMENT}/rerun`,
      `POST /reviews/${SETTLEMENT}/archive`,
      'POST /dead-letters/d1/replay',
      'POST /deliveries/h1/72d3162e/replay',
    ]);
  });

  test('the rules of a repository are saved', async () => {
    await go('/repositories');
    await page.getByRole('button', { name: 'Rules…' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Review drafts too').check();
    await dialog.getByLabel('The check fails from').selectOption('major');
    await dialog.getByRole('button', { name: 'Save rules' }).click();
    server.event();
    await dialog.waitFor({ state: 'detached' });
    expect(server.written).toMatchObject([
      { method: 'PUT', path: '/repositories/r0/rules', body: { observe: false, reviewDrafts: true, blockOn: 'major', showCost: true } },
    ]);
  });

  test('a viewer sees no buttons that write, no rates and no settings', async () => {
    server.world.role = 'viewer';
    await go(`/reviews/${SETTLEMENT}`);
    for (const name of ['Run again', 'Archive', 'Dismiss with a reason…']) expect(await page.getByRole('button', { name }).count(), name).toBe(0);
    await go('/models');
    expect(await text('main')).toContain('shown to administrators');
    await go('/settings');
    for (const address of ['/settings', '/accounts', '/deliveries', '/dead-letters']) {
      await go(address);
      expect(await text('main')).toContain('Ask one for the role.');
    }
  });

  test('what fails says why and what to do, and trying again helps', async () => {
    server.world.problems.set('/spend', { status: 403, body: { title: 'Only an administrator may read this.', code: 'FORBIDDEN' } });
    await page.goto('/spend');
    await page.getByRole('alert').getByText('Only an administrator may read this.').waitFor();
    expect(await text('[role="alert"]')).toMatch(/Ask an administrator for the role\.\s+FORBIDDEN/u);
    server.world.problems.clear();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('By capability').waitFor();
    await go('/reviews/00000000000000000000000000000000');
    await page.getByText('There is no such thing.').waitFor();
    await go('/no/such/page');
    expect(await text('main')).toContain('There is no page at this address.');
    faults.length = 0; // The browser reports the answers themselves.
  });

  test('an empty deployment says so on every page', async () => {
    Object.assign(server.world, { reviews: [], inbox: { items: [] }, deadLetters: [] });
    await go('/');
    expect(await text('main')).toContain('Nothing needs you.');
    await go('/dead-letters');
    expect(await text('main')).toContain('Every message has been processed.');
    await go('/reviews');
    expect(await text('main')).toContain('No reviews here.');
  });

  test('with reduced motion nothing turns', async () => {
    await go('/reviews');
    expect(
      await page
        .locator('.turning')
        .first()
        .evaluate(path => getComputedStyle(path).animationName),
    ).toBe('none');
  });

  test('of 10,000 reviews a page is shown, and the next ones when they are asked for', async () => {
    server.world.reviews = manyReviews(10_000);
    await go('/reviews');
    expect(await page.locator('tbody tr').count()).toBe(50);
    expect(await text('.sentence')).toContain('10,000');
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.getByText('100 reviews shown').waitFor();
  });

  test('a diff of 3,000 lines is whole, and only what is near the screen is laid out', async () => {
    server.world.files = [LONG_FILE];
    await go(`/reviews/${SETTLEMENT}`);
    expect(await page.locator('.diff-line').count()).toBe(3000);
    expect(
      await page
        .locator('.diff-hunk')
        .first()
        .evaluate(hunk => getComputedStyle(hunk).contentVisibility),
    ).toBe('auto');
    await page.locator('.diff-line').last().scrollIntoViewIfNeeded();
    expect(await page.locator('.diff-line').last().textContent()).toContain('ROW_2999');
    expect(await page.locator('.diff-line').last().isVisible()).toBe(true);
  });
});
