/**
 * The closed list of failures of a call (PRV-9), the statuses that mean them, and what a person does next.
 */

export type FailureKind =
  | 'RateLimited'
  | 'NotFound'
  | 'Conflict'
  | 'Unprocessable'
  | 'Unauthorized'
  | 'Forbidden'
  | 'Deprecated'
  | 'BoundExceeded'
  | 'Unavailable';

/** Statuses not named here: `Unprocessable` under 500, else `Unavailable`. 405 and 406 depend on the method. */
export const FAILURE_KINDS: Readonly<Record<number, FailureKind>> = {
  401: 'Unauthorized',
  402: 'Forbidden',
  403: 'Forbidden',
  404: 'NotFound',
  407: 'Unauthorized',
  408: 'Unavailable',
  409: 'Conflict',
  410: 'NotFound',
  412: 'Conflict',
  413: 'BoundExceeded',
  414: 'BoundExceeded',
  423: 'Conflict',
  424: 'Conflict',
  425: 'Unavailable',
  429: 'RateLimited',
  431: 'BoundExceeded',
  451: 'Forbidden',
};

const HINTS: Readonly<Record<FailureKind, string>> = {
  RateLimited: 'Wait until the named time; if it recurs, lower the rate in the descriptor or use an app credential.',
  NotFound: 'It does not exist, or the credential may not see it: providers answer 404 for both. Check the name and the scopes.',
  Conflict: 'The state on the other side has changed or does not allow it: read it again, then decide.',
  Unprocessable: 'The provider refuses the content: correct what its message names.',
  Unauthorized: 'The credential is missing, wrong, expired or revoked: set a new one.',
  Forbidden: 'The credential is valid but may not do this: check its scopes, the role of its owner and the policy of the organisation.',
  Deprecated: 'The operation or the version of the API has ended: move the pin of the provider and compile again.',
  BoundExceeded: 'It is larger than one call may be: ask for it in parts, for a diff by the paged list of files. Repeating it does not help.',
  Unavailable: 'The provider or a proxy in front of it failed: try later, and check the base URL if every call fails.',
};

const HINTS_BY_STATUS: Readonly<Record<number, string>> = {
  406: 'The provider can not answer in the asked media type: check the Accept header, or ask another operation.',
  407: 'A proxy in front of the provider asks for a credential: check the network settings.',
  415: 'The provider does not take this content type for this operation.',
  501: 'The provider does not offer this operation: check the version of the product.',
};

/** One sentence or two on what to do next. */
export const hintFor = (kind: FailureKind, status: number): string => (kind === 'BoundExceeded' ? HINTS[kind] : (HINTS_BY_STATUS[status] ?? HINTS[kind]));
