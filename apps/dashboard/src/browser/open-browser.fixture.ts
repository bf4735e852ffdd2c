/** Debian's Chromium for the tests of the dashboard. Whatever a page writes to its console as an error or refuses by its policy fails the test. */
import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';

const CHROMIUM = '/usr/bin/chromium';

/** In CI the browser has to be there; elsewhere the tests say that they were left out. */
export const browserMissing = (): boolean => {
  if (existsSync(CHROMIUM)) return false;
  if (process.env['CI']) throw new Error(`${CHROMIUM} is missing: apt-get install chromium`);
  console.warn(`The browser tests are left out: ${CHROMIUM} is missing (apt-get install chromium).`);
  return true;
};

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: CHROMIUM,
    args: [
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });

export interface OpenedPage {
  readonly page: Page;
  /** What the console said that a person would call broken. */
  readonly faults: string[];
}

export interface PageSettings {
  readonly theme?: 'light' | 'dark';
  /** Secret of a session; nobody is signed in without one. */
  readonly session?: string;
}

/** @param address of the server, with http */
export async function openPage(browser: Browser, address: string, { theme = 'light', session }: PageSettings = {}): Promise<OpenedPage> {
  const context = await browser.newContext({ baseURL: address, colorScheme: theme, viewport: { width: 1360, height: 700 }, reducedMotion: 'reduce' });
  if (session !== undefined) {
    const place = { domain: new URL(address).hostname, path: '/api', httpOnly: true, sameSite: 'Strict' } as const;
    await context.addCookies([{ name: 'weir_session', value: session, ...place }]);
  }
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('console', message => {
    if (message.type() === 'error') faults.push(`${message.text()} ${message.location().url}`);
  });
  page.on('pageerror', error => faults.push(String(error)));
  return { page, faults };
}
