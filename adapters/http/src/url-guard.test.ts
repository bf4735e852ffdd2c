import { HttpFailure } from '@weir/ports';
import { verifies } from '@weir/requirements';
import { expect, test } from 'vitest';
import { guardUrl } from './url-guard.ts';

const nothing: ReadonlySet<string> = new Set();

function refusal(url: string, allowed = nothing): string {
  try {
    guardUrl(url, allowed);
  } catch (error) {
    expect(error).toBeInstanceOf(HttpFailure);
    expect(error).toHaveProperty('kind', 'refused');
    return (error as Error).message;
  }
  throw new Error('not refused');
}

test(`${verifies('REV-40')} https passes`, () => {
  expect(guardUrl('https://api.example.com/v1?x=1', nothing).href).toBe('https://api.example.com/v1?x=1');
});

test(`${verifies('REV-40')} http is refused with the row that would open it, and passes when that row is there`, () => {
  expect(refusal('http://127.0.0.1:11434/v1/chat?key=secret')).toBe(
    'http://127.0.0.1:11434 is not https. Use https, or add "http://127.0.0.1:11434" to `network.allowOrigins`.',
  );
  expect(guardUrl('http://127.0.0.1:11434/v1', new Set(['http://127.0.0.1:11434'])).port).toBe('11434');
});

test.each(['http://127.0.0.1:11435/', 'http://localhost:11434/', 'http://127.0.0.1/'])(`${verifies('REV-40')} a row does not open the neighbour %s`, url => {
  expect(refusal(url, new Set(['http://127.0.0.1:11434']))).toContain('is not https');
});

test.each(['file:///etc/passwd', 'ftp://corp/', 'data:text/plain,x', 'javascript:1', 'unix:/run/x.sock', 'ws://corp/'])(
  `${verifies('REV-40')} %s is refused whatever is allowed`,
  url => {
    expect(refusal(url, new Set(['null', new URL(url).origin]))).toContain('is never requested');
  },
);

test(`${verifies('REV-40')} user information is refused and not repeated`, () => {
  const message = refusal('https://me:s3cret@corp/x');
  expect(message).toContain('https://corp');
  expect(message).not.toMatch(/s3cret|me:/);
  expect(refusal('https://s3cret@corp/x')).not.toContain('s3cret');
});

test('what is no URL is refused', () => {
  expect(refusal('not a url')).toContain('not a URL');
});
