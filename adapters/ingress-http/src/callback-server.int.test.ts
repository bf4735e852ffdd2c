import { request } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { type CallbackServer, startCallbackServer } from './create-callback-server.ts';

let server: CallbackServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const STATE = 'the-state-of-this-run';
const start = async (): Promise<CallbackServer> =>
  (server = await startCallbackServer({
    state: STATE,
    page: redirect => ({ html: `<p>${redirect}</p>`, formTarget: 'https://forge.example' }),
    done: '<p>done</p>',
  }));

/** With a `Host` of one's own, which `fetch` does not send. */
const statusAs = (address: string, host: string): Promise<number> =>
  new Promise((resolve, reject) => {
    request(address, { headers: { host } }, reply => {
      reply.resume();
      resolve(reply.statusCode ?? 0);
    })
      .on('error', reject)
      .end();
  });

test('the page is for this machine, sends its form to one origin, loads nothing and stays in no cache', async () => {
  const { address } = await start();
  expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
  const page = await fetch(address);
  expect(await page.text()).toBe(`<p>${address}callback</p>`);
  const policy = page.headers.get('content-security-policy');
  expect(policy).toBe("default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action https://forge.example");
  expect(page.headers.get('cache-control')).toBe('no-store');
  expect(await statusAs(address, 'evil.example')).toBe(400);
  expect(await statusAs(`${address}callback?code=c&state=${STATE}`, 'evil.example')).toBe(400);
});

test('only a code with the state of this run is taken, and the first counts', async () => {
  const { address, code } = await start();
  const back = async (query: string): Promise<number> => (await fetch(`${address}callback?${query}`)).status;
  for (const query of [
    '',
    'code=c',
    'code=c&state=',
    `code=c&state=${STATE}x`,
    `code=c&state=${STATE}&state=${STATE}`,
    `code=a%20b&state=${STATE}`,
    `state=${STATE}`,
  ])
    expect([query, await back(query)]).toEqual([query, 400]);
  expect(await back(`code=the.first-one&state=${STATE}`)).toBe(200);
  expect(await back(`code=another&state=${STATE}`)).toBe(200);
  expect(await code).toBe('the.first-one');
  expect((await fetch(`${address}elsewhere`)).status).toBe(400);
});
