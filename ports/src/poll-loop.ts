/** A task that is run again and again: at once while it finds something to do, after a pause when it does not, and sooner when it is woken. */

export interface PollLoopParts {
  /** True when there may be more to do at once. */
  readonly step: () => Promise<boolean>;
  /** Milliseconds of the pause. */
  readonly idleMs: number;
  /** A failed step is told here, and the next one follows after the pause (a database that is gone comes back). */
  readonly onFailure: (failure: unknown) => void;
}

export interface PollLoop {
  /** Ends a pause; a wake during a step makes another step follow it. */
  wake(): void;
  /** Resolves when the step under way has ended; no other begins. */
  stop(): Promise<void>;
}

export function pollLoop({ step, idleMs, onFailure }: PollLoopParts): PollLoop {
  let stopped = false;
  let woken = false;
  let endPause = (): void => undefined;

  function pause(): Promise<void> {
    return new Promise(resolve => {
      const timer = setTimeout(resolve, idleMs);
      endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async function attempt(): Promise<boolean> {
    try {
      return await step();
    } catch (failure) {
      onFailure(failure);
      return false;
    }
  }

  async function run(): Promise<void> {
    while (!stopped) {
      woken = false;
      const more = await attempt();
      if (!more && !woken && !stopped) await pause();
    }
  }

  const ended = run();
  const wake = (): void => {
    woken = true;
    endPause();
  };
  return {
    wake,
    stop: () => {
      stopped = true;
      wake();
      return ended;
    },
  };
}
