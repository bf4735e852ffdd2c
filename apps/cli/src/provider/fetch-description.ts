/** Fetches the bytes of a published description through the one guarded door: 30 s, 32 MiB, no credential (PRV-2). */
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { ErrorCode } from '@weir/contract';
import { createHttp } from '@weir/http';
import { AppError } from '@weir/kernel';
import { HttpFailure, type HttpResponse } from '@weir/ports';
import type { DescriptionAddress } from './description-address.ts';
import { MAX_DESCRIPTION_BYTES } from './read-description.ts';
import { readTar } from './read-tar.ts';

const DEADLINE_MS = 30_000;
/** Compressed bytes of a package that holds a description among others. */
const MAX_PACKAGE_BYTES = 256 * 1024 * 1024;

export interface Way {
  readonly allowOrigins: readonly string[];
  readonly signal: AbortSignal;
}

const CODES: Readonly<Record<HttpFailure['kind'], ErrorCode>> = {
  refused: 'URL_REFUSED',
  unreachable: 'FORGE_UNAVAILABLE',
  timeout: 'FORGE_UNAVAILABLE',
  too_large: 'INPUT_TOO_LARGE',
};
const OFFLINE = 'Try again; or fetch the description where there is a network, and name it with --from <file> (weir provider pin) or --spec <file> (add).';

/** Throws URL_REFUSED, FORGE_UNAVAILABLE, FORGE_NOT_FOUND or INPUT_TOO_LARGE, each with what to do without a network. */
export async function fetchDescription({ url, member }: DescriptionAddress, { allowOrigins, signal }: Way): Promise<Buffer> {
  const deadline = AbortSignal.timeout(DEADLINE_MS);
  try {
    const response = await createHttp({ allowOrigins }).send(
      {
        method: 'GET',
        url,
        headers: { accept: '*/*', 'user-agent': 'weir' },
        firstByteTimeoutMs: DEADLINE_MS,
        idleTimeoutMs: DEADLINE_MS,
        maxBytes: member === undefined ? MAX_DESCRIPTION_BYTES : MAX_PACKAGE_BYTES,
      },
      AbortSignal.any([signal, deadline]),
    );
    return await bytesOf(response, url, member);
  } catch (error) {
    if (deadline.aborted && !signal.aborted)
      throw new AppError('FORGE_UNAVAILABLE', `${new URL(url).origin} did not answer within ${DEADLINE_MS / 1000} s`, { next: OFFLINE, cause: error });
    if (error instanceof HttpFailure)
      throw new AppError(CODES[error.kind], error.message, { ...(error.kind === 'refused' ? {} : { next: OFFLINE }), cause: error });
    throw error;
  }
}

async function bytesOf({ status, body }: HttpResponse, url: string, member: string | undefined): Promise<Buffer> {
  const { origin, pathname } = new URL(url);
  if (status !== 200) throw new AppError(status === 404 ? 'FORGE_NOT_FOUND' : 'FORGE_UNAVAILABLE', `${origin}${pathname} answers ${status}`, { next: OFFLINE });
  if (member === undefined) return collect(body);
  const found = await readMember(body, member);
  if (found === undefined)
    throw new AppError('DESCRIPTOR_INVALID', `the package at ${origin}${pathname} has no file ${member}`, {
      next: 'Correct spec.source.path of the descriptor.',
    });
  return found;
}

async function collect(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of body) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** Decompresses on the way; leaving early closes the connection. */
async function readMember(body: AsyncIterable<Uint8Array>, member: string): Promise<Buffer | undefined> {
  const source = Readable.from(body);
  const archive = createGunzip();
  source.once('error', error => archive.destroy(error));
  archive.once('error', () => source.destroy());
  try {
    return await readTar(source.pipe(archive), member);
  } catch (cause) {
    // Codes of zlib's own failures.
    if (!(cause instanceof Error && 'code' in cause && String(cause.code).startsWith('Z_'))) throw cause;
    throw new AppError('COMPILE_FAILED', 'the package is not compressed as packages are', { next: OFFLINE, cause });
  } finally {
    source.destroy();
    archive.destroy();
  }
}
