/** The log of a gateway: one JSON line for each outcome on standard error. No payload, no prompt, no secret. */
import type { GatewayEvent } from '@weir/model-gateway';

export interface GatewayLog {
  readonly event: (event: GatewayEvent) => void;
  readonly bug: (error: unknown) => void;
}

/** @param quiet only what an operator has to know. */
export function createGatewayLog(quiet: boolean, write: (text: string) => void = text => void process.stderr.write(text)): GatewayLog {
  const line = (fields: object): void => write(`${JSON.stringify({ at: new Date().toISOString(), ...fields })}\n`);
  return {
    event: event => {
      if (event.event !== 'call') return line(event);
      return quiet ? undefined : line(event);
    },
    bug: error => line({ event: 'bug', message: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
  };
}
