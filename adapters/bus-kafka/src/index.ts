export type { KafkaAccess } from './kafka-access.ts';
export { kafkaBus, type KafkaBus, type KafkaBusParts } from './kafka.bus.ts';
