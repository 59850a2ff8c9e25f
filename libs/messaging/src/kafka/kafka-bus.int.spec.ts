import { randomBytes, randomUUID } from 'node:crypto';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { allTopics, consumerGroup, STAGES, topics, type Topic } from '@autoposter/contracts';
import { ConfigResourceTypes, Kafka, logLevel, Partitioners } from 'kafkajs';
import { GenericContainer, Wait, type StartedTestContainer } from 'testcontainers';
import { z } from 'zod';
import { describeEventBus, until, type BusHarness } from '../event-bus.contract';
import type { EventBus, Received } from '../event-bus.port';
import { describeWithEngine, imageNamed } from '../testing/engine';
import { KafkaBus } from './kafka-bus';
import type { KafkaBusSettings } from './kafka-settings';

const run = describeWithEngine('KafkaBus');
jest.setTimeout(180_000);

const LOG_CONFIG = `Configuration:
  Appenders:
    Console: { name: STDOUT, PatternLayout: { pattern: '[%d] %p %m (%c)%n' } }
  Loggers:
    Root: { level: INFO, AppenderRef: [{ ref: STDOUT }] }
`;

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });

/** The connections of one bus, which can be cut as a killed process is. */
class Wires {
  private readonly sockets = new Set<Socket>();
  private cut = false;

  readonly open = ({ host, port, onConnect }: { host: string; port: number; onConnect: () => void }): Socket => {
    const socket = connect({ host, port: this.cut ? 1 : port }, onConnect);
    this.sockets.add(socket);
    socket.once('close', () => this.sockets.delete(socket));
    return socket;
  };

  sever(): void {
    this.cut = true;
    for (const socket of this.sockets) socket.destroy();
  }
}

run('on Apache Kafka', () => {
  let container: StartedTestContainer;
  let broker: string;
  let raw: Kafka;
  const wires = new Map<EventBus, Wires>();
  const opened: KafkaBus[] = [];

  beforeAll(async () => {
    // A broker tells clients its own address, so the port is chosen before it starts.
    const port = await freePort();
    broker = `127.0.0.1:${port}`;
    container = await new GenericContainer(imageNamed('KAFKA_IMAGE'))
      .withExposedPorts({ container: port, host: port })
      // After the first broker process was killed, another one starts on the same log.
      .withCommand([
        'bash',
        '-c',
        '/etc/kafka/docker/run; while true; do /opt/kafka/bin/kafka-server-start.sh /opt/kafka/config/server.properties; done',
      ])
      .withEnvironment({
        KAFKA_NODE_ID: '1',
        KAFKA_PROCESS_ROLES: 'broker,controller',
        KAFKA_LISTENERS: `PLAINTEXT://:${port},CONTROLLER://:19093`,
        KAFKA_ADVERTISED_LISTENERS: `PLAINTEXT://${broker}`,
        KAFKA_CONTROLLER_LISTENER_NAMES: 'CONTROLLER',
        KAFKA_LISTENER_SECURITY_PROTOCOL_MAP: 'CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT',
        KAFKA_CONTROLLER_QUORUM_VOTERS: '1@localhost:19093',
        KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR: '1',
        KAFKA_OFFSETS_TOPIC_NUM_PARTITIONS: '1',
        KAFKA_TRANSACTION_STATE_LOG_REPLICATION_FACTOR: '1',
        KAFKA_TRANSACTION_STATE_LOG_MIN_ISR: '1',
        KAFKA_SHARE_COORDINATOR_STATE_TOPIC_REPLICATION_FACTOR: '1',
        KAFKA_SHARE_COORDINATOR_STATE_TOPIC_MIN_ISR: '1',
        KAFKA_GROUP_INITIAL_REBALANCE_DELAY_MS: '0',
        KAFKA_GROUP_MIN_SESSION_TIMEOUT_MS: '1000',
        KAFKA_AUTO_CREATE_TOPICS_ENABLE: 'false',
        KAFKA_HEAP_OPTS: '-Xmx512m',
      })
      // The image copies its own defaults with their permissions and then writes into the copy: these are writable wherever it was built.
      .withCopyContentToContainer(
        ['log4j2.yaml', 'tools-log4j2.yaml'].map((name) => ({ content: LOG_CONFIG, target: `/etc/kafka/docker/${name}`, mode: 0o644 })),
      )
      .withWaitStrategy(Wait.forLogMessage(/Kafka Server started/))
      .start();
    raw = new Kafka({ clientId: 'raw', brokers: [broker], logLevel: logLevel.NOTHING });
  }, 300_000);
  afterAll(async () => container?.stop());

  const openBus = (settings: Partial<KafkaBusSettings> = {}, onStalled?: (reason: string) => void): KafkaBus => {
    const own = new Wires();
    const quick = {
      sessionTimeoutMs: 3_000,
      heartbeatMs: 300,
      rebalanceTimeoutMs: 6_000,
      fetchWaitMs: 100,
      redeliverMs: 50,
      commitRetryMs: 500,
    };
    const bus = new KafkaBus({ brokers: [broker], clientId: 'trial', connectSocket: own.open, ...quick, ...settings }, onStalled);
    wires.set(bus, own);
    opened.push(bus);
    return bus;
  };

  const makeHarness = async (): Promise<BusHarness> => {
    const producer = raw.producer({ createPartitioner: Partitioners.DefaultPartitioner });
    await producer.connect();
    return {
      open: async () => openBus(),
      kill: async (bus) => wires.get(bus)!.sever(),
      inject: async (topic, key, text) => void (await producer.send({ topic, messages: [{ key, value: text }] })),
      close: () => producer.disconnect(),
    };
  };
  describeEventBus('KafkaBus', makeHarness, { soonMs: 10_000, takeoverMs: 20_000, quietMs: 1_500 });

  describe('beyond the contract', () => {
    const group = 'trial.group';
    let topic: Topic;
    let bus: KafkaBus;

    beforeEach(async () => {
      opened.length = 0;
      topic = { ...topics.facts, name: `trial.${randomUUID().slice(0, 8)}`, partitions: 4 };
      bus = openBus();
      await bus.ensureTopics([topic], [{ group, topic: topic.name }]);
    });
    afterEach(async () => {
      await Promise.all(opened.map((one) => one.close()));
    });

    const envelope = (n: number) => ({
      id: randomUUID(),
      type: 'trial',
      occurredAt: new Date(0).toISOString(),
      subjectId: randomUUID(),
      correlationId: randomUUID(),
      causationId: null,
      traceparent: null,
      payload: { n },
    });
    const publish = (from: number, to: number) =>
      bus.publish(Array.from({ length: to - from }, (_, i) => ({ topic: topic.name, key: `key-${from + i}`, value: envelope(from + i) })));
    const listenWith = (on: KafkaBus, handle: (message: Received) => void) =>
      on.subscribe({ group, topic: topic.name, schema: z.any(), handle: async (m) => handle(m), onQuarantine: async () => undefined });
    const nOf = (message: Received) => (message.envelope.payload as { n: number }).n;

    it('declares the topics of the product as they are declared, and commits first offsets for every partition', async () => {
      const groups = STAGES.map((stage) => ({ group: consumerGroup(stage), topic: topics.requested[stage].name }));
      await Promise.all([bus, openBus()].map((one) => one.ensureTopics(allTopics, groups)));
      const admin = raw.admin();
      await admin.connect();
      const { topics: there } = await admin.fetchTopicMetadata({ topics: allTopics.map((one) => one.name) });
      expect(there.map((one) => [one.name, one.partitions.length]).sort()).toEqual(
        allTopics.map((one) => [one.name, one.partitions]).sort(),
      );
      await bus.ensureTopics([], groups);
      for (const one of groups) {
        const [offsets] = await admin.fetchOffsets({ groupId: one.group, topics: [one.topic] });
        expect(offsets!.partitions.map((partition) => partition.offset)).toEqual(Array(12).fill('0'));
      }
      await admin.disconnect();
    });

    it('finishes long work once while consumers come and go, and the lag stays honest', async () => {
      const runs = new Map<number, number>();
      const working = new Set<number>();
      // What the job table does in the product: a repeated message is watched, not run.
      const work = (message: Received): void => {
        const n = nOf(message);
        if (runs.has(n)) {
          const watch = setInterval(() => {
            if (working.has(n)) return;
            clearInterval(watch);
            message.settle();
          }, 50);
          return;
        }
        runs.set(n, 1);
        working.add(n);
        setTimeout(() => {
          working.delete(n);
          message.settle();
        }, 4_000);
      };
      await listenWith(bus, work);
      await publish(0, 12);
      await until('all begun', () => runs.size === 12, 10_000);
      expect(await bus.lag(group, topic.name)).toBe(12);
      const second = await listenWith(openBus(), work);
      await listenWith(openBus(), work);
      expect(await bus.lag(group, topic.name)).toBeGreaterThanOrEqual(working.size);
      await second.drain(10_000);
      await until('lag 0', async () => (await bus.lag(group, topic.name)) === 0, 20_000);
      expect([...runs.values()]).toEqual(Array(12).fill(1));
    });

    it('does not commit past work that has not ended', async () => {
      const held = new Map<number, Received>();
      await listenWith(bus, (message) => void held.set(nOf(message), message));
      const one = (n: number) => bus.publish([{ topic: topic.name, key: 'same-partition', value: envelope(n) }]);
      await one(0);
      await until('the first', () => held.has(0), 10_000);
      await publish(1, 40);
      await until('all the others', () => held.size === 40, 10_000);
      for (const [n, message] of held) if (n !== 0) message.settle();
      await until('the other partitions', async () => (await bus.lag(group, topic.name)) < 30, 10_000);
      expect(await bus.lag(group, topic.name)).toBeGreaterThanOrEqual(1);
      held.get(0)!.settle();
      await until('lag 0', async () => (await bus.lag(group, topic.name)) === 0, 10_000);
    });

    it('reads no further ahead than it is told', async () => {
      const held: Received[] = [];
      await listenWith(openBus({ maxInFlight: 3, readAhead: 2 }), (message) => void held.push(message));
      await publish(0, 30);
      await until('three', () => held.length === 3, 10_000);
      for (let done = 0; done < 30;) {
        expect(held.length).toBeLessThanOrEqual(3);
        const batch = held.splice(0);
        batch.forEach((message) => message.settle());
        done += batch.length;
        if (done < 30) await until(`more than ${done}`, () => held.length > 0, 10_000);
      }
      await until('lag 0', async () => (await bus.lag(group, topic.name)) === 0, 10_000);
    });

    it('makes a consumer anew that hears nothing, and goes on', async () => {
      const got = new Set<number>();
      const other = openBus({ deafMs: 1_500, deafLimit: 1_000, requestTimeoutMs: 30_000 });
      const subscription = await listenWith(other, (message) => {
        got.add(nOf(message));
        message.settle();
      });
      await publish(0, 1);
      await until('the first', () => got.has(0), 10_000);
      const { Docker } = { Docker: (await import('testcontainers')).getContainerRuntimeClient };
      const engine = (await Docker()).container.dockerode.getContainer(container.getId());
      await engine.pause();
      try {
        await until('a restart', () => subscription.deafRestarts > 0, 15_000);
        expect((await other.health()).ok).toBe(false);
      } finally {
        await engine.unpause();
      }
      await until(
        'publishing again',
        () =>
          publish(1, 2).then(
            () => true,
            () => false,
          ),
        30_000,
      );
      await until('the second', () => got.has(1), 30_000);
      await until('healthy', async () => (await other.health()).ok, 10_000);
    });

    it('says when a consumer cannot be brought back', async () => {
      const onStalled = jest.fn();
      const other = openBus({ deafMs: 300, deafLimit: 1, heartbeatMs: 2_900, fetchWaitMs: 2_500 }, onStalled);
      await listenWith(other, () => undefined);
      await until('the call', () => onStalled.mock.calls.length > 0, 10_000);
      expect(onStalled).toHaveBeenCalledWith(expect.stringContaining(topic.name));
      expect(await other.health()).toMatchObject({ ok: false, detail: expect.stringContaining('heard nothing') });
    });

    it('publishes to a topic while another one refuses a message or was deleted', async () => {
      const small: Topic = { ...topic, name: `${topic.name}.small`, partitions: 1 };
      await bus.ensureTopics([small], []);
      const admin = raw.admin();
      await admin.connect();
      const limit = [{ name: 'max.message.bytes', value: '1000' }];
      await admin.alterConfigs({
        validateOnly: false,
        resources: [{ type: ConfigResourceTypes.TOPIC, name: small.name, configEntries: limit }],
      });
      const good = () => ({ topic: topic.name, key: 'a', value: envelope(1) });
      const large = { topic: small.name, key: 'a', value: { ...envelope(2), payload: { text: randomBytes(5_000).toString('hex') } } };
      // a broker applies the new limit a moment later
      await until(
        'a refusal',
        () =>
          bus.publish([large, good()]).then(
            () => false,
            (error: { failure: { kind: string } }) => error.failure.kind === 'too_large',
          ),
        10_000,
      );
      await bus.publish([{ ...large, value: envelope(3) }]);
      await admin.deleteTopics({ topics: [small.name] });
      await admin.disconnect();
      const before = await bus.lag(group, topic.name);
      await expect(bus.publish([{ ...large, value: envelope(4) }, good()])).rejects.toMatchObject({ failure: { kind: 'transient' } });
      expect(await bus.lag(group, topic.name)).toBe(before + 1);
    });

    it('goes on by itself after the broker was killed and came back', async () => {
      const got = new Set<number>();
      await listenWith(bus, (message) => {
        got.add(nOf(message));
        message.settle();
      });
      await publish(0, 5);
      await until('the first five', () => got.size === 5, 10_000);
      await container.exec(['bash', '-c', 'for p in /proc/[0-9]*; do [ "$(cat $p/comm)" = java ] && kill -9 ${p#/proc/}; done']);
      await until(
        'publishing again',
        () =>
          publish(5, 10).then(
            () => true,
            () => false,
          ),
        120_000,
      );
      await until('all', () => got.size === 10, 60_000);
      await until('lag 0', async () => (await bus.lag(group, topic.name).catch(() => -1)) === 0, 30_000);
    });

    it('rejects within its time when no broker answers, and is not well', async () => {
      const away = openBus({ brokers: ['127.0.0.1:1'], publishTimeoutMs: 1_000 });
      await expect(away.publish([{ topic: topic.name, key: 'a', value: envelope(1) }])).rejects.toMatchObject({
        failure: { kind: 'transient' },
      });
      expect((await away.health()).ok).toBe(false);
    });
  });
});
