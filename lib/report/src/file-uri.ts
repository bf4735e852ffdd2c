/**
 * Paths of a repository as relative URI references and back (RFC 3986). Bytes that are not UTF-8 keep their value:
 * the diff model holds them as U+DC80 to U+DCFF, a URI as %80 to %FF.
 */
const RAW_BYTE_BASE = 0xdc00;
const hex = (byte: number): string => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;

const encodeSurrogate = (character: string): string => {
  const code = character.charCodeAt(0);
  return code >= 0xdc80 && code <= 0xdcff ? hex(code - RAW_BYTE_BASE) : '%EF%BF%BD';
};

/** `a dir/ü:1.ts` to `a%20dir/%C3%BC%3A1.ts`. Never throws: a surrogate that stands for no byte becomes U+FFFD. */
export const uriOf = (path: string): string =>
  path
    .split(/(\p{Cs}|\/)/u)
    .map(part => (part === '/' ? part : /^\p{Cs}$/u.test(part) ? encodeSurrogate(part) : encodeURIComponent(part)))
    .join('');

/** Bytes that the first byte of a UTF-8 character announces; 1 for a byte that starts none. */
const announced = (lead: number): number => (lead < 0xc2 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 1);

function decodeCharacter(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded);
  } catch {
    // Not UTF-8: the caller keeps the byte itself.
    return undefined;
  }
}

/** Decodes one run of percent-encoded bytes, `%C3%BC%FF`. */
function decodeRun(run: string): string {
  let text = '';
  for (let at = 0; at < run.length; ) {
    const lead = Number.parseInt(run.slice(at + 1, at + 3), 16);
    const encoded = run.slice(at, at + 3 * announced(lead));
    const character = decodeCharacter(encoded);
    text += character ?? String.fromCharCode(RAW_BYTE_BASE + lead);
    at += character === undefined ? 3 : encoded.length;
  }
  return text;
}

/** The path that a relative URI reference names. A percent sign that encodes nothing stays as it is. */
export const pathOfUri = (uri: string): string => uri.replace(/(?:%[0-9a-f]{2})+/gi, decodeRun);
