/** What went wrong on the way to the identity provider and back, said in our words: its own are untrusted but for their codes. */
import { AppError } from '@weir/kernel';
import { HttpFailure } from '@weir/ports';
import { AuthorizationResponseError, ClientError, ResponseBodyError, WWWAuthenticateChallengeError } from 'openid-client';

const MAX_CAUSES = 5;

function httpFailureIn(error: unknown): HttpFailure | undefined {
  let at = error;
  for (let depth = 0; depth < MAX_CAUSES && at instanceof Error; depth += 1) {
    if (at instanceof HttpFailure) return at;
    at = at.cause;
  }
  return undefined;
}

/** RFC 6749 5.2 and OpenID Connect Core 3.1.2.6 name them so. */
const codeOf = (code: string): string => (/^[a-z_]{1,60}$/.test(code) ? code : 'an error of another form');

/** The code of a sign-in is used, or too old; the person begins again. */
const STALE: ReadonlySet<string> = new Set(['invalid_grant', 'expired_token']);

const failed = (sentence: string, cause: unknown): AppError => new AppError('IDENTITY_PROVIDER_FAILED', sentence, { cause });
const refused = (sentence: string, cause: unknown): AppError => new AppError('SIGN_IN_REQUIRED', sentence, { next: 'Sign in again.', cause });

/** @returns undefined for a bug. */
export function signInFailure(error: unknown): AppError | undefined {
  if (error instanceof AppError) return error;
  const http = httpFailureIn(error);
  if (http !== undefined) return failed(`The identity provider is not reached: ${http.message}`, error);
  if (error instanceof AuthorizationResponseError) return refused(`The identity provider has not signed you in: ${codeOf(error.error)}.`, error);
  if (error instanceof ResponseBodyError) {
    return STALE.has(error.error)
      ? refused('This sign-in took too long, or its answer was used before.', error)
      : failed(`The identity provider refuses this server: ${codeOf(error.error)}.`, error);
  }
  if (error instanceof WWWAuthenticateChallengeError) return failed('The identity provider refuses the credentials of this server.', error);
  if (error instanceof ClientError) return refused(`The answer of the identity provider does not hold (${error.code ?? 'no code'}).`, error);
  return undefined;
}
