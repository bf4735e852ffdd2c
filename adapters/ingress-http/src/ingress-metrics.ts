/** Counters of the ingress. A refusal is counted by its reason here, since the one who was refused is told none (REV-10). */
import { createCounter, createGauge, createHistogram, type Metric } from '@weir/metrics';

export type IngressRefusal = 'unknown_hook' | 'not_signed' | 'wrong_signature' | 'too_large' | 'busy' | 'store_away' | 'broken_off';

export interface IngressMetrics {
  delivered(seconds: number): void;
  refused(reason: IngressRefusal): void;
  /** Bytes of bodies in memory. */
  holds(bytes: number): void;
  readonly all: readonly Metric[];
}

export function createIngressMetrics(): IngressMetrics {
  const seconds = createHistogram('weir_ingress_delivery_seconds', 'Seconds from the head of a delivery to its 202.');
  const refusals = createCounter('weir_ingress_refusals_total', 'Deliveries that were turned away, by reason.');
  const held = createGauge('weir_ingress_body_bytes', 'Bytes of bodies that are being received.');
  return {
    delivered: value => seconds.observe(value),
    refused: reason => refusals.add({ reason }),
    holds: bytes => held.add(bytes),
    all: [seconds, refusals, held],
  };
}
