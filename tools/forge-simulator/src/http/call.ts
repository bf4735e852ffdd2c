/** One request as a route sees it, and what a route answers. */
import type { Account } from '../state/account.ts';
import type { Fields } from './fields.ts';

export interface Call {
  readonly method: string;
  /** The whole URL as the client asked for it. */
  readonly url: URL;
  /** The path below the API's prefix, still percent-encoded. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
  readonly raw: Buffer;
  /** The parsed body: JSON, a form read into an object, or undefined. */
  readonly body: unknown;
  readonly fields: Fields;
  /** Path values by name, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly account: Account | null;
}

export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Printed as JSON. */
  readonly body?: unknown;
  /** Sent as it is; beats `body`. */
  readonly raw?: Buffer | string;
  readonly type?: string;
  /** A list that the forge pages in its own way; `wrap` puts one page into an envelope. */
  readonly list?: { readonly items: readonly unknown[]; readonly wrap?: (page: readonly unknown[], total: number) => unknown };
}

export type Handler = (call: Call) => Answer | Promise<Answer>;
export type RouteTable = Readonly<Record<string, Handler>>;

/** A refusal that ends the handling of a request: thrown by any step, turned into its answer by the server. */
export class Refusal extends Error {
  readonly answer: Answer;

  constructor(answer: Answer) {
    super(`refused with ${answer.status}`);
    this.answer = answer;
  }
}

export const json = (body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Answer => ({ status, body, headers });
export const list = (items: readonly unknown[], wrap?: (page: readonly unknown[], total: number) => unknown): Answer => ({
  status: 200,
  list: wrap ? { items, wrap } : { items },
});
export const empty = (status = 204): Answer => ({ status });
export const text = (raw: Buffer | string, type = 'text/plain; charset=utf-8'): Answer => ({ status: 200, raw, type });
export const redirect = (location: string, status = 302): Answer => ({ status, headers: { location } });
