import { expect, test } from 'vitest';
import { listenFailure } from './listen-failure.ts';

const PLACE = { host: '127.0.0.1', port: 80 };

test.each(['EADDRINUSE', 'EADDRNOTAVAIL', 'EACCES', 'ENOTFOUND'])('%s is the fault of the address', code => {
  const cause = Object.assign(new Error('listen'), { code });
  expect(listenFailure(cause, PLACE, 'Say --port.')).toMatchObject({
    ...{ code: 'CONFIG_INVALID', message: `Nothing can listen on 127.0.0.1 port 80 (${code}).`, next: 'Say --port.', cause },
  });
});

test.each([new Error('other'), Object.assign(new Error('files'), { code: 'EMFILE' }), 'text'])('%s stays what it is', cause => {
  expect(listenFailure(cause, PLACE)).toBe(cause);
});
