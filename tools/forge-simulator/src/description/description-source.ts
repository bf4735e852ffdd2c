/** Where a forge's description comes from: the published file when it is at hand, facts of this package when not. */
export interface DescriptionSource {
  /** Folder and file below the specs folder. */
  readonly file: string;
  readonly format: 'openapi' | 'swagger';
  /** Prefix of the description's paths that the server strips. */
  readonly prefix: string;
  /** Path values that may hold slashes, by name, where the description does not flag them. */
  readonly multiSegment: readonly string[];
  /** Query parameters that the vendor takes everywhere and its description leaves out. */
  readonly alwaysAllowed: readonly string[];
  /** Body fields that the description demands and the vendor does not. */
  readonly neverRequired?: readonly string[];
  /** The vendor takes a list also as one text with commas, in JSON, too. */
  readonly listsAsText?: boolean;
  /** Operations of the product by hand: used alone without the file, and added where the file lacks them. */
  readonly facts: string;
  /** Facts that beat the description, where the description is known to be wrong. */
  readonly corrections: string;
}
