/** `npm run pictures`: each screen in both themes as a file under docs/images. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { startDashboard } from './dashboard-server.fixture.ts';
import { openBrowser, openPage } from './open-browser.fixture.ts';
import { SCREENS } from './screens.fixture.ts';
import { NOW } from './seeds.fixture.ts';

const FOLDER = path.resolve(import.meta.dirname, '../../../../docs/images');
mkdirSync(FOLDER, { recursive: true });
const server = await startDashboard();
const browser = await openBrowser();
try {
  for (const theme of ['light', 'dark'] as const) {
    const { page } = await openPage(browser, server.address, theme);
    await page.clock.setFixedTime(NOW);
    for (const [name, address] of Object.entries(SCREENS)) {
      await page.goto(address);
      await page.waitForFunction(() => document.querySelector('h1') !== null && document.querySelector('[aria-busy="true"]') === null);
      await page.evaluate(() => document.fonts.ready);
      await page.screenshot({ path: path.join(FOLDER, `${name}-${theme}.png`) });
    }
  }
} finally {
  await browser.close();
  await server.close();
}
