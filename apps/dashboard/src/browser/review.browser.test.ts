/** One review: why each figure is what it is, its findings on the diff, and what a person does with it. */
import { verifies } from '@weir/requirements';
import { describe, expect, test } from 'vitest';
import { livelyWorld, SETTLEMENT } from '../../../cli/src/dashboard/lively-world.fixture.ts';
import { seedRound } from '../../../cli/src/dashboard/seed-reviews.fixture.ts';
import { idOfChange } from '../../../cli/src/dashboard/seeded-world.fixture.ts';
import { browserMissing } from './open-browser.fixture.ts';
import { browserSuite } from './suite.fixture.ts';

const LONG = 700;
const LINES = 3_000;
const LONG_DIFF = `diff --git a/src/generated/table.ts b/src/generated/table.ts
new file mode 100644
--- /dev/null
+++ b/src/generated/table.ts
@@ -0,0 +1,${LINES} @@
${Array.from({ length: LINES }, (_, line) => `+export const ROW_${line} = { key: ${line}, text: 'row ${line}' };`).join('\n')}
`;

describe.skipIf(browserMissing())('one review', () => {
  const suite = browserSuite(async () => {
    const world = await livelyWorld();
    const at = new Date(Date.now() - 600_000).toISOString();
    await seedRound(world, { change: LONG, repository: 'acme/web', title: 'A long table', round: 1, at, finds: [] });
    world.diffs.set(LONG, LONG_DIFF);
    return world;
  });

  test(`${verifies('PRO-6')} a figure opens its why, the address keeps it, and Escape leads back`, async () => {
    const { page } = suite;
    await suite.go(`/reviews/${SETTLEMENT}`);
    await page.getByRole('button', { name: '1 is resolved' }).click();
    const panel = page.getByRole('dialog');
    await panel.getByText('FindingsRecorded').first().waitFor();
    expect(await panel.innerText()).toMatch(/\d events/u);
    const address = page.url();
    expect(new URL(address).searchParams.get('why')).toBe(`review/${SETTLEMENT}/resolved`);
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('');
    await page.goto(address);
    await page.getByRole('dialog').getByText('RoundPosted').first().waitFor();
  });

  test('findings stand between the lines they are about, with evidence, and the words that changed', async () => {
    const { page } = suite;
    await suite.go(`/reviews/${SETTLEMENT}`);
    const finding = page.getByRole('article', { name: 'Finding 2a' });
    expect(await finding.innerText()).toContain('Ledger posts outside the transaction');
    expect(await finding.evaluate(card => card.previousElementSibling?.textContent)).toContain("43+  await this.outbox.emit('settled', batch.id);");
    await finding.getByRole('button', { name: 'Show suggestion (2 lines)' }).click();
    expect(await finding.locator('pre').innerText()).toContain('this.tx(');
    expect(await page.getByRole('article', { name: 'Finding 1a' }).innerText()).toContain('Dismissed by kim: The vendor calls it a batch.');
    expect(await suite.text('table[aria-label="Findings"]')).toContain('src/settlement/names.ts:3');
    expect(await suite.text('main')).toContain('correctness@3fa9c1e07b52');
  });

  test(`${verifies('REV-33')} a dismissal needs a reason, waits for its event, and a repeat after a failure keeps its key`, async () => {
    const { page, faults } = suite;
    const keys: (string | undefined)[] = [];
    await page.route('**/findings/2a/dismiss', async route => {
      keys.push(route.request().headers()['idempotency-key']);
      const away = { title: 'The database is away.', code: 'DATABASE_UNAVAILABLE', next: 'Try again.' };
      if (keys.length === 1) await route.fulfill({ status: 503, contentType: 'application/problem+json', json: away });
      else await route.continue();
    });
    await suite.go(`/reviews/${SETTLEMENT}`);
    await page.locator('.live[data-state="live"]').waitFor();
    await page.getByRole('article', { name: 'Finding 2a' }).getByRole('button', { name: 'Dismiss with a reason…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Dismiss', exact: true }).click();
    await dialog.getByText('Write why it does not hold.').waitFor();
    expect(keys).toEqual([]);
    await dialog.getByLabel('Reason').fill('The outbox is in the same transaction.');
    await dialog.getByRole('button', { name: 'Dismiss', exact: true }).click();
    await dialog.getByText('The database is away. Try again.').waitFor();
    await dialog.getByRole('button', { name: 'Dismiss', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('Dismissed by j.lee: The outbox is in the same transaction.').waitFor();
    expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
    faults.length = 0; // The browser reports the 503 itself.
  });

  test('a review is run again, its round is stopped, and it is archived', async () => {
    const { page, dashboard } = suite;
    await suite.go(`/reviews/${idOfChange(409)}`);
    await page.locator('.live[data-state="live"]').waitFor();
    const press = (name: string): Promise<void> => page.getByRole('button', { name, exact: true }).first().click();
    const row = async () => (await dashboard.world.stores.views.get(idOfChange(409)))?.row;
    await press('Run again');
    await page.getByText('Queued').first().waitFor();
    expect(await row()).toMatchObject({ round: 2, status: 'queued' });
    await press('Cancel');
    await page.getByText('Cancelled').first().waitFor();
    await press('Archive');
    await page.getByRole('button', { name: 'Restore', exact: true }).first().waitFor();
    expect(await row()).toMatchObject({ archived: true });
  });

  test(`a diff of ${LINES} lines is whole, and only what is near the screen is laid out`, async () => {
    const { page } = suite;
    await suite.go(`/reviews/${idOfChange(LONG)}`);
    expect(await page.locator('.diff-line').count()).toBe(LINES);
    const hunk = page.locator('.diff-hunk').first();
    expect(await hunk.evaluate(one => getComputedStyle(one).contentVisibility)).toBe('auto');
    await page.locator('.diff-line').last().scrollIntoViewIfNeeded();
    expect(await page.locator('.diff-line').last().textContent()).toContain('ROW_2999');
    expect(await page.locator('.diff-line').last().isVisible()).toBe(true);
  });

  test('a diff that its forge does not give says why, and the findings are read all the same', async () => {
    const { page, faults } = suite;
    await page.route(/\/diff(?:\?|$)/u, route =>
      route.fulfill({
        status: 503,
        contentType: 'application/problem+json',
        json: { title: 'The forge is away.', code: 'FORGE_UNAVAILABLE', next: 'Try again.' },
      }),
    );
    await suite.go(`/reviews/${SETTLEMENT}`);
    await page.getByText('The forge is away.').waitFor();
    expect(await suite.text('table[aria-label="Findings"]')).toContain('Retry has no ceiling');
    faults.length = 0; // The browser reports the 503 itself.
  });
});
