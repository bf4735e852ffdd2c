/** Writes results to stdout. A reader that goes away (`| head`) ends the program quietly. */

/** Writes text and waits where the pipe is full, so that memory stays bounded. */
export function writeOut(text: string): Promise<void> {
  return new Promise(resolve => {
    if (process.stdout.write(text)) resolve();
    else process.stdout.once('drain', resolve);
  });
}

export const writeJson = (value: unknown): Promise<void> => writeOut(`${JSON.stringify(value, null, 2)}\n`);

/** A closed pipe is no error. */
export function quietOnClosedPipe(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    throw error;
  });
}
