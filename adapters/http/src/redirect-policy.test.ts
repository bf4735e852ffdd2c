import type { HttpRequest } from '@weir/ports';
import { verifies } from '@weir/requirements';
import { expect, test } from 'vitest';
import { followRedirect } from './redirect-policy.ts';

const from = new URL('https://a.example/start');
const headers = {
  Accept: 'text/plain',
  'User-Agent': 'weir',
  Authorization: 'Bearer k',
  Cookie: 'c',
  'X-Api-Key': 'k',
  'PRIVATE-TOKEN': 'k',
  'if-none-match': 'e',
};
const request = (method: HttpRequest['method']): HttpRequest => ({
  method,
  url: from.href,
  headers,
  ...(method === 'POST' ? { body: '{}' } : {}),
  firstByteTimeoutMs: 1,
  idleTimeoutMs: 1,
  maxBytes: 1,
});

test.each([301, 302, 303, 307, 308])(`${verifies('REV-40')} GET follows %i at the same origin with all headers`, status => {
  const next = followRedirect(request('GET'), from, status, '/next?x=1');
  expect(next).toMatchObject({ method: 'GET', url: 'https://a.example/next?x=1', headers });
});

test.each(['https://b.example/', '//b.example/', 'https://a.example:8443/', 'http://a.example/', 'https://A.EXAMPLE./'])(
  `${verifies('REV-40')} GET to another origin %s leaves every credential behind`,
  location => {
    expect(followRedirect(request('GET'), from, 302, location)?.headers).toEqual({ Accept: 'text/plain', 'User-Agent': 'weir' });
  },
);

test.each(['POST', 'PUT', 'PATCH', 'DELETE'] as const)(`${verifies('REV-40')} %s is repeated only for 307 and 308 at the same origin`, method => {
  const statuses = [301, 302, 303, 307, 308];
  const followed = (location: string) => statuses.filter(status => followRedirect(request(method), from, status, location) !== undefined);
  expect(followed('/next')).toEqual([307, 308]);
  expect(followed('https://b.example/next')).toEqual([]);
  expect(followRedirect(request('POST'), from, 307, '/next')).toMatchObject({ method: 'POST', body: '{}' });
});

test.each([
  [200, '/next'],
  [304, '/next'],
  [300, '/next'],
  [302, undefined],
  [302, 'https://'],
])('status %i with location %s is handed over as it is', (status, location) => {
  expect(followRedirect(request('GET'), from, status, location)).toBeUndefined();
});
