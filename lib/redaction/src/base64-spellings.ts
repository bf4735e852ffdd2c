/**
 * How a text looks inside base64, wherever it stands in what was encoded: three bytes become four characters, so there
 * are three ways, and the characters at the ends depend on the neighbours and are left out.
 */
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Base64 of the characters' codes, which have to be below 256, with `offset` zero bytes in front and without padding. */
function encode(text: string, offset: number): string {
  let encoded = '';
  let bits = 0;
  let held = 0;
  for (let at = -offset; at < text.length; at += 1) {
    held = ((held << 8) | (at < 0 ? 0 : text.charCodeAt(at))) & 0xffff;
    for (bits += 8; bits >= 6; bits -= 6) encoded += ALPHABET.charAt((held >> (bits - 6)) & 63);
  }
  return encoded;
}

/** Characters at the front that hold a bit of what stands before, by the number of bytes there. */
const DEPENDENT = [0, 2, 3];

/** The middle of the text in base64 and base64url, for each of its three places. Empty for a text that is not Latin-1. */
export function base64Spellings(text: string): readonly string[] {
  if (/[^\u0000-\u00ff]/.test(text)) return [];
  const plain = DEPENDENT.map((dependent, offset) => encode(text, offset).slice(dependent));
  return [...plain, ...plain.map(spelling => spelling.replaceAll('+', '-').replaceAll('/', '_'))];
}
