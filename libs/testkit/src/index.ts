export { anItem, aReadyItem, aSubreddit, fileFields, itemFields } from './builders';
export {
  describeWithContainers,
  freePort,
  imageNamed,
  noEngineReason,
  startKafka,
  startMinio,
  type KafkaServer,
  type MinioServer,
} from './containers';
export { contentItem, FakeDatabase, minutesFromNow, NOW, publishAttempt, queueItem, stageJob } from './fake-database';
export { FixedClock, withWrongClock } from './fixed-clock';
export { MemoryBroker, MemoryBus } from './memory-bus';
export { pollUntil } from './poll-until';
export { progress, runByName, temporaryFolder } from './program-by-name';
export { RunningProduct } from './running-product';
export { SimulatorControl, type PublishedMedia, type SimulatedPost } from './simulator-control';
export { startEmbeddedPostgres, type EmbeddedServer, type PostgresServer } from './postgres/embedded-server';
export { addressOf, createDatabase, freshDatabase, useFreshDatabases, type FreshDatabase } from './postgres/fresh-database';
export { postgresKinds, startPostgres } from './postgres/start-postgres';
export { failing, stepContext } from './step-context';
export { deferred, StageTestHarness, testStage } from './stage-test-harness';
