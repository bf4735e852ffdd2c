/**
 * Takes a credential out of whatever an upstream sends (REV-39), before anybody reads it: an error that quotes the key reaches no client,
 * no log and no event, whatever its status, its shape and the pieces that it arrives in.
 */

const STAND_IN = Buffer.from('[key]');
const NOTHING = Buffer.alloc(0);

/** Characters that some writers of JSON give as `\u00XX`. */
const OFTEN_ESCAPED = /[+<>&'"`=]/g;
const hex = (character: string): string => character.charCodeAt(0).toString(16).padStart(4, '0');

/** How a text is written in what upstreams send; for most keys all of them are the same. */
const FORMS: readonly ((secret: string) => string)[] = [
  secret => secret,
  secret => JSON.stringify(secret).slice(1, -1),
  secret => secret.replaceAll('/', '\\/'),
  secret => secret.replace(OFTEN_ESCAPED, character => `\\u${hex(character)}`),
  secret => secret.replace(OFTEN_ESCAPED, character => `\\u${hex(character).toUpperCase()}`),
  encodeURIComponent,
];

export function withoutSecret(body: AsyncIterable<Uint8Array>, secret: string): AsyncIterable<Uint8Array> {
  if (secret === '') return body;
  const needles = [...new Set(FORMS.map(form => form(secret)))].map(form => Buffer.from(form));
  return { [Symbol.asyncIterator]: () => filtered(body[Symbol.asyncIterator](), needles) };
}

type Chunk = IteratorResult<Uint8Array, undefined>;

function filtered(chunks: AsyncIterator<Uint8Array>, needles: readonly Buffer[]): AsyncIterator<Uint8Array, undefined> {
  let held: Buffer = NOTHING;
  let ended = false;
  const next = (): Promise<Chunk> => (ended ? Promise.resolve({ done: true, value: undefined }) : chunks.next().then(take));
  function take(chunk: IteratorResult<Uint8Array, unknown>): Chunk | Promise<Chunk> {
    if (chunk.done === true) {
      ended = true;
      return held.length === 0 ? { done: true, value: undefined } : { done: false, value: held };
    }
    const text = replaceAll(held.length === 0 ? bufferOf(chunk.value) : Buffer.concat([held, chunk.value]), needles);
    const kept = beginningOf(needles, text);
    // Nearly every piece: it holds nothing of the key.
    if (kept === text.length && held.length === 0) return { done: false, value: text };
    held = text.subarray(kept);
    // Only a piece that may be all beginning of the key gives nothing.
    return kept === 0 ? next() : { done: false, value: text.subarray(0, kept) };
  }
  return {
    next,
    return: async () => {
      ended = true;
      await chunks.return?.();
      return { done: true, value: undefined };
    },
  };
}

const bufferOf = (bytes: Uint8Array): Buffer => (Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));

function replaceAll(text: Buffer, needles: readonly Buffer[]): Buffer {
  let clean = text;
  for (const needle of needles) {
    const parts: Buffer[] = [];
    let from = 0;
    for (let at = clean.indexOf(needle); at !== -1; at = clean.indexOf(needle, from)) {
      parts.push(clean.subarray(from, at), STAND_IN);
      from = at + needle.length;
    }
    if (from > 0) clean = Buffer.concat([...parts, clean.subarray(from)]);
  }
  return clean;
}

/** Where at the end of the text a needle may begin; its length where none does. What may be a beginning waits for what follows. */
function beginningOf(needles: readonly Buffer[], text: Buffer): number {
  let first = text.length;
  for (const needle of needles) {
    for (let at = Math.max(0, text.length - needle.length + 1); at < first; at += 1) if (continues(needle, text, at)) first = at;
  }
  return first;
}

/** Whether the text from there on is the needle's beginning. Compared by hand: a call for each place would cost more than it finds. */
function continues(needle: Buffer, text: Buffer, from: number): boolean {
  for (let at = from; at < text.length; at += 1) if (text[at] !== needle[at - from]) return false;
  return true;
}
