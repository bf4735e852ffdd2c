/** Who sends a request: by bearer token, else by the session's cookie. A token counts alone, so that a wrong one is never a session. */
import type { ApiRoute } from '@weir/contract';
import { AppError } from '@weir/kernel';
import type { ApiCaller, Identity } from '@weir/ports';
import type { FastifyRequest } from 'fastify';
import { readCookie, sessionCookie } from './cookies.ts';

export interface Caller {
  readonly principal: ApiCaller | null;
  /** Of the session; null without one. */
  readonly secret: string | null;
  /** Asks again, as an open feed does. */
  readonly holds: () => Promise<boolean>;
}

const BEARER = /^Bearer ([\x21-\x7e]{1,500})$/i;

export async function callerOf({ headers }: FastifyRequest, identity: Identity, https: boolean): Promise<Caller> {
  if (headers.authorization !== undefined) {
    const token = BEARER.exec(headers.authorization)?.[1];
    const find = (): Promise<ApiCaller | null> => (token === undefined ? Promise.resolve(null) : identity.bearer(token));
    const principal = await find();
    if (principal === null) throw new AppError('SIGN_IN_REQUIRED', 'The bearer token is unknown, revoked or expired.');
    return { principal, secret: null, holds: async () => (await find()) !== null };
  }
  const secret = readCookie(headers.cookie, sessionCookie(https));
  const find = (): Promise<ApiCaller | null> => (secret === null ? Promise.resolve(null) : identity.session(secret));
  return { principal: await find(), secret, holds: async () => (await find()) !== null };
}

/** Throws AppError SIGN_IN_REQUIRED or ROLE_REQUIRED. An admin may do what a viewer may. */
export function assertRole({ role }: ApiRoute, principal: ApiCaller | null): void {
  if (role === 'anyone') return;
  if (principal === null) throw new AppError('SIGN_IN_REQUIRED', 'This needs a session or a bearer token.');
  if (role === 'admin' && principal.role !== 'admin') throw new AppError('ROLE_REQUIRED', 'This needs the role admin.');
}
