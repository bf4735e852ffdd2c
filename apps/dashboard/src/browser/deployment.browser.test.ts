/** What a person does with the deployment: rules, letters, deliveries, the inbox, the first steps; and what is said when something fails. */
import { verifies } from '@weir/requirements';
import { describe, expect, test } from 'vitest';
import { livelyWorld } from '../../../cli/src/dashboard/lively-world.fixture.ts';
import { emptyWorld, seedAccount, seedRepository } from '../../../cli/src/dashboard/seeded-world.fixture.ts';
import { browserMissing } from './open-browser.fixture.ts';
import { browserSuite } from './suite.fixture.ts';

describe.skipIf(browserMissing())('a deployment at work', () => {
  const suite = browserSuite(livelyWorld);

  test('the rules of a repository are saved', async () => {
    const { page, dashboard } = suite;
    await suite.go('/repositories');
    await page.locator('tr', { hasText: 'acme/payments-api' }).getByRole('button', { name: 'Rules…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Review drafts too').check();
    await dialog.getByLabel('The check fails from').selectOption('major');
    await dialog.getByRole('button', { name: 'Save rules' }).click();
    await dialog.waitFor({ state: 'detached' });
    const saved = (await dashboard.world.stores.registry.repositories()).find(({ path }) => path.name === 'payments-api');
    expect(saved).toMatchObject({ observe: false, reviewDrafts: true, blockOn: 'major', showCost: true });
    await page.locator('tr', { hasText: 'acme/payments-api' }).getByText('blocks on major').waitFor();
  });

  test(`${verifies('REV-33')} the inbox has what needs a person; what nobody can mend any more is acknowledged, and the rest is not`, async () => {
    const { page } = suite;
    await suite.go('/');
    const row = page.locator('tr', { hasText: '1 call has no known price.' });
    expect(await page.locator('tr', { hasText: 'FORGE_FORBIDDEN' }).getByRole('button', { name: 'Acknowledge' }).count()).toBe(0);
    await row.getByRole('button', { name: 'Acknowledge' }).click();
    await row.waitFor({ state: 'detached' });
    await page.reload();
    await page.locator('tr', { hasText: 'FORGE_FORBIDDEN' }).waitFor();
    expect(await row.count()).toBe(0);
  });

  test(`${verifies('REV-20')} a dead letter is sent again, and a kept delivery is taken again`, async () => {
    const { page, dashboard } = suite;
    await suite.go('/dead-letters');
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.getByText('Sent again').or(page.getByText('Every message has been processed.')).first().waitFor();
    expect(await dashboard.world.bus.deadLetters.list({ limit: 5 })).toEqual([]);
    await suite.go('/deliveries');
    await page.locator('tr', { hasText: '72d3162e' }).getByRole('button', { name: 'Take again' }).click();
    await page.getByText('Nothing follows from it').waitFor();
  });

  test('what fails says why and what to do, and trying again helps', async () => {
    const { page, faults } = suite;
    let failing = true;
    await page.route('**/api/v1/spend*', async route => {
      const no = { title: 'Only an administrator may read this.', code: 'ROLE_REQUIRED', next: 'Ask an admin.' };
      if (failing) await route.fulfill({ status: 403, contentType: 'application/problem+json', json: no });
      else await route.continue();
    });
    await page.goto('/spend');
    await page.getByRole('alert').getByText('Only an administrator may read this.').waitFor();
    expect(await suite.text('[role="alert"]')).toMatch(/Ask an admin\.\s+ROLE_REQUIRED/u);
    failing = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('By capability').waitFor();
    await suite.go('/reviews/00000000000000000000000000000000');
    expect(await suite.text('[role="alert"]')).toContain('NOT_FOUND');
    await suite.go('/no/such/page');
    expect(await suite.text('main')).toContain('There is no page at this address.');
    faults.length = 0; // The browser reports the answers themselves.
  });
});

describe.skipIf(browserMissing())('a deployment with nothing in it', () => {
  const suite = browserSuite(() => emptyWorld({ WEIR_MODEL: 'm' }));

  test('says so on every page', async () => {
    await suite.go('/');
    expect(await suite.text('main')).toContain('Nothing needs you.');
    await suite.go('/dead-letters');
    expect(await suite.text('main')).toContain('Every message has been processed.');
    await suite.go('/reviews');
    expect(await suite.text('main')).toContain('No reviews here.');
  });

  test('the first run shows the next step, and each is done once it was observed', async () => {
    const { page, dashboard } = suite;
    await suite.go('/first-run');
    expect(await suite.text('.sentence')).toContain('0 of 4 steps');
    await page.getByText('weir account add').waitFor();
    await seedAccount(dashboard.world, { id: 'a1' });
    await seedRepository(dashboard.world, { id: 'r1', account: 'a1', path: { owner: 'team', name: 'shop' } });
    await suite.go('/first-run');
    expect(await suite.text('.sentence')).toContain('2 of 4 steps');
    expect(await suite.text('main')).toContain('https://forge.example says that it is weir.');
    const at = { registration: 'hook-r1', repositoryId: null, path: { owner: 'team', name: 'shop' }, at: Date.now(), registered: true };
    await dashboard.world.stores.registry.noteDelivery(at);
    await suite.go('/first-run');
    expect(await suite.text('.sentence')).toContain('3 of 4 steps');
  });
});
