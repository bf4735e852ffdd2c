/** Reads a request's body whole and parses it by its content type. */
import type { IncomingMessage } from 'node:http';

const BODY_LIMIT = 32 * 1024 * 1024;

export async function readRaw(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of message as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > BODY_LIMIT) throw new Error('a request body over 32 MiB');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

export interface ParsedBody {
  readonly value: unknown;
  /** Why the body can't be read; null when it can. */
  readonly problem: string | null;
}

export function parseBody(raw: Buffer, contentType: string): ParsedBody {
  if (raw.length === 0) return { value: undefined, problem: null };
  const kind = contentType.split(';')[0]?.trim().toLowerCase() ?? '';
  if (kind === 'application/x-www-form-urlencoded') return { value: formObject(new URLSearchParams(raw.toString())), problem: null };
  if (kind === 'multipart/form-data') return { value: multipart(raw, contentType), problem: null };
  // Vendors read JSON whatever the type says; a wrong type is a violation all the same.
  if (kind === 'application/octet-stream') return { value: undefined, problem: null };
  try {
    return { value: JSON.parse(raw.toString()), problem: null };
  } catch (error) {
    return { value: undefined, problem: error instanceof Error ? error.message : 'unreadable JSON' };
  }
}

/** `a=1&b[]=2&c[d]=3` → { a: '1', b: ['2'], c: { d: '3' } }; a name given twice becomes a list. */
export function formObject(pairs: Iterable<[string, string]>): Record<string, unknown> {
  const out: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const [name, value] of pairs) {
    const nested = /^([^[\]]+)\[([^[\]]+)\]$/.exec(name);
    const plain = name.replace(/\[\]$/, '');
    if (nested?.[1] !== undefined && nested[2] !== undefined) {
      const inner = (out[nested[1]] ??= Object.create(null)) as Record<string, unknown>;
      inner[nested[2]] = value;
    } else if (name.endsWith('[]') || plain in out) out[plain] = [...(plain in out ? [out[plain]].flat() : []), value];
    else out[plain] = value;
  }
  return out;
}

function multipart(raw: Buffer, contentType: string): Record<string, unknown> {
  const boundary = /boundary="?([^";]+)"?/.exec(contentType)?.[1];
  if (boundary === undefined) return {};
  const pairs: [string, string][] = [];
  for (const part of raw.toString('latin1').split(`--${boundary}`)) {
    const at = part.indexOf('\r\n\r\n');
    const name = /name="([^"]*)"/.exec(part.slice(0, Math.max(at, 0)))?.[1];
    if (at > 0 && name !== undefined) pairs.push([name, Buffer.from(part.slice(at + 4).replace(/\r\n$/, ''), 'latin1').toString()]);
  }
  return formObject(pairs);
}
