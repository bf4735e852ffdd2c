/** What this server needs of the program: who may deliver, and a durable place for what was delivered. It holds no token of a forge (REV-10). */

export interface HookAttempt {
  /** The last part of the address, as it came. */
  readonly registration: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A delivery whose body is still to come. */
export interface OpenDelivery {
  /** The bytes as they arrive, for the signature. */
  update(bytes: Uint8Array): void;
  /**
   * After the last byte. True when the delivery is durably stored, or needs no storing; false when it is not signed by whom it should be.
   * Throws AppError with retry `later` when the store is away.
   */
  accept(body: Uint8Array): Promise<boolean>;
}

export interface IngressDoor {
  /** Before a byte of the body is read; `unknown_hook` and `not_signed` end it there. Throws as `accept`. */
  open(attempt: HookAttempt): Promise<OpenDelivery | 'unknown_hook' | 'not_signed'>;
}
