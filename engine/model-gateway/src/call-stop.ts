/** What ends a call early: its client goes away, its key is revoked (MOD-17), or the answer is not wanted any more. */
import type { GatewayFailure } from '@weir/wire';
import type { GatewayWorld } from './gateway-world.ts';
import type { Principal } from './principal.ts';

export interface CallStop {
  /** Aborted in all three cases; closes the upstream's connection. */
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

export function createCallStop(client: AbortSignal, principal: Principal, watchKey: GatewayWorld['watchKey']): CallStop {
  const own = new AbortController();
  let failure: GatewayFailure | undefined;
  const onGone = (): void => own.abort(client.reason);
  client.addEventListener('abort', onGone, { once: true });
  if (client.aborted) onGone();
  const unwatch =
    principal.kind === 'internal'
      ? () => undefined
      : watchKey(principal.key.id, () => {
          failure = REVOKED;
          own.abort(new Error(REVOKED.message));
        });
  return {
    signal: own.signal,
    failure: () => failure,
    gone: () => client.aborted,
    abandon: () => own.abort(new Error('The answer is not wanted any more.')),
    release: () => {
      unwatch();
      client.removeEventListener('abort', onGone);
    },
  };
}
