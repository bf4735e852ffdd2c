/**
 * A file as the value of a multipart field or of a whole binary body.
 */

export interface FileValue {
  readonly filename: string;
  readonly contentType?: string;
  /** Text stands for its UTF-8 bytes, or for the bytes that it encodes where `encoding` says so. */
  readonly content: string | Uint8Array;
  /** So that JSON can hold the bytes of a file. */
  readonly encoding?: 'base64';
}

export const isFileContent = (value: unknown): value is string | Uint8Array => typeof value === 'string' || value instanceof Uint8Array;

export const isFileValue = (value: unknown): value is FileValue =>
  typeof value === 'object' &&
  value !== null &&
  'filename' in value &&
  typeof value.filename === 'string' &&
  'content' in value &&
  isFileContent(value.content) &&
  (!('encoding' in value) || (value.encoding === 'base64' && isBase64(value.content))) &&
  (!('contentType' in value) || (typeof value.contentType === 'string' && /^[\w.+-]+\/[\w.+-]+(?:; ?[\w-]+=[\w.-]+)?$/.test(value.contentType)));

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const SEXTETS: ReadonlyMap<string, number> = new Map(Array.from(ALPHABET, (character, index) => [character, index]));

/** Padded, as RFC 4648 section 4 has it. */
const isBase64 = (text: unknown): boolean => typeof text === 'string' && text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);

/** The content as it is sent. */
export const contentOf = ({ content, encoding }: FileValue): string | Uint8Array =>
  encoding === 'base64' && typeof content === 'string' ? decodeBase64(content) : content;

function decodeBase64(text: string): Uint8Array {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const bytes = new Uint8Array((text.length / 4) * 3 - padding);
  for (let at = 0, to = 0; at < text.length; at += 4, to += 3) {
    let bits = 0;
    for (let offset = 0; offset < 4; offset += 1) bits = (bits << 6) | (SEXTETS.get(text.charAt(at + offset)) ?? 0);
    for (let offset = 0; offset < 3 && to + offset < bytes.length; offset += 1) bytes[to + offset] = (bits >> (16 - 8 * offset)) & 0xff;
  }
  return bytes;
}
