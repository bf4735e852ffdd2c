/**
 * Why a call brought no answer, as a value inside the engine and as an error at its edge.
 */
import type { ErrorCode } from '@weir/contract';
import { AppError } from '@weir/kernel';
import type { ArgumentProblem, FailureKind, ResponseFailure } from '@weir/operation-table';

/** `Denied`: our own policy's no. `Arguments`: nothing was sent. `UrlRefused`: the way out does not lead there. */
export type ProviderFailureKind = FailureKind | 'Denied' | 'Arguments' | 'UnknownOperation' | 'UrlRefused';

export interface ProviderFailure {
  readonly kind: ProviderFailureKind;
  /** One bounded line; never holds a credential. */
  readonly message: string;
  readonly hint?: string;
  readonly status?: number;
  readonly requestId?: string;
  readonly retryAfterMs?: number;
  /** May the same call succeed later? Says nothing of whether repeating it is safe. */
  readonly retry: 'never' | 'later';
}

export type Outcome<Value> = { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly failure: ProviderFailure };

const CODES: Readonly<Record<ProviderFailureKind, ErrorCode>> = {
  RateLimited: 'FORGE_RATE_LIMITED',
  NotFound: 'FORGE_NOT_FOUND',
  Conflict: 'FORGE_CONFLICT',
  Unprocessable: 'FORGE_UNPROCESSABLE',
  Unauthorized: 'FORGE_UNAUTHORIZED',
  Forbidden: 'FORGE_FORBIDDEN',
  Deprecated: 'FORGE_DEPRECATED',
  BoundExceeded: 'FORGE_BOUND_EXCEEDED',
  Unavailable: 'FORGE_UNAVAILABLE',
  Denied: 'FORGE_DENIED',
  Arguments: 'ARGUMENTS_INVALID',
  UnknownOperation: 'OPERATION_UNKNOWN',
  UrlRefused: 'URL_REFUSED',
};

/** What `call` and `pages` throw: an AppError that also tells what the provider said. */
export class ProviderError extends AppError {
  readonly kind: ProviderFailureKind;
  readonly status: number | undefined;
  readonly requestId: string | undefined;
  /** As the failure says, which may differ from the general rule of its code. */
  override readonly retry: 'never' | 'later';

  constructor(subject: string, { kind, message, hint, status, requestId, retryAfterMs, retry }: ProviderFailure) {
    const request = requestId === undefined ? '' : ` (request ${requestId})`;
    super(CODES[kind], `${subject}: ${message}${request}`, {
      ...(hint === undefined ? {} : { next: hint }),
      ...(retryAfterMs === undefined ? {} : { retryAfterSeconds: Math.ceil(retryAfterMs / 1_000) }),
    });
    this.kind = kind;
    this.status = status;
    this.requestId = requestId;
    this.retry = retry;
  }
}

export const failed = (
  kind: ProviderFailureKind,
  message: string,
  more: Partial<ProviderFailure> = {},
): { readonly ok: false; readonly failure: ProviderFailure } => ({
  ok: false,
  failure: { kind, message, retry: 'never', ...more },
});

/** What the vendor refused, without the members that are not there. */
export const failureOf = ({ kind, message, hint, status, requestId, retryAfterMs, retry }: ResponseFailure): ProviderFailure => ({
  ...{ kind, message, hint, status, retry },
  ...(requestId === undefined ? {} : { requestId }),
  ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
});

/** Every problem of the arguments in one line, each with the name that was probably meant. */
export const argumentsFailure = (problems: readonly ArgumentProblem[]): { readonly ok: false; readonly failure: ProviderFailure } =>
  failed(
    'Arguments',
    problems.map(({ argument, reason, suggestion }) => `${argument} ${reason}${suggestion === undefined ? '' : ` (did you mean ${suggestion}?)`}`).join('; '),
  );

/** The value, or the failure as an error that names the provider and the operation. */
export const orThrow = <Value>(subject: string, outcome: Outcome<Value>): Value => {
  if (outcome.ok) return outcome.value;
  throw new ProviderError(subject, outcome.failure);
};
