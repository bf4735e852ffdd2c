/** What a person has said of a row of the inbox that they know of. */
export interface Acknowledgement {
  /** Kind and subject of the row. */
  readonly kind: string;
  readonly subject: string | null;
  /** The newest cause that they knew of, in the form of the events: a later one brings the row back. */
  readonly until: string;
  readonly by: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Throws the failures of SqlPort. */
export interface Acknowledgements {
  /** One for each kind and subject: the newest cause stays. */
  save(acknowledgement: Acknowledgement): Promise<void>;
  /** At most 1,000, the newest first. */
  list(): Promise<readonly Acknowledgement[]>;
}
