/**
 * Spares a host that fails (MOD-16): after some failures in a row nothing is sent to it for a while, then one call tries. A failure
 * is a host that does not answer or answers with a fault of its own; what it refuses is none.
 */

/** Failures in a row that open the circuit. */
const OPENS_AFTER = 5;
/** Milliseconds that it stays open. */
const OPEN_MS = 10_000;
/** Hosts that are remembered; more are not counted. */
const MAX_HOSTS = 1_000;

interface HostState {
  failures: number;
  openUntil: number;
}

export interface CircuitBreaker {
  /** Milliseconds until the host is tried again; 0 when it may be asked now. The call that is let through after a pause holds the others back. */
  waitFor(origin: string): number;
  succeeded(origin: string): void;
  failed(origin: string): void;
}

export function createCircuitBreaker(now: () => number): CircuitBreaker {
  const hosts = new Map<string, HostState>();
  return {
    waitFor(origin) {
      const host = hosts.get(origin);
      if (host === undefined || host.failures < OPENS_AFTER) return 0;
      const wait = host.openUntil - now();
      if (wait <= 0) host.openUntil = now() + OPEN_MS;
      return Math.max(0, wait);
    },
    succeeded: origin => void hosts.delete(origin),
    failed(origin) {
      const host = hosts.get(origin) ?? { failures: 0, openUntil: 0 };
      host.failures += 1;
      if (host.failures >= OPENS_AFTER) host.openUntil = now() + OPEN_MS;
      if (hosts.has(origin) || hosts.size < MAX_HOSTS) hosts.set(origin, host);
    },
  };
}
