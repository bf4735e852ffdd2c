/** The program `weir`. Interrupts abort the work in flight; nothing is left half written. */
import { watchStdout } from './output.ts';
import { printError } from './print-error.ts';
import { run } from './program.ts';

const interrupt = new AbortController();
const onSignal = (): void => {
  const reason = new Error('interrupted');
  reason.name = 'Interrupted';
  interrupt.abort(reason);
};
process.once('SIGINT', onSignal);
process.once('SIGTERM', onSignal);
watchStdout();

try {
  process.exitCode = await run(process.argv.slice(2), interrupt.signal);
} catch (error) {
  // Whatever broke after an interrupt broke because of it: a child that the terminal's signal reached, a stream that was closed.
  process.exitCode = printError(interrupt.signal.aborted ? interrupt.signal.reason : error);
}
