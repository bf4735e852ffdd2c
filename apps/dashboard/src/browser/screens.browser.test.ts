/** Every screen in a real browser: barriers, other hosts, motion. */
import axe from 'axe-core';
import { describe, expect, test } from 'vitest';
import { livelyWorld } from '../../../cli/src/dashboard/lively-world.fixture.ts';
import { browserMissing } from './open-browser.fixture.ts';
import { SCREENS } from './screens.fixture.ts';
import { browserSuite } from './suite.fixture.ts';
import { visit } from './visit.fixture.ts';

describe.skipIf(browserMissing())('screens', () => {
  const suite = browserSuite(livelyWorld);

  test.each(['light', 'dark'] as const)('in the %s theme no screen has a barrier that axe finds', async theme => {
    const { page, faults } = await suite.open({ theme, session: suite.session });
    await page.setViewportSize({ width: 1360, height: 2400 });
    for (const [name, address] of Object.entries(SCREENS)) {
      await visit(page, address);
      await page.evaluate(() => document.querySelectorAll('details').forEach(one => (one.open = true)));
      await page.evaluate(axe.source);
      const found = await page.evaluate(async () => {
        const run = (globalThis as unknown as { axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> } }).axe;
        return (await run.run()).violations.map(({ id, nodes }) => `${id}: ${nodes.map(node => node.html.slice(0, 120)).join(' | ')}`);
      });
      expect(found, name).toEqual([]);
    }
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('no page asks another host for anything', async () => {
    const hosts = new Set<string>();
    suite.page.on('request', request => hosts.add(new URL(request.url()).host));
    for (const address of Object.values(SCREENS)) await suite.go(address);
    expect([...hosts]).toEqual([new URL(suite.dashboard.address).host]);
  });

  test('with reduced motion nothing turns', async () => {
    await suite.go('/reviews');
    const turning = suite.page.locator('.turning').first();
    expect(await turning.evaluate(path => getComputedStyle(path).animationName)).toBe('none');
  });

  test('the theme is chosen, and kept', async () => {
    const { page } = suite;
    await suite.go('/');
    const ground = (): Promise<string> => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await ground();
    await page.getByRole('button', { name: 'Dark theme' }).click();
    expect(await ground()).not.toBe(light);
    await page.reload();
    await page.getByRole('button', { name: 'Light theme' }).waitFor();
    expect(await ground()).toBe('rgb(16, 19, 23)');
  });
});
