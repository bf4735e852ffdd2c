/**
 * What ends a request early: the caller's signal, or the deadline of the phase that it is in.
 * Both end in one abort with one reason, so that there is one way to close a connection.
 */
import { HttpFailure } from '@weir/ports';

export interface StopSwitch {
  /** Aborts with the caller's reason or with an HttpFailure `timeout`. */
  readonly signal: AbortSignal;
  /** Starts the deadline of the next phase; the one before it ends. */
  readonly arm: (milliseconds: number, sentence: string) => void;
  readonly disarm: () => void;
  /** Ends the deadline and lets go of the caller's signal, which may outlive many requests. */
  readonly release: () => void;
}

export function createStopSwitch(caller: AbortSignal): StopSwitch {
  const own = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const disarm = () => clearTimeout(timer);
  const release = () => {
    disarm();
    caller.removeEventListener('abort', onCaller);
  };
  const stop = (reason: unknown) => {
    release();
    own.abort(reason);
  };
  const onCaller = () => stop(caller.reason);
  caller.addEventListener('abort', onCaller, { once: true });
  const arm = (milliseconds: number, sentence: string) => {
    disarm();
    timer = setTimeout(() => stop(new HttpFailure('timeout', sentence)), milliseconds);
  };
  return { signal: own.signal, arm, disarm, release };
}
