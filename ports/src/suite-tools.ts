/** The test functions that a suite is given, so that this room needs no test runner. Vitest's `test` and `expect` fit. */

interface Expectation {
  toBe(expected: unknown): void;
  toEqual(expected: unknown): void;
}

export interface SuiteTools {
  test(title: string, run: () => Promise<void>): void;
  expect(value: unknown, message?: string): Expectation;
}

/** The code of the AppError that the work rejects with; `none` when it resolves, `unnamed` for any other error. */
export async function failureCode(work: Promise<unknown>): Promise<unknown> {
  const error: unknown = await work.then(
    () => ({ code: 'none' }),
    (failure: unknown) => failure,
  );
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : 'unnamed';
}

/** The message of the error that the work rejects with; empty when it resolves. */
export async function failureMessage(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => '',
    (failure: unknown) => (failure instanceof Error ? failure.message : String(failure)),
  );
}

/** The name of the error that the work rejects with or throws; `none` when it resolves. */
export async function failureName(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'none',
    (failure: unknown) => (failure instanceof Error ? failure.name : String(failure)),
  );
}
