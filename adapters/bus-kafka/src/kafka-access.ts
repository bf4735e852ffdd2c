/** Where the brokers are and how they are spoken to, and what the client is told of it. */
import { type KafkaConfig, logLevel, type SASLOptions } from 'kafkajs';

export interface KafkaAccess {
  /** Host and port of each. */
  readonly brokers: readonly string[];
  /** Null: in clear text. `ca` is an authority as PEM text, null for those that Node.js knows. */
  readonly tls: { readonly ca: string | null } | null;
  /** Null: the brokers are not told who asks. */
  readonly sasl: { readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512'; readonly username: string; readonly password: string } | null;
}

/** @param clientId names this process in the broker's log. */
export function clientSettings({ brokers, tls, sasl }: KafkaAccess, clientId: string): KafkaConfig {
  return {
    brokers: [...brokers],
    clientId,
    // The client's own log repeats what it throws.
    logLevel: logLevel.NOTHING,
    ...(tls === null ? {} : { ssl: tls.ca === null ? true : { ca: [tls.ca] } }),
    // The client's type has a member for each mechanism.
    ...(sasl === null ? {} : { sasl: sasl as SASLOptions }),
  };
}
