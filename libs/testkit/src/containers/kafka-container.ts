import { GenericContainer, Wait } from 'testcontainers';
import { imageNamed } from './engine';
import { freePort } from './free-port';

export interface KafkaServer {
  brokers: string[];
  stop(): Promise<void>;
}

const LOG_SETTINGS = `Configuration:
  Appenders:
    Console: { name: STDOUT, PatternLayout: { pattern: '[%d] %p %m (%c)%n' } }
  Loggers:
    Root: { level: INFO, AppenderRef: [{ ref: STDOUT }] }
`;

/** One broker that is its own controller. Topics are not created by use; replication is 1, as one broker demands. */
export async function startKafka(): Promise<KafkaServer> {
  // A broker tells its clients its address, so the port has to be known before it starts.
  const port = await freePort();
  const container = await new GenericContainer(imageNamed('KAFKA_IMAGE'))
    .withExposedPorts({ container: 9092, host: port })
    .withEnvironment({
      KAFKA_NODE_ID: '1',
      KAFKA_PROCESS_ROLES: 'broker,controller',
      KAFKA_LISTENERS: 'PLAINTEXT://0.0.0.0:9092,CONTROLLER://127.0.0.1:9093',
      KAFKA_ADVERTISED_LISTENERS: `PLAINTEXT://127.0.0.1:${port}`,
      KAFKA_CONTROLLER_LISTENER_NAMES: 'CONTROLLER',
      KAFKA_LISTENER_SECURITY_PROTOCOL_MAP: 'CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT',
      KAFKA_CONTROLLER_QUORUM_VOTERS: '1@127.0.0.1:9093',
      KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR: '1',
      KAFKA_OFFSETS_TOPIC_NUM_PARTITIONS: '1',
      KAFKA_TRANSACTION_STATE_LOG_REPLICATION_FACTOR: '1',
      KAFKA_TRANSACTION_STATE_LOG_MIN_ISR: '1',
      KAFKA_SHARE_COORDINATOR_STATE_TOPIC_REPLICATION_FACTOR: '1',
      KAFKA_SHARE_COORDINATOR_STATE_TOPIC_MIN_ISR: '1',
      KAFKA_GROUP_INITIAL_REBALANCE_DELAY_MS: '0',
      KAFKA_AUTO_CREATE_TOPICS_ENABLE: 'false',
      KAFKA_HEAP_OPTS: '-Xmx512m -Xms256m',
    })
    // the image's own defaults are not writable everywhere it was built, and it writes into its copy of them
    .withCopyContentToContainer(
      ['log4j2.yaml', 'tools-log4j2.yaml'].map((name) => ({ content: LOG_SETTINGS, target: `/etc/kafka/docker/${name}`, mode: 0o644 })),
    )
    .withWaitStrategy(Wait.forLogMessage(/Kafka Server started/u))
    .withStartupTimeout(180_000)
    .start();
  return { brokers: [`127.0.0.1:${port}`], stop: async () => void (await container.stop()) };
}
