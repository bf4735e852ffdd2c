import { type Envelope, ReviewEvent } from '@weir/contract';
import { openEnvelope } from '@weir/belt';
import { verifies } from '@weir/requirements';
import { expect, test } from 'vitest';
import { REVIEW_UPCASTS } from './review-upcasts.ts';

test(`${verifies('REV-3')} a request that an older version dropped is read, without a place`, () => {
  const stored: Envelope = {
    ...{
      specversion: '1.0',
      id: '1',
      source: '/weir',
      type: 'RequestDropped',
      subject: 'r',
      time: '2026-01-31T08:00:00.000Z',
      datacontenttype: 'application/json',
    },
    ...{ schemaversion: 1, correlationid: '1' },
    data: { reviewId: 'ab'.repeat(16), at: '2026-01-31T08:00:00Z', code: 'draft', head: null, by: '7' },
  };
  const event = openEnvelope<ReviewEvent>(REVIEW_UPCASTS(stored));
  expect(ReviewEvent.parse(event)).toMatchObject({ type: 'RequestDropped', code: 'draft', coordinates: null, change: null });
});
