/** Who somebody is, and the answers that writes have had: what the door of the API asks, and what a store or an identity provider answers. */
import type { ApiCaller } from './api.port.ts';

/** Who the callers are; `by` says how it was proven. */
export interface Identity {
  /** By the secret of a session; null for one that is unknown or has ended. */
  session(secret: string): Promise<ApiCaller | null>;
  /** By a bearer token; null for one that is unknown, revoked or expired. */
  bearer(token: string): Promise<ApiCaller | null>;
  signOut(secret: string): Promise<void>;
  /** Uses a one-time link up. @returns the secret of a new session; null for a link that is unknown, used or too old. */
  useLink(secret: string): Promise<string | null>;
}

/** The way to the identity provider and back. */
export interface ProviderSignIn {
  /**
   * @param callback the address, as the browser sees this server, that the provider sends it back to
   * @returns where to send the browser, and a `flow` that goes into a cookie and comes back to `finish`
   * Throws AppError IDENTITY_PROVIDER_FAILED.
   */
  begin(callback: string): Promise<{ readonly location: string; readonly flow: string }>;
  /**
   * @param back `query` is what the provider added to the callback
   * @returns the secret of a new session
   * Throws AppError SIGN_IN_REQUIRED, ROLE_REQUIRED or IDENTITY_PROVIDER_FAILED.
   */
  finish(back: { readonly callback: string; readonly query: string; readonly flow: string }): Promise<string>;
}

export interface KeyedRequest {
  readonly subject: string;
  readonly key: string;
  /** Of the route and the body: a key is bound to its first request. */
  readonly fingerprint: string;
}

export interface KeptAnswer {
  readonly status: number;
  readonly body: string;
}

/** Answers of writes by Idempotency-Key, shared by all processes. */
export interface AnswerStore {
  /** `new` is claimed for this caller until `keep` or `release`. */
  claim(request: KeyedRequest): Promise<'new' | 'other_request' | 'under_way' | KeptAnswer>;
  keep(request: KeyedRequest, answer: KeptAnswer): Promise<void>;
  release(request: KeyedRequest): Promise<void>;
}
