/** An address that a server cannot listen on, as the error of whoever chose it. */
import { AppError } from './app-error.ts';

const UNUSABLE_ADDRESS: ReadonlySet<string> = new Set(['EADDRINUSE', 'EADDRNOTAVAIL', 'EACCES', 'ENOTFOUND']);

export interface ListenPlace {
  readonly host: string;
  readonly port: number;
}

/** @returns CONFIG_INVALID for an address that is taken, unknown or not allowed; anything else as it is, to be thrown. */
export function listenFailure(cause: unknown, { host, port }: ListenPlace, next = 'Choose another port or address.'): unknown {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return UNUSABLE_ADDRESS.has(code) ? new AppError('CONFIG_INVALID', `Nothing can listen on ${host} port ${port} (${code}).`, { next, cause }) : cause;
}
