/**
 * Why a call is refused before a socket opens, in words and as a closed code.
 */

export type ProblemCode =
  | 'missing'
  | 'unknown'
  | 'twice'
  | 'type'
  | 'enum'
  | 'range'
  | 'slash'
  | 'character'
  | 'too-large'
  | 'credential'
  /** The row, not the argument, asks for something that the executor can't build. */
  | 'row'
  /** The target (base URL, static headers, content type) is wrong. */
  | 'target';

export interface ArgumentProblem {
  /** Name as the caller wrote it; for a missing one, as the row has it. */
  readonly argument: string;
  readonly code: ProblemCode;
  /** One sentence without the value, which may be a secret. */
  readonly reason: string;
  /** The name or the value that was probably meant. */
  readonly suggestion?: string;
}

/** Control characters of ASCII and Latin-1, line feeds among them. */
export const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

/** A half of a surrogate pair without the other: it has no UTF-8 form, and `encodeURIComponent` throws on it. */
export const LONE_SURROGATE = /\p{Surrogate}/u;
