/** What is wrong with a request when it is held against the forge's published description. */
export type ProblemKind =
  | 'unknown-operation'
  | 'not-simulated'
  | 'unknown-query'
  | 'missing-query'
  | 'bad-query'
  | 'bad-path'
  | 'content-type'
  | 'missing-body'
  | 'missing-field'
  | 'bad-field'
  | 'unknown-field'
  | 'header'
  | 'credential';

export interface Problem {
  readonly kind: ProblemKind;
  /** The parameter or the field's path, such as `comments[0].line`. */
  readonly place: string;
  readonly detail: string;
}
