/** What the server is made of, and where it listens. */
import type { GatewayDoor } from './gateway-door.ts';
import type { GatewayMetrics } from './metrics.ts';

export interface GatewayServerSettings {
  readonly gateway: GatewayDoor;
  readonly metrics: GatewayMetrics;
  /** Whether what a client presents is the operator's key. */
  readonly isOperator: (presented: string | undefined) => boolean;
  /** Runs a request of the operator's commands on the stores of this process. Throws AppError. */
  readonly operate: (request: unknown) => Promise<unknown>;
  /** Whether calls can be served now; rejects or answers false when the stores cannot be read. */
  readonly isReady: () => Promise<boolean>;
  /** Address to listen on; loopback answers to loopback's names alone. */
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** An error that nobody foresaw, for the log. */
  readonly onBug: (error: unknown) => void;
}
