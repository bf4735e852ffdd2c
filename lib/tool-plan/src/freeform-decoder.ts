/**
 * The freeform input inside growing function arguments (MOD-6): `{"input": "…"}` arrives in pieces of any size, and the
 * text leaves in exact deltas whose concatenation is the final input. Nothing is repaired: another shape is broken.
 *
 * States: before the object → before the key → before the colon → before the value → in the value → after it → closed.
 */
import { ENVELOPE_FIELD } from './freeform-envelope.ts';

type State = 'object' | 'key' | 'colon' | 'value' | 'text' | 'end' | 'closed' | 'broken';

/** What each state but the two inside strings waits for, and what comes next. */
const STEPS: Readonly<Partial<Record<State, { readonly on: string; readonly next: State }>>> = {
  object: { on: '{', next: 'key' },
  colon: { on: ':', next: 'value' },
  value: { on: '"', next: 'text' },
  end: { on: '}', next: 'closed' },
};
const QUOTED_FIELD = JSON.stringify(ENVELOPE_FIELD);
const ESCAPES: Readonly<Record<string, string>> = { '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };
/** Longest unfinished piece that can wait for the next chunk: `\uXXX`. */
const MAX_WAITING = 5;

export interface FreeformDecoder {
  /** The input text that these characters of the arguments add. */
  push(argumentsDelta: string): string;
  /** True when the arguments were one whole envelope and nothing else. */
  complete(): boolean;
  /** True as soon as no continuation can be an envelope. */
  broken(): boolean;
}

export const createFreeformDecoder = (): FreeformDecoder => {
  let state: State = 'object';
  let waiting = '';
  let half = '';
  /** A high surrogate waits for its other half, so that no delta splits a character. */
  const wholeCharacters = (added: string): string => {
    const text = half + added;
    half = state === 'text' && isHighSurrogate(text.charCodeAt(text.length - 1)) ? text.slice(-1) : '';
    return text.slice(0, text.length - half.length);
  };
  const push = (delta: string): string => {
    const text = waiting + delta;
    waiting = '';
    const pieces: string[] = [];
    let at = 0;
    while (at < text.length && state !== 'broken') {
      const step = state === 'text' ? readText(text, at) : state === 'key' ? readKey(text, at) : readMark(state, text, at);
      if (step.wait) {
        waiting = text.slice(at);
        break;
      }
      pieces.push(step.text);
      state = step.next;
      at = step.at;
    }
    return wholeCharacters(pieces.join(''));
  };
  return { push, complete: () => state === 'closed' && waiting === '', broken: () => state === 'broken' };
};

interface Step {
  readonly next: State;
  readonly at: number;
  readonly text: string;
  readonly wait: boolean;
}
const step = (next: State, at: number, text = ''): Step => ({ next, at, text, wait: false });
const wait = (state: State, at: number): Step => ({ next: state, at, text: '', wait: true });
const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
const isSpace = (char: string | undefined): boolean => char === ' ' || char === '\n' || char === '\r' || char === '\t';

function readMark(state: State, text: string, at: number): Step {
  if (isSpace(text[at])) return step(state, at + 1);
  const wanted = STEPS[state];
  return wanted !== undefined && text[at] === wanted.on ? step(wanted.next, at + 1) : step('broken', at);
}

/** The key has to be the one field, spelt without escapes: that is how every JSON writer spells it. */
function readKey(text: string, at: number): Step {
  if (isSpace(text[at])) return step('key', at + 1);
  const piece = text.slice(at, at + QUOTED_FIELD.length);
  if (piece === QUOTED_FIELD) return step('colon', at + QUOTED_FIELD.length);
  return QUOTED_FIELD.startsWith(piece) ? wait('key', at) : step('broken', at);
}

/** Up to the next quote or backslash, or over one escape. A raw control character is no JSON. */
function readText(text: string, at: number): Step {
  if (text[at] === '"') return step('end', at + 1);
  if (text[at] === '\\') return readEscape(text, at);
  let end = at;
  while (end < text.length && text[end] !== '"' && text[end] !== '\\') {
    if (text.charCodeAt(end) < 0x20) return step('broken', end, text.slice(at, end));
    end += 1;
  }
  return step('text', end, text.slice(at, end));
}

function readEscape(text: string, at: number): Step {
  const mark = text[at + 1];
  if (mark === undefined) return wait('text', at);
  if (mark !== 'u') return ESCAPES[mark] === undefined ? step('broken', at) : step('text', at + 2, ESCAPES[mark]);
  const digits = text.slice(at + 2, at + 2 + 4);
  if (!/^[0-9a-fA-F]*$/.test(digits)) return step('broken', at);
  if (digits.length < 4) return text.length - at <= MAX_WAITING ? wait('text', at) : step('broken', at);
  return step('text', at + 6, String.fromCharCode(Number.parseInt(digits, 16)));
}
