/**
 * Errors inside a 200 of a GraphQL endpoint (PRV-17a). An answer with errors is a failure even where it has data too.
 */
import { type ErrorText, errorTextOf } from './error-text.ts';
import type { FailureKind } from './failure-kind.ts';

const KINDS: Readonly<Record<string, FailureKind>> = {
  rate_limited: 'RateLimited',
  rate_limit: 'RateLimited',
  not_found: 'NotFound',
  forbidden: 'Forbidden',
  insufficient_scopes: 'Forbidden',
  unauthenticated: 'Unauthorized',
  max_node_limit_exceeded: 'BoundExceeded',
  service_unavailable: 'Unavailable',
  internal: 'Unavailable',
};

const MAX_ERRORS = 20;

/** The kind and text of the errors; undefined for an answer without any. */
export const readGraphqlErrors = (value: unknown): { readonly kind: FailureKind; readonly text: ErrorText } | undefined => {
  if (typeof value !== 'object' || value === null || !('errors' in value)) return undefined;
  const { errors } = value;
  if (!Array.isArray(errors) || errors.length === 0) return undefined;
  const text = errorTextOf({ errors: errors.slice(0, MAX_ERRORS) });
  const code = [...text.codes].find(one => Object.hasOwn(KINDS, one));
  const limited = /secondary rate limit|rate limit exceeded/i.test(text.message);
  return { kind: code === undefined ? (limited ? 'RateLimited' : 'Unprocessable') : (KINDS[code] ?? 'Unprocessable'), text };
};
