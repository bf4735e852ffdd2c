/** Who gets in, by which way, and who is sent away. */
import { verifies } from '@weir/requirements';
import { describe, expect, test } from 'vitest';
import { livelyWorld, SETTLEMENT } from '../../../cli/src/dashboard/lively-world.fixture.ts';
import { browserMissing } from './open-browser.fixture.ts';
import { browserSuite } from './suite.fixture.ts';
import { visit } from './visit.fixture.ts';

describe.skipIf(browserMissing())('signing in', () => {
  const suite = browserSuite(livelyWorld);

  test(`${verifies('REV-39a')} without a session nothing is shown but how to get one; the printed link signs in once`, async () => {
    const { page, faults } = await suite.open({});
    await visit(page, '/reviews');
    await page.getByText('weir login-link').waitFor();
    expect(await page.locator('table').count()).toBe(0);
    const { signInLink } = suite.dashboard;
    await page.goto(signInLink);
    await page.getByRole('button', { name: 'Sign in to Weir' }).click();
    await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor();
    await visit(page, '/reviews');
    expect(await page.locator('table[aria-label="Reviews"] tbody tr').count()).toBeGreaterThan(0);
    await page.goto(signInLink);
    await page.getByRole('button', { name: 'Sign in to Weir' }).click();
    await page.getByText('This link is unknown, used or too old.').waitFor();
    expect(faults.filter(fault => !fault.includes('401'))).toEqual([]);
    await page.context().close();
  });

  test(`${verifies('REV-39a')} signing out ends the session, and leads to where one signs in`, async () => {
    const { page } = suite;
    await suite.go('/reviews');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('weir login-link').waitFor();
    expect(await page.locator('table').count()).toBe(0);
    const again = await suite.open({ session: suite.session });
    await visit(again.page, '/reviews');
    await again.page.getByText('weir login-link').waitFor();
    await again.page.context().close();
  });

  test(`${verifies('REV-39a')} a session that ends elsewhere ends here: the feed is refused, and the way to sign in is shown`, async () => {
    const { page, faults, dashboard } = suite;
    await suite.go('/reviews');
    await page.locator('.live[data-state="live"]').waitFor();
    await dashboard.endSession(suite.session);
    dashboard.shut();
    dashboard.open();
    await page.getByText('weir login-link').waitFor();
    expect(await page.locator('table').count()).toBe(0);
    faults.length = 0; // The browser reports the refusals itself.
  });

  test(`${verifies('REV-39a')} a viewer sees no buttons that write, no rates, no tokens and no settings, and the API refuses them too`, async () => {
    const { page, faults } = await suite.open({ session: await suite.dashboard.signIn('viewer') });
    await visit(page, `/reviews/${SETTLEMENT}`);
    for (const name of ['Run again', 'Archive', 'Dismiss with a reason…']) expect(await page.getByRole('button', { name }).count(), name).toBe(0);
    expect(await page.locator('main').innerText()).not.toContain('cached');
    await visit(page, '/models');
    expect(await page.locator('main').innerText()).toContain('shown to administrators');
    for (const address of ['/settings', '/accounts', '/deliveries', '/dead-letters']) {
      await visit(page, address);
      expect(await page.locator('main').innerText()).toContain('Ask one for the role.');
    }
    const asked = await page.evaluate(async id => {
      const read = await fetch('/api/v1/settings');
      const write = await fetch(`/api/v1/reviews/${id}/archive`, { method: 'POST' });
      return [read.status, write.status, ((await write.json()) as { code: string }).code];
    }, SETTLEMENT);
    expect(asked).toEqual([403, 403, 'ROLE_REQUIRED']);
    expect(faults.filter(fault => !fault.includes('403'))).toEqual([]);
    await page.context().close();
  });

  test(`${verifies('REV-39a')} a page of another site writes nothing, though the browser has the session`, async () => {
    const { page, faults, dashboard } = suite;
    await suite.go('/');
    await page.goto('about:blank');
    await page.evaluate(
      async address =>
        fetch(address, { method: 'POST', credentials: 'include', mode: 'no-cors' }).then(
          () => 'sent',
          () => 'refused',
        ),
      `${dashboard.address}/api/v1/reviews/${SETTLEMENT}/archive`,
    );
    const [row] = (await dashboard.world.stores.views.list({ change: 284 }, { limit: 1, after: null })).rows;
    expect(row?.archived).toBe(false);
    faults.length = 0; // The browser reports the refusal itself.
  });
});
