/** What an artifact holds: a context, a round's report with its texts, an answer of a model, a person's own finding or reason. */
export const ARTIFACT_KINDS = ['context', 'report', 'answer', 'finding', 'reason'] as const;
export type ArtifactKind = (typeof ARTIFACT_KINDS)[number];

export interface Artifact {
  /** Chosen by the writer, so that a repeat writes the same one: `<review>/<round>/<attempt>/context`. At most 255 characters. */
  readonly id: string;
  readonly reviewId: string;
  readonly kind: ArtifactKind;
  /** JSON or text; encrypted at rest, bound to its id (REV-39). At most `MAX_ARTIFACT_BYTES`. */
  readonly text: string;
  /** When it may be deleted, in milliseconds since 1970; null to keep it as long as its review. */
  readonly expiresAt: number | null;
}

/** Bytes of the text of one artifact. */
export const MAX_ARTIFACT_BYTES = 16 * 1024 * 1024;

/** Payloads that can quote source (REV-13, REV-39). Throws the failures of SqlPort and of SecretBox; INPUT_TOO_LARGE for a text above the limit. */
export interface ArtifactStore {
  /** Written again under the same id, the first text stays. */
  put(artifact: Artifact): Promise<void>;
  /** Undefined where it never was or has expired. */
  get(id: string): Promise<Artifact | undefined>;
  /** Deletes what has expired before the moment, at most `limit`. @returns how many. */
  sweep(moment: number, limit: number): Promise<number>;
}
