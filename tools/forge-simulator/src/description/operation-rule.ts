/** One operation of a published description, reduced to what a request is checked against. */
export interface Schema {
  readonly [key: string]: unknown;
}

export interface ParameterRule {
  readonly name: string;
  readonly required: boolean;
  readonly schema: Schema;
}

export interface OperationRule {
  readonly id: string;
  readonly method: string;
  readonly template: string;
  readonly path: readonly ParameterRule[];
  readonly query: readonly ParameterRule[];
  readonly body: { readonly required: boolean; readonly types: readonly string[]; readonly schema: Schema } | null;
  /** Turns `$ref` into the schema that it names. */
  readonly resolve: (reference: string) => Schema;
}
