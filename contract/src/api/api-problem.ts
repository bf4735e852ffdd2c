/** Failures as the API answers them: problem+json (RFC 9457) with a code of `ERRORS`. */
import { z } from 'zod';
import { ERRORS, type ErrorCode } from '../errors.ts';

export const ApiProblem = z.strictObject({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  detail: z.string(),
  /** Null: a bug of the server. */
  code: z.enum(Object.keys(ERRORS) as ErrorCode[]).nullable(),
  /** What to do next, in one sentence. */
  next: z.string(),
});
export type ApiProblem = z.infer<typeof ApiProblem>;
