/** Keys pressed one after another, as `g i`: pure, so that it is tested without a browser. */

/** Between two keys of a sequence; later the second one stands alone. */
const PAUSE_MS = 1200;

export interface KeyState {
  readonly first: string | null;
  readonly at: number;
}

export const NO_KEYS: KeyState = { first: null, at: 0 };

interface Pressed {
  readonly state: KeyState;
  /** Name of the sequence that is whole now, as `g i` or `j`; null while one is begun or nothing fits. */
  readonly hit: string | null;
}

/** @param known all sequences, each one key or two with a blank between */
export function pressKey(state: KeyState, pressed: { readonly key: string; readonly at: number }, known: ReadonlySet<string>): Pressed {
  const { key, at } = pressed;
  const pair = `${state.first ?? ''} ${key}`;
  if (state.first !== null && at - state.at <= PAUSE_MS && known.has(pair)) return { state: NO_KEYS, hit: pair };
  if (known.has(key)) return { state: NO_KEYS, hit: key };
  const begins = [...known].some(sequence => sequence.startsWith(`${key} `));
  return { state: begins ? { first: key, at } : NO_KEYS, hit: null };
}
