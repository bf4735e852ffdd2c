export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Milliseconds until the response headers. */
  readonly firstByteTimeoutMs: number;
  /** Milliseconds without a byte of the body. */
  readonly idleTimeoutMs: number;
  /** Bytes of the response body that are read at most. */
  readonly maxBytes: number;
}

export interface HttpResponse {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** Why a request brought no response. `refused` is the URL guard's no; the others may pass. */
export class HttpFailure extends Error {
  override readonly name = 'HttpFailure';
  readonly kind: 'refused' | 'unreachable' | 'timeout' | 'too_large';
  constructor(kind: HttpFailure['kind'], message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.kind = kind;
  }
}

/**
 * The one way out (REV-40): https only, no private or link-local address after resolution, redirects checked again and
 * never carrying credentials to another origin; an allow-list row opens one origin. Throws HttpFailure.
 */
export interface HttpPort {
  send(request: HttpRequest, signal: AbortSignal): Promise<HttpResponse>;
}
