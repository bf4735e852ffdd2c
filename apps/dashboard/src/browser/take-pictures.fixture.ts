/** `npm run pictures`: each screen in both themes as a file under docs/images. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { livelyWorld } from '../../../cli/src/dashboard/lively-world.fixture.ts';
import { openBrowser, openPage } from './open-browser.fixture.ts';
import { startRealDashboard } from './real-dashboard.fixture.ts';
import { SCREENS } from './screens.fixture.ts';
import { visit } from './visit.fixture.ts';

const FOLDER = path.resolve(import.meta.dirname, '../../../../docs/images');
mkdirSync(FOLDER, { recursive: true });
const dashboard = await startRealDashboard(await livelyWorld());
const browser = await openBrowser();
try {
  const session = await dashboard.signIn('admin');
  for (const theme of ['light', 'dark'] as const) {
    const { page } = await openPage(browser, dashboard.address, { theme, session });
    for (const [name, address] of Object.entries(SCREENS)) {
      await visit(page, address);
      await page.evaluate(() => document.fonts.ready);
      await page.screenshot({ path: path.join(FOLDER, `${name}-${theme}.png`) });
    }
  }
} finally {
  await browser.close();
  await dashboard.close();
}
