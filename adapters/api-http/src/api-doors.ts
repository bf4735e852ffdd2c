/** What this server needs besides handlers: who somebody is, and a durable place for the answers of writes. It stores nothing itself. */
import type { Principal } from './handler.ts';

/** The way to the identity provider and back. */
export interface ProviderSignIn {
  /** `flow` goes into a cookie and comes back to `finish`. */
  begin(): Promise<{ readonly location: string; readonly flow: string }>;
  /** @returns the secret of a new session. Throws AppError SIGN_IN_REQUIRED or ROLE_REQUIRED. */
  finish(back: { readonly query: string; readonly flow: string }): Promise<string>;
}

export interface IdentityDoor {
  session(secret: string): Promise<Principal | null>;
  bearer(token: string): Promise<Principal | null>;
  signOut(secret: string): Promise<void>;
  /** Uses a one-time link up. @returns the secret of a new session; null for a link that is unknown, used or too old. */
  useLink(secret: string): Promise<string | null>;
  /** Left out where no identity provider is set. */
  readonly provider?: ProviderSignIn;
}

export interface WriteClaim {
  readonly subject: string;
  readonly key: string;
  /** Of the route and the body. */
  readonly fingerprint: string;
}

export interface StoredAnswer {
  readonly status: number;
  readonly body: string;
}

/** Answers of writes by Idempotency-Key, shared by all processes. */
export interface AnswerStore {
  /** `new` is claimed for this caller until `keep` or `release`. */
  claim(claim: WriteClaim): Promise<'new' | 'other_request' | 'under_way' | StoredAnswer>;
  keep(claim: WriteClaim, answer: StoredAnswer): Promise<void>;
  release(claim: WriteClaim): Promise<void>;
}
