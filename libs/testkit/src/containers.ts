import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { GenericContainer, type StartedTestContainer, Wait } from 'testcontainers';
import { readProcessSettings } from '@autoposter/config';

/** The root of the checkout, searched upwards from this file: a source below `libs` or a bundle below `dist`. */
export function checkoutRoot(): string {
  for (let at = __dirname; ; at = dirname(at)) {
    if (existsSync(join(at, 'nx.json'))) return at;
    if (at === dirname(at)) throw new Error(`${__dirname} is not inside a checkout`);
  }
}

/** A sentence that says why no container can be started, or `null`. Checked once per process. */
let reason: string | null | undefined;

export function noEngineReason(): string | null {
  if (reason !== undefined) return reason;
  try {
    execFileSync('docker', ['info', '--format', '{{.ServerVersion}}'], { stdio: ['ignore', 'pipe', 'pipe'], timeout: 15_000 });
    reason = null;
  } catch (error) {
    const words = (error as { stderr?: Buffer }).stderr?.toString().trim().split('\n')[0];
    reason = `no container engine: ${words || '"docker info" does not answer'}`;
  }
  return reason;
}

/** A suite that needs containers. Without an engine it is skipped with a message; with CI=true it fails. */
export function describeWithContainers(name: string, suite: () => void): void {
  const missing = noEngineReason();
  if (missing === null) {
    describe(name, suite);
    return;
  }
  if (readProcessSettings().ci) {
    describe(name, () => {
      it('needs a container engine', () => {
        throw new Error(missing);
      });
    });
    return;
  }
  process.stderr.write(`skipped: ${name} (${missing})\n`);
  describe.skip(name, suite);
}

/** The image of this name in `docker/images.env`. */
export function imageNamed(name: 'POSTGRES_IMAGE' | 'KAFKA_IMAGE' | 'MINIO_IMAGE'): string {
  const lines = readFileSync(join(checkoutRoot(), 'docker/images.env'), 'utf8');
  const image = new RegExp(`^${name}=(.+)$`, 'mu').exec(lines)?.[1]?.trim();
  if (!image) throw new Error(`docker/images.env names no ${name}`);
  return image;
}

/** A free port of 127.0.0.1. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

export interface KafkaServer {
  brokers: string[];
  container: StartedTestContainer;
  stop(): Promise<void>;
}

interface KafkaOptions {
  environment?: Record<string, string>;
  /** Starts another broker on the log of one that was killed. */
  restarts?: boolean;
}

const RESTARTING = '/etc/kafka/docker/run; while true; do /opt/kafka/bin/kafka-server-start.sh /opt/kafka/config/server.properties; done';

const LOG_SETTINGS = `Configuration:
  Appenders:
    Console: { name: STDOUT, PatternLayout: { pattern: '[%d] %p %m (%c)%n' } }
  Loggers:
    Root: { level: INFO, AppenderRef: [{ ref: STDOUT }] }
`;

/** One broker that is its own controller, without topic auto-creation. */
export async function startKafka({ environment = {}, restarts = false }: KafkaOptions = {}): Promise<KafkaServer> {
  // a broker advertises its own address, so the port is chosen before it starts
  const port = await freePort();
  const image = new GenericContainer(imageNamed('KAFKA_IMAGE'));
  const container = await (restarts ? image.withCommand(['bash', '-c', RESTARTING]) : image)
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
      // a broker of a test lives too briefly for the optimising compiler to pay off
      KAFKA_OPTS: '-XX:TieredStopAtLevel=1',
      ...environment,
    })
    // the image copies its defaults with their permissions and writes into the copy, so these must be writable
    .withCopyContentToContainer(
      ['log4j2.yaml', 'tools-log4j2.yaml'].map((name) => ({ content: LOG_SETTINGS, target: `/etc/kafka/docker/${name}`, mode: 0o644 })),
    )
    .withWaitStrategy(Wait.forLogMessage(/Kafka Server started/u))
    .withStartupTimeout(180_000)
    .start();
  return { brokers: [`127.0.0.1:${port}`], container, stop: async () => void (await container.stop()) };
}

export interface MinioServer {
  endpoint: string;
  accessKey: string;
  secretKey: string;
  container: StartedTestContainer;
  stop(): Promise<void>;
}

export async function startMinio(): Promise<MinioServer> {
  // chosen before the start, so that a restart keeps it
  const port = await freePort();
  const accessKey = 'test-access';
  const secretKey = 'test-secret-key';
  const container = await new GenericContainer(imageNamed('MINIO_IMAGE'))
    .withCommand(['server', '/data'])
    .withEnvironment({ MINIO_ROOT_USER: accessKey, MINIO_ROOT_PASSWORD: secretKey })
    .withExposedPorts({ container: 9000, host: port })
    .withWaitStrategy(Wait.forHttp('/minio/health/ready', 9000))
    .start();
  return {
    endpoint: `http://127.0.0.1:${port}`,
    accessKey,
    secretKey,
    container,
    stop: async () => void (await container.stop()),
  };
}
