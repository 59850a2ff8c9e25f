export * from './event-bus.port';
export { readMessage } from './read-message';
export { KafkaBus } from './kafka/kafka-bus';
