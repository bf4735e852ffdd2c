/** What this server needs of the gateway's engine. The program hands it in; engine and server do not know each other. */
import type { UpstreamProtocol, VirtualKey } from '@weir/contract';
import type { GatewayFailure } from '@weir/wire';

export interface KeyHolder {
  readonly kind: 'key';
  readonly key: VirtualKey;
}

export interface ClientCall {
  readonly protocol: UpstreamProtocol;
  readonly body: Uint8Array;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly principal: KeyHolder;
  readonly binding?: string;
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal;
}

export interface ClientReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | AsyncIterable<string>;
}

export interface PlanQuestion {
  readonly protocol: UpstreamProtocol;
  readonly body: Uint8Array;
  readonly binding?: string;
}

export interface GatewayDoor {
  authenticate(presented: string | undefined): Promise<{ readonly key: VirtualKey } | { readonly failure: GatewayFailure }>;
  call(call: ClientCall): Promise<ClientReply>;
  countTokens(call: ClientCall): Promise<ClientReply>;
  listModels(
    principal: KeyHolder,
    binding?: string,
  ): Promise<{ readonly text: string; readonly etag: string; readonly entry: (id: string) => string | undefined }>;
  planRoute(question: PlanQuestion): Promise<{ readonly plan: object } | { readonly failure: GatewayFailure; readonly tools: readonly unknown[] }>;
  planOfCall(callRef: string): object | undefined;
}
