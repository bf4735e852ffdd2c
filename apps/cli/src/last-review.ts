/** The last review of a repository, kept in the state directory for `weir show`. Readable by its owner alone. */
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ReviewReport } from '@weir/contract';
import { AppError } from '@weir/kernel';

const fileFor = (stateFolder: string, place: string): string =>
  path.join(stateFolder, 'reviews', `${createHash('sha256').update(place).digest('hex').slice(0, 32)}.json`);

/** Keeps a report; the newest wins, and a reader never sees half a file. Throws STATE_UNWRITABLE. */
export async function keepReview(stateFolder: string, place: string, report: ReviewReport): Promise<void> {
  const file = fileFor(stateFolder, place);
  const fresh = `${file}.${randomUUID()}`;
  try {
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(fresh, JSON.stringify(report), { mode: 0o600 });
    await rename(fresh, file);
  } catch (cause) {
    await rm(fresh, { force: true }).catch(() => undefined);
    throw new AppError('STATE_UNWRITABLE', `the review could not be kept in ${path.dirname(file)}`, { cause });
  }
}

/** The kept report. Throws NO_LAST_REVIEW when there is none, or when an older Weir wrote it in another shape. */
export async function lastReview(stateFolder: string, place: string): Promise<ReviewReport> {
  const missing = (cause: unknown): AppError => new AppError('NO_LAST_REVIEW', `no review of ${place} is kept`, { cause });
  let text: string;
  try {
    text = await readFile(fileFor(stateFolder, place), 'utf8');
  } catch (cause) {
    throw missing(cause);
  }
  try {
    return ReviewReport.parse(JSON.parse(text));
  } catch (cause) {
    throw missing(cause);
  }
}
