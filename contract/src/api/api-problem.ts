/** Failures as the API answers them: problem+json (RFC 9457) with a code of `ERRORS`, and the status of HTTP of each code. */
import { z } from 'zod';
import { ERRORS, EXIT, type ErrorCode } from '../errors.ts';

export const ApiProblem = z.strictObject({
  /** Address of the code's paragraph in the documentation. */
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  detail: z.string(),
  code: z.enum(Object.keys(ERRORS) as ErrorCode[]),
  /** What to do next, in one sentence. */
  next: z.string(),
});
export type ApiProblem = z.infer<typeof ApiProblem>;

const STATUS: Partial<Readonly<Record<ErrorCode, number>>> = {
  REQUEST_INVALID: 400,
  NOT_SIGNED_IN: 401,
  ROLE_INSUFFICIENT: 403,
  RESOURCE_UNKNOWN: 404,
  COMMAND_REFUSED: 409,
  IDEMPOTENCY_KEY_REUSED: 422,
  USAGE: 400,
  INPUT_TOO_LARGE: 413,
  REGISTRATION_INVALID: 422,
  FORGE_NOT_FOUND: 404,
  FORGE_BOUND_EXCEEDED: 422,
  NOT_AVAILABLE: 501,
  DATABASE_UNAVAILABLE: 503,
  DATABASE_CONFLICT: 503,
  KAFKA_UNAVAILABLE: 503,
};

/** 502 for what another server did, 500 for the rest that has no status of its own. */
export const apiStatus = (code: ErrorCode): number => STATUS[code] ?? (ERRORS[code].exit === EXIT.upstream ? 502 : 500);
