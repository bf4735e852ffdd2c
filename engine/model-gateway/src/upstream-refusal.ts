/** Why an upstream brought no answer: what the client gets, and what the charge and an operator need to know. */
import type { CredentialPick, HttpFailure } from '@weir/ports';
import { type GatewayFailure, isObject, parseJson, permanent, statusFailure, transient } from '@weir/wire';
import { retryAfterSeconds } from './retry-after.ts';

export interface UpstreamReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Text of the body or its beginning, without the credential. */
  readonly body: string;
}

/** `status`: it answered with a fault. `transport`: it did not answer, or its address is refused. `unsent`: nobody was asked. */
export type RefusalReason =
  | { readonly kind: 'status'; readonly reply: UpstreamReply }
  | { readonly kind: 'transport'; readonly error: HttpFailure }
  | { readonly kind: 'unsent' };

export interface UpstreamRefusal {
  readonly failure: GatewayFailure;
  readonly reason: RefusalReason;
  readonly credentialRef: string | null;
}

/** A refusal in the protocol's own form is the vendor's word that it served nothing; a page of some proxy is not. */
export function servedNothing({ reason }: UpstreamRefusal): boolean {
  if (reason.kind === 'transport') return reason.error.kind === 'refused';
  return reason.kind === 'unsent' || isObject(parseJson(reason.reply.body));
}

export function statusRefusal(reply: UpstreamReply, credentialRef: string | null, now: number): UpstreamRefusal {
  const wait = retryAfterSeconds(reply.headers, now);
  const { status, body } = reply;
  const failure = status < 400 ? redirected(status) : statusFailure({ status, body, ...(wait === undefined ? {} : { retryAfterSeconds: wait }) });
  return { failure, reason: { kind: 'status', reply }, credentialRef };
}

const redirected = (status: number): GatewayFailure =>
  permanent('upstream_redirects', `The model provider answers ${status}: it wants to be asked at another address.`);

const OF_TRANSPORT: Readonly<Record<HttpFailure['kind'], GatewayFailure>> = {
  refused: permanent('address_refused', "The address of the model provider is not allowed. Allow its origin in the operator's settings."),
  unreachable: transient('upstream_unreachable', 'The model provider cannot be reached.'),
  timeout: transient('upstream_timeout', 'The model provider did not answer in time.'),
  too_large: transient('upstream_too_large', 'The model provider answers with more than is read.'),
};

/** The sentences name no origin: a client has no business with where a route leads. */
export const transportFailure = ({ kind }: HttpFailure): GatewayFailure => OF_TRANSPORT[kind];

export const transportRefusal = (error: HttpFailure, credentialRef: string | null): UpstreamRefusal => ({
  failure: transportFailure(error),
  reason: { kind: 'transport', error },
  credentialRef,
});

/** The circuit is open. */
export const sparedRefusal = (waitMs: number): UpstreamRefusal => ({
  failure: {
    ...transient('upstream_resting', 'The model provider failed several times in a row and is not asked for a while.'),
    retryAfterSeconds: waitMs / 1_000,
  },
  reason: { kind: 'unsent' },
  credentialRef: null,
});

/** A client that is told to wait longer hangs instead of failing: for it the pool has nothing left. */
const LONGEST_CLIENT_WAIT_MS = 300_000;

/** The pool has no credential to give. */
export function poolRefusal({ reason, returnsAt }: Extract<CredentialPick, { available: false }>, now: number): UpstreamRefusal {
  const failure: GatewayFailure =
    reason === 'rate_limited' && returnsAt !== null
      ? {
          code: 'credentials_exhausted',
          class: returnsAt - now > LONGEST_CLIENT_WAIT_MS ? 'quota' : 'rate_limited',
          message: `All credentials of this model provider are limited until ${new Date(returnsAt).toISOString()}.`,
          retryAfterSeconds: Math.max(1, (returnsAt - now) / 1_000),
        }
      : permanent(
          'provider_auth',
          reason === 'none' ? 'The model provider of this route has no credential.' : 'The model provider refuses the credentials of this route.',
        );
  return { failure, reason: { kind: 'unsent' }, credentialRef: null };
}
