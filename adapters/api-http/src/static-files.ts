/** The built dashboard, read once at the start: what is not among its files cannot be asked for. */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
  '.txt': 'text/plain; charset=utf-8',
};
const MAX_FILES = 2_000;

interface StaticFile {
  readonly bytes: Buffer;
  readonly type: string;
  readonly etag: string;
}

/** By their address. */
export type StaticFiles = ReadonlyMap<string, StaticFile>;

/** Files of other types are left out. Throws what the file system throws. */
export async function readStaticFiles(folder: string): Promise<StaticFiles> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = new Map<string, StaticFile>();
  for (const entry of entries.filter(one => one.isFile()).slice(0, MAX_FILES)) {
    const type = TYPES[path.extname(entry.name)];
    if (type === undefined) continue;
    const whole = path.join(entry.parentPath, entry.name);
    const bytes = await readFile(whole);
    const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
    files.set(`/${path.relative(folder, whole).split(path.sep).join('/')}`, { bytes, type, etag });
  }
  return files;
}

/** Their names hold a digest of their content. */
const IMMUTABLE = /^\/assets\//;
const ABSENT = 'not available: this build has no dashboard\n';

/** A page's address gives the index, which knows the pages. @returns undefined for a file that does not exist. */
export function sendStatic({ url, headers }: FastifyRequest, reply: FastifyReply, files: StaticFiles): FastifyReply | undefined {
  const address = url.split('?', 1)[0] ?? '/';
  if (files.size === 0) return reply.code(404).type('text/plain').header('cache-control', 'no-store').send(ABSENT);
  const file = files.get(address) ?? (path.posix.extname(address) === '' ? files.get('/index.html') : undefined);
  if (file === undefined) return undefined;
  void reply.header('etag', file.etag).header('cache-control', IMMUTABLE.test(address) ? 'public, max-age=31536000, immutable' : 'no-cache');
  if (headers['if-none-match'] === file.etag) return reply.code(304).send();
  return reply.type(file.type).send(file.bytes);
}
