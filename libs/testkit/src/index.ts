export { describeWithContainers, imageNamed, noEngineReason } from './containers/engine';
export { freePort, startKafka, type KafkaServer } from './containers/kafka-container';
export { startMinio, type MinioServer } from './containers/minio-container';
export { anItem, aReadyItem, aSubreddit, fileFields, itemFields } from './builders/content';
export { eventually } from './eventually';
export { FixedClock } from './fixed-clock';
export { addressOf, freshDatabase, type FreshDatabase } from './postgres/fresh-database';
export type { PostgresServer } from './postgres/postgres-server';
export { postgresKinds, startPostgres } from './postgres/start-postgres';
