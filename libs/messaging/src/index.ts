export * from './event-bus.port';
export { MemoryBroker, MemoryBus } from './memory-bus.fake';
export { PostgresBus, type PostgresBusSettings } from './postgres/postgres-bus';
export { POSTGRES_BUS_SCHEMA } from './postgres/postgres-deliveries';
export { KafkaBus } from './kafka/kafka-bus';
export type { KafkaBusSettings } from './kafka/kafka-client';
