import { verifies } from '@weir/requirements';
import { expect, test } from 'vitest';
import { createMetrics } from './metrics.ts';

const call = { client: 'chat', modelProvider: 'acme', outcome: 'whole', code: null, ms: 120, firstByteMs: 30, inputTokens: 3, outputTokens: 4 } as const;

test(`${verifies('REV-29')} calls, tokens and times are counted; unknown tokens are counted apart and never as zero`, () => {
  const metrics = createMetrics();
  metrics.began();
  metrics.record(call);
  metrics.record({ ...call, outcome: 'gone', firstByteMs: null, inputTokens: null, outputTokens: null });
  metrics.attention('CHARGE_LATE');
  const text = metrics.text();
  for (const line of [
    'weir_gateway_open_calls 1',
    'weir_gateway_calls_total{client="chat",model_provider="acme",outcome="whole",code=""} 1',
    'weir_gateway_calls_total{client="chat",model_provider="acme",outcome="gone",code=""} 1',
    'weir_gateway_tokens_total{model_provider="acme",type="input"} 3',
    'weir_gateway_tokens_total{model_provider="acme",type="output"} 4',
    'weir_gateway_unknown_usage_total{model_provider="acme"} 1',
    'weir_gateway_attention_total{code="CHARGE_LATE"} 1',
    'weir_gateway_call_seconds_bucket{le="0.1"} 0',
    'weir_gateway_call_seconds_bucket{le="0.25"} 2',
    'weir_gateway_call_seconds_count 2',
    'weir_gateway_first_byte_seconds_count 1',
  ]) {
    expect(text.split('\n')).toContain(line);
  }
});

test('labels are bounded and cannot break a line', () => {
  const metrics = createMetrics();
  for (let at = 0; at < 3_000; at += 1) metrics.record({ ...call, code: `c"\n${at}` });
  const lines = metrics.text().split('\n');
  expect(lines.length).toBeLessThan(1_100);
  expect(lines).toContain('weir_gateway_calls_total{other="true"} 2000');
});
