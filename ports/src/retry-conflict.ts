/** Runs a transaction again when it met another one and gave way; the work must be free of effects outside the database. */
import type { SqlPort, SqlSession } from './sql.port.ts';

const isConflict = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'DATABASE_CONFLICT';

/**
 * At once and without a pause: a conflict means that the other transaction has just ended. Every other failure, and the
 * conflict of the last attempt, goes to the caller.
 * @param attempts runs in all, at least 1.
 */
export async function retryConflict<T>(port: SqlPort, work: (session: SqlSession) => Promise<T>, attempts: number): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await port.transaction(work);
    } catch (error) {
      if (attempt >= attempts || !isConflict(error)) throw error;
    }
  }
}
