/** A message as a record of Kafka: the key is the key, the envelope the value as JSON, the topic of the bus a header. */
import { Envelope } from '@weir/contract';
import type { BusMessage } from '@weir/ports';
import type { KafkaMessage, Message } from 'kafkajs';
import type { ReadMessage } from './share.ts';

const TOPIC = 'topic';

export interface SizedRecord {
  readonly record: Message;
  /** Of key and value, in bytes. */
  readonly size: number;
}

export function toRecord({ topic, key, envelope }: BusMessage): SizedRecord {
  const value = Buffer.from(JSON.stringify(envelope));
  return { record: { key, value, headers: { [TOPIC]: topic } }, size: value.length + Buffer.byteLength(key) };
}

/**
 * @param before the offset that the next message of the partition had when this member got it.
 * @throws Error where the record is not one of this program; someone else wrote to the topic.
 */
export function fromRecord(partition: number, { key, value, headers, offset }: KafkaMessage, before: bigint): ReadMessage {
  const topic = headers?.[TOPIC];
  if (key === null || value === null || topic === undefined) throw new Error(`The record ${offset} of partition ${partition} is not a message of Weir.`);
  const place = { partition, offset: BigInt(offset), mayRepeat: BigInt(offset) < before };
  return { ...place, topic: String(topic), key: key.toString(), envelope: Envelope.parse(JSON.parse(value.toString())) };
}
