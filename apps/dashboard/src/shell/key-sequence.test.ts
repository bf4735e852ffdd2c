import { expect, test } from 'vitest';
import { NO_KEYS, pressKey } from './key-sequence.ts';

const KNOWN = new Set(['g i', 'g r', 'j', '?']);
const press = (...keys: readonly (readonly [string, number])[]): readonly (string | null)[] => {
  let state = NO_KEYS;
  return keys.map(([key, at]) => {
    const pressed = pressKey(state, { key, at }, KNOWN);
    state = pressed.state;
    return pressed.hit;
  });
};

test('a sequence is whole with its second key', () => expect(press(['g', 0], ['r', 300])).toEqual([null, 'g r']));
test('a pause breaks it', () => expect(press(['g', 0], ['r', 5000])).toEqual([null, null]));
test('a key that fits alone ends what was begun', () => expect(press(['g', 0], ['j', 100], ['i', 200])).toEqual([null, 'j', null]));
test('the first key twice begins again', () => expect(press(['g', 0], ['g', 100], ['i', 200])).toEqual([null, null, 'g i']));
test('what is not known does nothing', () => expect(press(['x', 0], ['?', 10])).toEqual([null, '?']));
