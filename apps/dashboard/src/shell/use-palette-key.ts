/** `⌘K` and `Ctrl K`, also while a person writes. */
import { useEffect, useRef } from 'react';

export function usePaletteKey(open: () => void): void {
  const opened = useRef(open);
  useEffect(() => {
    opened.current = open;
  });
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey) || event.shiftKey || event.altKey) return;
      event.preventDefault();
      opened.current();
    };
    window.addEventListener('keydown', pressed);
    return () => window.removeEventListener('keydown', pressed);
  }, []);
}
