/** One call as a door of the gateway hands it in, and what goes back through that door. */
import type { UpstreamProtocol } from '@weir/contract';
import { clientError, type GatewayFailure } from '@weir/wire';
import type { Principal } from './principal.ts';

export interface GatewayCall {
  readonly protocol: UpstreamProtocol;
  /** As it came; the door bounds it. */
  readonly body: Uint8Array;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly principal: Principal;
  /** A model provider (`/v1/at/{model-provider}/…`): only its models are looked at. */
  readonly binding?: string;
  /** Aborted when the client goes away; ends the call upstream at once, in every phase (MOD-14). */
  readonly signal: AbortSignal;
}

export interface GatewayReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Whole, or a stream that is pulled at the client's pace. */
  readonly body: string | AsyncIterable<string>;
}

/** Names the call in the ledger, the log and `POST /v1/route/plan`. */
export const CALL_HEADER = 'x-weir-call';

const JSON_TYPE = 'application/json; charset=utf-8';

export const jsonReply = (status: number, text: string, headers: Readonly<Record<string, string>> = {}): GatewayReply => ({
  status,
  headers: { 'content-type': JSON_TYPE, ...headers },
  body: text,
});

export function failureReply(client: UpstreamProtocol, failure: GatewayFailure, headers: Readonly<Record<string, string>> = {}): GatewayReply {
  const { status, headers: own, body } = clientError(client, failure);
  return jsonReply(status, JSON.stringify(body), { ...own, ...headers });
}
