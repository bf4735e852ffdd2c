export { kafkaBus, type KafkaBus, type KafkaBusParts } from './kafka.bus.ts';
