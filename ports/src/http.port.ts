export interface HttpRequest {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Milliseconds until the response headers; name resolution, connection and redirects are inside. */
  readonly firstByteTimeoutMs: number;
  /** Milliseconds without a byte of the body. */
  readonly idleTimeoutMs: number;
  /** Bytes of the response body that are read at most. */
  readonly maxBytes: number;
}

export interface HttpResponse {
  /** A redirect that the rules do not follow arrives here as it is, with its 3xx status. */
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * The body as it arrives; can be read once. Throws HttpFailure (`timeout`, `too_large`, `unreachable` when it is cut).
   * Reading to the end or leaving the loop frees the connection; a body that nobody reads is closed after the idle time.
   */
  readonly body: AsyncIterable<Uint8Array>;
}

/** Why a request brought no response. `refused` is the URL guard's no; the others may pass. */
export class HttpFailure extends Error {
  override readonly name = 'HttpFailure';
  readonly kind: 'refused' | 'unreachable' | 'timeout' | 'too_large';
  /** @param message what happened and what to do next; names origins, never paths, queries or headers. */
  constructor(kind: HttpFailure['kind'], message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.kind = kind;
  }
}

/**
 * The one way out (REV-40): https only, no private or link-local address after resolution, redirects checked again and
 * never carrying credentials to another origin; an allow-list row opens one origin. Throws HttpFailure. Aborting the
 * signal closes the connection in every phase and rejects with the signal's reason, in the body too.
 */
export interface HttpPort {
  send(request: HttpRequest, signal: AbortSignal): Promise<HttpResponse>;
}
