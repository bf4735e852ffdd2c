/** Counters of the gateway in this process. */
import type { UpstreamProtocol } from '@weir/contract';
import { createCounter, createGauge, createHistogram, metricsText } from '@weir/metrics';

export interface MeasuredCall {
  readonly client: UpstreamProtocol;
  readonly modelProvider: string | null;
  readonly outcome: 'whole' | 'failed' | 'gone';
  readonly code: string | null;
  readonly ms: number;
  readonly firstByteMs: number | null;
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
}

export interface GatewayMetrics {
  began(): void;
  ended(): void;
  record(call: MeasuredCall): void;
  attention(code: string): void;
  text(): string;
}

export function createMetrics(): GatewayMetrics {
  const open = createGauge('weir_gateway_open_calls', 'Calls under way.');
  const calls = createCounter('weir_gateway_calls_total', 'Calls that have ended, by outcome.');
  const tokens = createCounter('weir_gateway_tokens_total', 'Tokens that the model providers report.');
  const unknown = createCounter('weir_gateway_unknown_usage_total', 'Calls whose tokens are unknown.');
  const attention = createCounter('weir_gateway_attention_total', 'Events that an operator has to know.');
  const duration = createHistogram('weir_gateway_call_seconds', 'Seconds from the request to the end of its answer.');
  const firstByte = createHistogram('weir_gateway_first_byte_seconds', 'Seconds until the upstream began to answer.');
  return {
    began: () => open.add(1),
    ended: () => open.add(-1),
    record(call) {
      const provider = { model_provider: call.modelProvider ?? '' };
      calls.add({ client: call.client, ...provider, outcome: call.outcome, code: call.code ?? '' });
      duration.observe(call.ms / 1_000);
      if (call.firstByteMs !== null) firstByte.observe(call.firstByteMs / 1_000);
      if (call.inputTokens === null || call.outputTokens === null) unknown.add(provider);
      else {
        tokens.add({ ...provider, type: 'input' }, call.inputTokens);
        tokens.add({ ...provider, type: 'output' }, call.outputTokens);
      }
    },
    attention: code => attention.add({ code }),
    text: () => metricsText([open, calls, tokens, unknown, attention, duration, firstByte]),
  };
}
