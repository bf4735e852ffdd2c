/** Starts the gateway as an operator would: `weir` commands in a data folder of its own, then `weir serve --role gateway`. */
import type { ProtocolName } from '@weir/scripted-upstream';
import type { Agent } from './agents/agent.ts';
import type { Ledger } from './ledger-problems.ts';

export interface GatewayPlan {
  readonly protocol: ProtocolName;
  readonly upstreamOrigin: string;
  readonly upstreamKey: string;
  /** Each gets a virtual key of its own, and the model that it asks for. */
  readonly agents: readonly Agent[];
}

export interface Gateway {
  readonly origin: string;
  readonly keyOf: (agent: Agent) => string;
  /** Ends the server; only then may the ledgers be read, since the embedded database serves one process. */
  readonly stop: () => Promise<void>;
  readonly ledgerOf: (agent: Agent) => Promise<Ledger>;
}

export function startGateway(_plan: GatewayPlan): Promise<Gateway> {
  throw new Error('not yet');
}
