/** Writes results to stdout. A reader that goes away (`| head`) ends the program with the exit code that its result has. */
import { ERRORS } from '@weir/contract';

/** Writes text and waits where the pipe is full, so that memory stays bounded. */
export function writeOut(text: string): Promise<void> {
  return new Promise(resolve => {
    if (process.stdout.write(text)) resolve();
    else process.stdout.once('drain', resolve);
  });
}

/** What a terminal obeys or hides although JSON leaves it as it is: controls beyond ASCII, direction marks, invisible characters. */
const UNSHOWN = /[\u007f-\u009f\u2028\u2029\u2800\ufff9-\ufffb]|\p{Default_Ignorable_Code_Point}/gu;

const escaped = (found: string): string => Array.from({ length: found.length }, (_, at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, '0')}`).join('');

/** JSON that moves no cursor and hides nothing: such characters stand as \uXXXX, which reads back as the same value. */
export const printableJson = (value: unknown, indent?: number): string => JSON.stringify(value, null, indent).replace(UNSHOWN, escaped);

export const writeJson = (value: unknown): Promise<void> => writeOut(`${printableJson(value, 2)}\n`);

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
