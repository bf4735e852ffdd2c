/** What ends a call early: its client goes away, its key is revoked (MOD-17), it lasts too long, or the answer is not wanted any more. */
import type { GatewayFailure } from '@weir/wire';
import type { GatewayWorld } from './gateway-world.ts';
import type { Principal } from './principal.ts';

export interface CallStop {
  /** Aborted in all these cases; closes the upstream's connection. */
  readonly signal: AbortSignal;
  /** Why the gateway ends it; undefined while it does not. */
  failure(): GatewayFailure | undefined;
  /** The client has gone away. */
  gone(): boolean;
  abandon(): void;
  /** Lets go of the client's signal and of the watch on the key. */
  release(): void;
}

const REVOKED: GatewayFailure = { code: 'key_revoked', class: 'invalid_key', message: 'This virtual key was revoked.' };

const TOO_LONG: GatewayFailure = { code: 'call_too_long', class: 'permanent', message: 'The call lasted longer than the gateway lets it.' };

/** However steadily an answer arrives. Whoever charges the calls of dead processes may trust that an older one is dead. */
export const LONGEST_CALL_MS = 2 * 3_600_000;

export function createCallStop(client: AbortSignal, principal: Principal, { watchKey, schedule }: Pick<GatewayWorld, 'watchKey' | 'schedule'>): CallStop {
  const own = new AbortController();
  let failure: GatewayFailure | undefined;
  const endWith = (reason: GatewayFailure): void => {
    failure = reason;
    own.abort(new Error(reason.message));
  };
  const callOff = schedule(() => endWith(TOO_LONG), LONGEST_CALL_MS);
  const onGone = (): void => own.abort(client.reason);
  client.addEventListener('abort', onGone, { once: true });
  if (client.aborted) onGone();
  const unwatch = principal.kind === 'internal' ? () => undefined : watchKey(principal.key.id, () => endWith(REVOKED));
  return {
    signal: own.signal,
    failure: () => failure,
    gone: () => client.aborted,
    abandon: () => own.abort(new Error('The answer is not wanted any more.')),
    release: () => {
      unwatch();
      callOff();
      client.removeEventListener('abort', onGone);
    },
  };
}
