export interface EtagKey {
  readonly provider: string;
  /** A name or a digest of the credential, never the credential itself: answers differ by what it may see. */
  readonly credential: string;
  /** The whole URL with its query. */
  readonly url: string;
  /** The media type that was asked for; the same URL answers differently. */
  readonly accept: string;
}

export interface EtagEntry {
  readonly etag: string;
  readonly status: number;
  /** Lower-case names: those that a reader of the answer needs (`link`, `content-type`). */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** Bounds of a store: what was used longest ago goes first. */
export interface EtagBounds {
  readonly maxEntries: number;
  /** Of all bodies together. */
  readonly maxBytes: number;
  /** Of one body; a larger one is not kept. */
  readonly maxEntryBytes: number;
}

/**
 * Answers to conditional GETs (PRV-14), kept by credential, bounded. Losing an entry costs a call and nothing else.
 * Diffs are never stored (REV-12): the caller does not put them here.
 */
export interface EtagStore {
  get(key: EtagKey): Promise<EtagEntry | undefined>;
  /** Replaces what was there. @returns false when the body is larger than an entry may be; what was there is then dropped. */
  put(key: EtagKey, entry: EtagEntry): Promise<boolean>;
  /** Drops everything of a credential that is gone. */
  forget(credential: Pick<EtagKey, 'provider' | 'credential'>): Promise<void>;
}
