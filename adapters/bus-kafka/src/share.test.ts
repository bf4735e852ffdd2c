import type { BusMessage } from '@weir/ports';
import { sampleEnvelope } from '@weir/ports/suites';
import { expect, test } from 'vitest';
import { createPermits } from './permits.ts';
import { createShare, type ReadMessage } from './share.ts';

const message = (offset: number, key: string): ReadMessage => ({
  partition: 0,
  offset: BigInt(offset),
  mayRepeat: false,
  topic: 't',
  key,
  envelope: sampleEnvelope(`m-${offset}`),
});
const settled = (): Promise<void> => new Promise(resolve => setTimeout(resolve, 5));

/** Deliveries that end when the test says so. */
function stage(permits: number) {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const signals: AbortSignal[] = [];
  const share = createShare(createPermits(permits), (delivery: BusMessage, signal) => {
    begun.push(delivery.envelope.id);
    signals.push(signal);
    return new Promise(resolve => ends.set(delivery.envelope.id, resolve));
  });
  const end = async (id: string): Promise<void> => {
    ends.get(id)?.();
    await settled();
  };
  return { share, begun, end, signals };
}

test('a key goes one by one, other keys beside it, no more than there are permits; what is contiguous may be committed', async () => {
  const { share, begun, end } = stage(2);
  share.accept([message(0, 'a'), message(1, 'a'), message(2, 'b'), message(3, 'c')]);
  await settled();
  expect(begun).toEqual(['m-0', 'm-2']);
  await end('m-2');
  expect(begun).toEqual(['m-0', 'm-2', 'm-3']);
  expect(share.positions()).toEqual([]);
  await end('m-0');
  expect(begun).toEqual(['m-0', 'm-2', 'm-3', 'm-1']);
  expect(share.positions()).toEqual([{ partition: 0, offset: '1' }]);
  share.committed(share.positions());
  expect(share.positions()).toEqual([]);
  await end('m-3');
  await end('m-1');
  expect(share.positions()).toEqual([{ partition: 0, offset: '4' }]);
});

test('a closed share begins nothing, and what ends after its grace does not count', async () => {
  const { share, begun, end, signals } = stage(2);
  share.accept([message(0, 'a'), message(1, 'a'), message(2, 'b')]);
  await settled();
  const closing = share.close(20);
  await end('m-0');
  await closing;
  expect(begun).toEqual(['m-0', 'm-2']);
  expect(signals.every(signal => signal.aborted)).toBe(true);
  await end('m-2');
  await share.idle();
  share.accept([message(3, 'c')]);
  await settled();
  expect(begun).toEqual(['m-0', 'm-2']);
  expect(share.positions()).toEqual([{ partition: 0, offset: '1' }]);
});

test('a full share says so until there is room, or it is closed', async () => {
  const { share, end } = stage(1);
  share.accept(Array.from({ length: 1_000 }, (_, offset) => message(offset, 'a')));
  await settled();
  expect(await share.full(5)).toBe(true);
  const waiting = share.full(60_000);
  await end('m-0');
  expect(await waiting).toBe(false);
  share.accept([message(1_000, 'a')]);
  expect(await share.full(5)).toBe(true);
  const closing = share.close(0);
  expect(await share.full(60_000)).toBe(false);
  await closing;
});
