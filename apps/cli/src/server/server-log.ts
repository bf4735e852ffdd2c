/** The log of a server: one JSON line for each outcome on standard error. No payload, no prompt, no secret. */
import type { GatewayEvent } from '@weir/model-gateway';
import { AppError } from '@weir/kernel';
import { createGatewayLog } from '../gateway/gateway-log.ts';

export interface ServerLog {
  readonly gateway: (event: GatewayEvent) => void;
  /** @param fields flat; `event` names what ended. */
  readonly outcome: (fields: { readonly event: string } & Readonly<Record<string, string | number | null>>) => void;
  /** The database, the broker or a forge is away, and is tried again. Said once in a while. */
  readonly failure: (error: unknown) => void;
  readonly bug: (error: unknown) => void;
}

/** Milliseconds in which one code of a failure is said once. */
const SAID_ONCE_MS = 10_000;

/** @param quiet only what an operator has to know. */
export function createServerLog(quiet: boolean, write: (text: string) => void = text => void process.stderr.write(text)): ServerLog {
  const { event, bug } = createGatewayLog(quiet, write);
  const line = (fields: object): void => write(`${JSON.stringify({ at: new Date().toISOString(), ...fields })}\n`);
  const said = new Map<string, number>();
  return {
    gateway: event,
    outcome: fields => (quiet ? undefined : line(fields)),
    failure(error) {
      if (!(error instanceof AppError)) return bug(error);
      const now = Date.now();
      if (now - (said.get(error.code) ?? 0) < SAID_ONCE_MS) return undefined;
      said.set(error.code, now);
      return line({ event: 'away', code: error.code, message: error.message });
    },
    bug,
  };
}
