/** What the stores take from outside, so that tests hold the time. */
export interface StoreSources {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** A text that nobody else makes, for a lease. */
  readonly newId: () => string;
}
