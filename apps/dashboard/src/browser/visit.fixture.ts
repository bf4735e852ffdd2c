/** Goes to an address and waits until the page has what it reads. */
import type { Page } from 'playwright-core';

export async function visit(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.waitForFunction(() => document.querySelector('h1') !== null && document.querySelector('[aria-busy="true"]') === null);
}
