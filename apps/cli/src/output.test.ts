import { verifies } from '@weir/requirements';
import { expect, test } from 'vitest';
import { printableJson } from './output.ts';

test(`${verifies('PRV-20', 'REV-15')} JSON for a terminal hides nothing and reads back as the same value`, () => {
  const hostile = { title: 'a\u009b31mb\u202ec\u200bd\u2028e\u{e0041}f', family: '👩\u200d👩', plain: 'straße 日本' };
  const text = printableJson(hostile);
  expect(text).toBe('{"title":"a\\u009b31mb\\u202ec\\u200bd\\u2028e\\udb40\\udc41f","family":"👩\\u200d👩","plain":"straße 日本"}');
  expect(JSON.parse(text)).toEqual(hostile);
});
