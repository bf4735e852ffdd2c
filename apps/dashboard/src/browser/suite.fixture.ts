/** What each file of browser tests has: one browser, one seeded deployment, and a fresh page for each test, signed in as an admin. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import type { SeededWorld } from '../../../cli/src/dashboard/seeded-world.fixture.ts';
import { openBrowser, openPage, type PageSettings } from './open-browser.fixture.ts';
import { type RealDashboard, startRealDashboard } from './real-dashboard.fixture.ts';
import { visit } from './visit.fixture.ts';

export interface Suite {
  readonly browser: Browser;
  readonly dashboard: RealDashboard;
  readonly page: Page;
  /** Of the test's page; those that a test provokes it takes out. */
  readonly faults: string[];
  /** Secret of the session of the test's page. */
  readonly session: string;
  go(address: string): Promise<void>;
  text(selector: string): Promise<string>;
  /** Titles of the list of reviews, from the top. */
  titles(): Promise<readonly string[]>;
  open(settings: PageSettings): ReturnType<typeof openPage>;
}

/** @param seed the deployment of the file */
export function browserSuite(seed: () => Promise<SeededWorld>): Suite {
  const held: { browser?: Browser; dashboard?: RealDashboard; page?: Page; session: string; faults: string[] } = { session: '', faults: [] };
  const of = <Part>(part: Part | undefined): Part => {
    if (part === undefined) throw new Error('The suite has not begun.');
    return part;
  };
  beforeAll(async () => {
    held.browser = await openBrowser();
    held.dashboard = await startRealDashboard(await seed());
  });
  afterAll(async () => {
    await held.browser?.close();
    await held.dashboard?.close();
  });
  beforeEach(async () => {
    held.session = await of(held.dashboard).signIn('admin');
    const opened = await openPage(of(held.browser), of(held.dashboard).address, { session: held.session });
    Object.assign(held, opened);
  });
  afterEach(async () => {
    await held.page?.context().close();
    expect(held.faults, 'console').toEqual([]);
  });
  return {
    get browser() {
      return of(held.browser);
    },
    get dashboard() {
      return of(held.dashboard);
    },
    get page() {
      return of(held.page);
    },
    get faults() {
      return held.faults;
    },
    get session() {
      return held.session;
    },
    go: address => visit(of(held.page), address),
    text: selector => of(held.page).locator(selector).innerText(),
    titles: () => of(held.page).locator('table[aria-label="Reviews"] .row-link').allInnerTexts(),
    open: settings => openPage(of(held.browser), of(held.dashboard).address, settings),
  };
}
