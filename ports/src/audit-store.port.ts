interface AuditSubject {
  /** Who caused the call: a person, a service, a run. */
  readonly actor: string;
  readonly provider: string;
  readonly capability: string;
  readonly operation: string;
  /** sha256 of the canonical request, hex: the arguments themselves never enter the log. */
  readonly argsDigest: string;
  /** ISO 8601. */
  readonly at: string;
}

/** Written before the call is sent; a call whose intent cannot be written is not sent. */
export interface AuditIntent extends AuditSubject {
  readonly kind: 'intent';
  /** The signed receipt; null where the policy asks for none. */
  readonly receipt: string | null;
}

/** Written after the call. An intent without one is a call whose end nobody saw. */
export interface AuditOutcome extends AuditSubject {
  readonly kind: 'outcome';
  /** Sequence of the intent. */
  readonly intent: number;
  readonly result: 'succeeded' | 'failed' | 'unknown';
  /** HTTP status; null when no answer came. */
  readonly status: number | null;
}

export type AuditEntry = AuditIntent | AuditOutcome;

export interface AuditLine {
  /** From 1, without gaps. */
  readonly sequence: number;
  /** The entry as canonical JSON (`auditText`), exactly as it was hashed. */
  readonly text: string;
  /** sha256 of the line with its place and its predecessor, hex (`auditLink`). */
  readonly hash: string;
}

/**
 * The append-only, hash-chained log of provider calls (PRV-18). One chain for all processes; an append is durable when it
 * resolves. The SQL store throws the failures of SqlPort; a lost connection leaves open whether the line is there.
 */
export interface AuditStore {
  append(entry: AuditEntry): Promise<AuditLine>;
  /** Lines after a sequence, in order; from the start with 0. */
  read(after: number, limit: number): Promise<readonly AuditLine[]>;
}
