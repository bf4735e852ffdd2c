/** Envelopes for the suites of the log, the outbox, the bus and the leases. */
import type { Envelope } from '@weir/contract';

export const sampleEnvelope = (id: string, changes: Partial<Envelope> = {}): Envelope => ({
  specversion: '1.0',
  id,
  source: '/suite',
  type: 'SuiteHappened',
  subject: 'suite',
  time: '2026-01-02T03:04:05.678Z',
  datacontenttype: 'application/json',
  schemaversion: 1,
  correlationid: 'suite',
  data: {},
  ...changes,
});

/** `prefix-0`, `prefix-1` … */
export const sampleEnvelopes = (prefix: string, count: number, changes: Partial<Envelope> = {}): readonly Envelope[] =>
  Array.from({ length: count }, (_, index) => sampleEnvelope(`${prefix}-${index}`, changes));
