/**
 * Arguments after the check: each value at its place, in the row's order. Only `checkArguments` makes one.
 */
import type { OperationParameter } from './operation-row.ts';

export interface ParameterValue {
  readonly parameter: OperationParameter;
  readonly value: unknown;
}

export type CheckedBody =
  | { readonly kind: 'none' }
  /** Fields in the row's order, then those that an open body allows, in the caller's order. */
  | { readonly kind: 'fields'; readonly fields: readonly (readonly [name: string, value: unknown])[] }
  | { readonly kind: 'whole'; readonly value: unknown };

export interface CheckedArguments {
  /** By parameter name; every placeholder of the path has one, but for an empty tail. */
  readonly path: ReadonlyMap<string, unknown>;
  readonly query: readonly ParameterValue[];
  readonly headers: readonly ParameterValue[];
  readonly body: CheckedBody;
}
