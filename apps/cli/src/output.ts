/** Writes results to stdout. A reader that goes away (`| head`) ends the program with the exit code that its result has. */
import { ERRORS } from '@weir/contract';

/** Writes text and waits where the pipe is full, so that memory stays bounded. */
export function writeOut(text: string): Promise<void> {
  return new Promise(resolve => {
    if (process.stdout.write(text)) resolve();
    else process.stdout.once('drain', resolve);
  });
}

export const writeJson = (value: unknown): Promise<void> => writeOut(`${JSON.stringify(value, null, 2)}\n`);

/** A closed pipe is no error; anything else that keeps stdout from being written is one, with its name. */
export function watchStdout(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit();
    process.stderr.write(
      `error[OUTPUT_UNWRITABLE]: standard output cannot be written (${error.code ?? error.message})\ntry: ${ERRORS.OUTPUT_UNWRITABLE.next}\n`,
    );
    process.exit(ERRORS.OUTPUT_UNWRITABLE.exit);
  });
}
