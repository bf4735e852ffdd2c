/** Turns what `pg` throws into the port's failures. What the server says is read by its SQL state, everything else is the connection. */
import { AppError } from '@weir/kernel';
import { type SqlFailureCode, sqlFailure } from '@weir/ports';
import pg from 'pg';

export const failure = (code: SqlFailureCode, sentence: string): AppError => new AppError(code, sentence);

/**
 * @param statement for the excerpt in the message.
 * @returns the error itself when it is a bug of this program and not a failure.
 */
export function classifyFailure(error: unknown, statement: string): unknown {
  if (error instanceof AppError || error instanceof TypeError || error instanceof RangeError) return error;
  // The server's error quotes values in its message and its detail, so it is not kept as the cause.
  if (error instanceof pg.DatabaseError) {
    const { table, column, constraint, position } = error;
    const { code, sentence } = sqlFailure({ state: error.code ?? 'XX000', table, column, constraint, position }, statement);
    return failure(code, sentence);
  }
  const name = error instanceof Error ? connectionFault(error) : String(error);
  return new AppError('DATABASE_UNAVAILABLE', `The connection to the database failed: ${name}.`, { cause: error });
}

/** A host with several addresses fails with an AggregateError, whose own message is empty. */
function connectionFault(error: Error): string {
  const [first] = error instanceof AggregateError ? (error.errors as unknown[]) : [error];
  return (first instanceof Error ? first.message : error.message) || error.name;
}
