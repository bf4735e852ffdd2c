/**
 * The cases that hold the executor to a row (PRV-25), as data: what goes in, and what has to come out.
 */
import type { ProblemCode } from './argument-problem.ts';
import type { FailureKind } from './failure-kind.ts';
import type { OperationRow } from './operation-row.ts';

interface CaseBase {
  /** Unique in its row. */
  readonly name: string;
  readonly kind: 'positive' | 'negative' | 'boundary';
}

export interface ExpectedRequest {
  readonly method: OperationRow['method'];
  /** Path with its first slash, without the base. */
  readonly path: string;
  /** Query without the question mark; empty where there is none. */
  readonly query: string;
  /** Headers that come from arguments. */
  readonly headers: Readonly<Record<string, string>>;
  /** Fields of the body in order; undefined where there is no body or it is no object. */
  readonly fields?: Readonly<Record<string, unknown>>;
}

export interface ExpectedProblem {
  readonly argument: string;
  readonly code: ProblemCode;
  /** The name that was meant, where the case says one. */
  readonly suggestion?: string;
}

export type Args = Readonly<Record<string, unknown>>;

export type ContractCase =
  | (CaseBase & { readonly args: Args; readonly request: ExpectedRequest })
  | (CaseBase & { readonly args: Args; readonly problem: ExpectedProblem })
  | (CaseBase & {
      readonly response: { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly bodyText: string };
      readonly outcome: { readonly kind: FailureKind | 'ok'; readonly retryAfterMs?: number; readonly deprecated?: boolean };
    })
  | (CaseBase & { readonly page: { readonly entries: number; readonly fullPage: number }; readonly next: 'last' | 'more' });
