/**
 * A multipart/form-data body (RFC 7578) as chunks. Names and file names can't end their line or their quotes.
 */
import { contentOf, type FileValue, isFileValue } from './file-value.ts';

const BOUNDARY = /^[\w'()+,./:=?-]{1,70}$/;

/**
 * The chunks, or one sentence on why the boundary does not fit. A list becomes one part for each entry, an object a JSON part;
 * text of a field that `files` names is a file too.
 */
export const multipartChunks = (
  fields: readonly (readonly [name: string, value: unknown])[],
  files: ReadonlySet<string>,
  boundary: string,
): (string | Uint8Array)[] | string => {
  if (!BOUNDARY.test(boundary)) return 'a multipart body needs a boundary of 1 to 70 characters of RFC 2046';
  const chunks: (string | Uint8Array)[] = [];
  for (const [name, value] of fields) {
    for (const entry of Array.isArray(value) ? value : [value]) {
      const file = asPart(entry, files.has(name));
      if (holds(file.content, boundary)) return 'the boundary occurs in a value';
      chunks.push(`--${boundary}\r\n${partHead(name, file)}\r\n\r\n`, file.content, '\r\n');
    }
  }
  chunks.push(`--${boundary}--\r\n`);
  return chunks;
};

type Part = Omit<FileValue, 'filename' | 'encoding'> & { readonly filename?: string };

function asPart(value: unknown, isFile: boolean): Part {
  if (isFileValue(value)) return { contentType: 'application/octet-stream', ...value, content: contentOf(value) };
  if (value instanceof Uint8Array || (isFile && typeof value === 'string'))
    return { filename: 'file', contentType: 'application/octet-stream', content: value };
  if (typeof value === 'object') return { contentType: 'application/json', content: JSON.stringify(value) };
  return { content: String(value) };
}

function partHead(name: string, { filename, contentType }: Part): string {
  const file = filename === undefined ? '' : `; filename="${escapeQuoted(filename)}"`;
  const type = contentType === undefined ? '' : `\r\nContent-Type: ${contentType}`;
  return `Content-Disposition: form-data; name="${escapeQuoted(name)}"${file}${type}`;
}

/** As browsers escape them (WHATWG HTML, multipart/form-data encoding). */
const escapeQuoted = (text: string): string => text.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

/** Does the boundary occur in it? Bytes are compared as ASCII, which a boundary is. */
function holds(content: string | Uint8Array, boundary: string): boolean {
  if (typeof content === 'string') return content.includes(boundary);
  const first = boundary.charCodeAt(0);
  for (let at = content.indexOf(first); at !== -1; at = content.indexOf(first, at + 1)) {
    let length = 1;
    while (length < boundary.length && content[at + length] === boundary.charCodeAt(length)) length += 1;
    if (length === boundary.length) return true;
  }
  return false;
}
