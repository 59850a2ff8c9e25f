import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { GenericContainer, Wait } from 'testcontainers';
import { freePort } from '../product/free-port';
import { ROOT } from '../trial';

export interface Broker {
  /** `host:port`. */
  address: string;
  stop(): Promise<void>;
}

const LOG_CONFIG = `Configuration:
  Appenders:
    Console: { name: STDOUT, PatternLayout: { pattern: '[%d] %p %m (%c)%n' } }
  Loggers:
    Root: { level: INFO, AppenderRef: [{ ref: STDOUT }] }
`;

/** One Kafka broker in a container, of the image that the whole product uses. Rejects without a container engine. */
export async function startBroker(): Promise<Broker> {
  // a broker tells its clients its own address, so the port has to be known before it starts
  const port = await freePort();
  const address = `127.0.0.1:${port}`;
  const container = await new GenericContainer(kafkaImage())
    .withExposedPorts({ container: 9092, host: port })
    .withEnvironment({
      KAFKA_NODE_ID: '1',
      KAFKA_PROCESS_ROLES: 'broker,controller',
      KAFKA_LISTENERS: 'PLAINTEXT://0.0.0.0:9092,CONTROLLER://127.0.0.1:9093',
      KAFKA_ADVERTISED_LISTENERS: `PLAINTEXT://${address}`,
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
    // the image copies these with their permissions and then writes into the copies: made writable wherever the image was built
    .withCopyContentToContainer(
      ['log4j2.yaml', 'tools-log4j2.yaml'].map((name) => ({ content: LOG_CONFIG, target: `/etc/kafka/docker/${name}`, mode: 0o644 })),
    )
    .withWaitStrategy(Wait.forLogMessage(/Kafka Server started/u))
    .withStartupTimeout(180_000)
    .start();
  return { address, stop: async () => void (await container.stop({ timeout: 1_000 })) };
}

function kafkaImage(): string {
  const lines = readFileSync(join(ROOT, 'docker/images.env'), 'utf8');
  const image = /^KAFKA_IMAGE=(.+)$/mu.exec(lines)?.[1]?.trim();
  if (!image) throw new Error('docker/images.env names no KAFKA_IMAGE');
  return image;
}
