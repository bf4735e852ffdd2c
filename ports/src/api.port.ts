import type { Role } from '@weir/contract';

/** Who calls the API, proven by a session or a token. */
export interface ApiCaller {
  readonly subject: string;
  readonly name: string;
  readonly role: Role;
  readonly by: 'session' | 'bearer';
}

/** A request that its route's schemas have read: `params`, `query` and `body` are what they made of it. */
export interface ApiCall {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  /** Null only on a route for anyone. */
  readonly principal: ApiCaller | null;
  /** Of a feed that goes on. */
  readonly lastEventId: string | null;
  readonly signal: AbortSignal;
}

export interface ApiAnswer {
  readonly body: unknown;
  /** Without quotes. */
  readonly etag?: string;
  /** Cursor of the next page, for the Link header. */
  readonly next?: string | null;
}

/** Throws AppError, which becomes a problem with its code; anything else is a bug. */
export type ApiHandler = (call: ApiCall) => Promise<ApiAnswer>;

export interface ApiFeedEvent {
  /** Place in the log. */
  readonly id: string;
  readonly event: string;
  readonly data: unknown;
}

/** Ends when the signal of the call is aborted. */
export type ApiFeed = (call: ApiCall) => AsyncIterable<ApiFeedEvent>;
