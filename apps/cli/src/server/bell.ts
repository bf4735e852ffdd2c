/** Tells a part of the same process that there is something to do. A part of another process finds it by itself, a little later. */
export interface Bell {
  ring(): void;
  answer(listener: () => void): void;
}

export function createBell(): Bell {
  const listeners: (() => void)[] = [];
  return { ring: () => listeners.forEach(listener => listener()), answer: listener => void listeners.push(listener) };
}
