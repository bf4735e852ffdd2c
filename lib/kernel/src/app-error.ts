import { ERRORS, type ErrorCode } from '@weir/contract';

export interface AppErrorDetail {
  /** Seconds until a retry may succeed, where the other side said so. */
  readonly retryAfterSeconds?: number;
  /** What the person does next; replaces the general advice of the code. */
  readonly next?: string;
  readonly cause?: unknown;
}

/**
 * A failure with a name (10-house 2.5, kind b). Adapters classify once and throw this; the edge prints
 * `error[CODE]: sentence` and what to do next. Anything else that is thrown is a bug.
 */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly next: string;
  readonly retry: 'never' | 'later';
  readonly retryAfterSeconds: number | undefined;

  /** @param message one sentence for people; never holds a secret. */
  constructor(code: ErrorCode, message: string, detail: AppErrorDetail = {}) {
    super(message, detail.cause === undefined ? undefined : { cause: detail.cause });
    this.code = code;
    this.next = detail.next ?? ERRORS[code].next;
    this.retry = ERRORS[code].retry;
    this.retryAfterSeconds = detail.retryAfterSeconds;
  }
}
