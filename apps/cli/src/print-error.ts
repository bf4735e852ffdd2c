/** Failures for people: `error[CODE]: sentence`, then what to do next. Anything unnamed is a bug and says so. */
import { ERRORS, EXIT, type ExitCode } from '@weir/contract';
import { AppError } from '@weir/kernel';
import { visibleText } from '@weir/prompt';

export const isAbort = (error: unknown): boolean => error instanceof Error && (error.name === 'AbortError' || error.name === 'Interrupted');

/** Prints the failure on stderr and gives the exit code. */
export function printError(error: unknown, write: (text: string) => void = text => void process.stderr.write(text)): ExitCode {
  if (isAbort(error)) {
    write('interrupted\n');
    return EXIT.interrupted;
  }
  if (error instanceof AppError) {
    write(`error[${error.code}]: ${visibleText(error.message)}\ntry: ${visibleText(error.next)}\n`);
    return ERRORS[error.code].exit;
  }
  write(`bug: ${visibleText(error instanceof Error ? (error.stack ?? error.message) : String(error))}\n`);
  write('This is a fault of Weir. Please report it with the text above and the output of `weir doctor`.\n');
  return EXIT.bug;
}
