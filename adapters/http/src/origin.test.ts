import { verifies } from '@weir/requirements';
import { expect, test } from 'vitest';
import { parseOrigin } from './origin.ts';

test.each([
  ['http://127.0.0.1:11434', 'http://127.0.0.1:11434'],
  ['  https://gitlab.corp ', 'https://gitlab.corp'],
  ['HTTPS://GitLab.Corp:443', 'https://gitlab.corp'],
  ['http://localhost:80/', 'http://localhost'],
  ['http://0x7f.1:8080', 'http://127.0.0.1:8080'],
  ['http://[::1]:8080', 'http://[::1]:8080'],
])(`${verifies('REV-40')} %s is the origin %s`, (text, origin) => {
  expect(parseOrigin(text)).toEqual({ origin });
});

test.each([
  ['localhost:11434', 'http'],
  ['', 'is not an origin'],
  ['*', 'wildcard'],
  ['https://*.corp', 'wildcard'],
  ['https://corp/v1', 'write https://corp'],
  ['https://corp/?', 'write https://corp'],
  ['https://corp?x=1', 'write https://corp'],
  ['https://corp#x', 'write https://corp'],
  ['https://me:secret@corp', 'user name'],
  ['https://me@corp', 'user name'],
  ['file:///etc/passwd', 'https://'],
  ['ftp://corp', 'https://'],
  ['10.0.0.0/8', 'is not an origin'],
])(`${verifies('REV-40')} "%s" is no origin, and the problem says why`, (text, why) => {
  const parsed = parseOrigin(text);
  expect(parsed).toHaveProperty('problem', expect.stringContaining(why));
  expect(JSON.stringify(parsed)).not.toContain('secret');
});
