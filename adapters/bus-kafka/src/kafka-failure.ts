/** Turns what the client throws into the failures of this program. */
import { AppError } from '@weir/kernel';
// The client is CommonJS; Node finds its errors only on the whole.
import kafkajs from 'kafkajs';

/** What the broker says while a group shares its keys anew; nothing is wrong. */
const SHARING: ReadonlySet<unknown> = new Set(['REBALANCE_IN_PROGRESS', 'ILLEGAL_GENERATION', 'UNKNOWN_MEMBER_ID', 'NOT_COORDINATOR_FOR_GROUP']);
/** Causes of causes that are looked at. */
const DEPTH = 5;

function typeOf(error: unknown): unknown {
  let at = error;
  for (let depth = 0; depth < DEPTH && at instanceof Error; depth += 1) {
    if ('type' in at && typeof at.type === 'string') return at.type;
    at = at.cause;
  }
  return undefined;
}

export const isSharing = (error: unknown): boolean => SHARING.has(typeOf(error));

/** @returns the error itself when it is a bug of this program and not a failure. */
export function kafkaFailure(error: unknown): unknown {
  if (!(error instanceof kafkajs.KafkaJSError)) return error;
  if (typeOf(error) === 'MESSAGE_TOO_LARGE') return new AppError('INPUT_TOO_LARGE', 'A message is larger than its Kafka topic allows (max.message.bytes).');
  return new AppError('KAFKA_UNAVAILABLE', `The Kafka broker cannot be reached, or refuses: ${error.message}.`, { cause: error });
}
