/** Keys of a page while it is shown. Nothing happens while a person writes, holds a modifier, or has something open over the page. */
import { useEffect, useRef } from 'react';
import { type KeyState, NO_KEYS, pressKey } from './key-sequence.ts';

/** Called at most once a press; it may leave the page. */
export type KeyTable = Readonly<Record<string, () => void>>;

const writes = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/u.test(target.tagName));

const covered = (): boolean => document.querySelector('[role="dialog"]') !== null;

export function useKeys(keys: KeyTable): void {
  const table = useRef(keys);
  useEffect(() => {
    table.current = keys;
  });
  useEffect(() => {
    let state: KeyState = NO_KEYS;
    const pressed = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || writes(event.target) || covered()) return;
      const after = pressKey(state, { key: event.key, at: event.timeStamp }, new Set(Object.keys(table.current)));
      state = after.state;
      if (after.hit === null) return;
      event.preventDefault();
      table.current[after.hit]?.();
    };
    window.addEventListener('keydown', pressed);
    return () => window.removeEventListener('keydown', pressed);
  }, []);
}
