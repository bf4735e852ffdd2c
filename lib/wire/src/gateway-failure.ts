/**
 * Why a call ends without an answer: a code of ours, one sentence for people, and the class that decides what the
 * client's protocol makes of it (MOD-15).
 */

/**
 * `permanent`: the same request fails again. `invalid_key`: the client's own key. `transient`: the same request may
 * succeed later. The others are what they say.
 */
export type FailureClass = 'permanent' | 'not_found' | 'invalid_key' | 'quota' | 'context' | 'too_large' | 'rate_limited' | 'transient';

export interface GatewayFailure {
  readonly code: string;
  /** Never holds a secret or a payload. */
  readonly message: string;
  readonly class: FailureClass;
  /** Seconds until a retry may succeed, where that is known. */
  readonly retryAfterSeconds?: number;
}

/** Thrown by decoders and encoders inside this package, and turned into a GatewayFailure at its door. */
export class RequestProblem extends Error {
  override readonly name = 'RequestProblem';
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

export const permanent = (code: string, message: string): GatewayFailure => ({ code, message, class: 'permanent' });
export const transient = (code: string, message: string): GatewayFailure => ({ code, message, class: 'transient' });
