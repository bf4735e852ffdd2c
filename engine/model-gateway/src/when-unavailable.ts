/** A store that does not answer must not stop the models: calls go on without it for as long as what was read before is good. */
import { AppError } from '@weir/kernel';

/** @param otherwise what holds when the database cannot be reached; every other failure passes. */
export async function whenUnavailable<T>(work: () => Promise<T>, otherwise: (error: AppError) => T): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError && error.code === 'DATABASE_UNAVAILABLE') return otherwise(error);
    throw error;
  }
}
