/** What the program hands this server: one handler a route, and what each gets and gives. */
import type { Role } from '@weir/contract';

export interface Principal {
  readonly subject: string;
  readonly name: string;
  readonly role: Role;
  readonly by: 'session' | 'bearer';
}

/** Parameters, query and body as the route's schemas read them. */
export interface ApiCall {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly principal: Principal | null;
  readonly lastEventId: string | null;
  readonly signal: AbortSignal;
}

export interface ApiAnswer {
  readonly body: unknown;
  /** Left out, it is made from the body. */
  readonly etag?: string;
  /** The cursor of the page after this one; null at the end. It becomes the Link header and `next` of the body. */
  readonly next?: string | null;
}

/** Throws AppError, which becomes problem+json. */
export type Handler = (call: ApiCall) => Promise<ApiAnswer>;

export interface FeedMessage {
  /** Where the feed resumes after it. */
  readonly id: string;
  readonly event: string;
  readonly data: unknown;
}

export type FeedHandler = (call: ApiCall) => AsyncIterable<FeedMessage>;
