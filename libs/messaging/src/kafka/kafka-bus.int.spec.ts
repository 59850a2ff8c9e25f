import { randomBytes, randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { ConfigResourceTypes, Kafka, logLevel, Partitioners } from 'kafkajs';
import { getContainerRuntimeClient } from 'testcontainers';
import { z } from 'zod';
import { allTopics, consumerGroup, STAGES, type Topic, topics } from '@autoposter/contracts';
import { type BusHarness, describeEventBus } from '../event-bus.contract';
import type { EventBus, Received } from '../event-bus.port';
import { type Logger, silentLogger } from '@autoposter/observability';
import { describeWithContainers, type KafkaServer, pollUntil, startKafka } from '@autoposter/testkit';
import { KafkaBus } from './kafka-bus';
import type { KafkaBusSettings } from './kafka-client';

/** A broker in a container on a busy machine takes seconds for each rebalance. */
const WAIT_MS = 60_000;

/** The connections of one bus, which a test can cut. */
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

describeWithContainers('KafkaBus on Apache Kafka', () => {
  let kafka: KafkaServer;
  let raw: Kafka;
  const wires = new Map<EventBus, Wires>();
  const opened: KafkaBus[] = [];

  beforeAll(async () => {
    kafka = await startKafka({ restarts: true, environment: { KAFKA_GROUP_MIN_SESSION_TIMEOUT_MS: '1000' } });
    raw = new Kafka({ clientId: 'raw', brokers: kafka.brokers, logLevel: logLevel.NOTHING });
  });
  afterAll(() => kafka?.stop());

  const openBus = (settings: Partial<KafkaBusSettings> = {}, onStalled?: (reason: string) => void, logger?: Logger): KafkaBus => {
    const own = new Wires();
    const quick = {
      sessionTimeoutMs: 3_000,
      heartbeatMs: 300,
      rebalanceTimeoutMs: 6_000,
      fetchWaitMs: 100,
      redeliverMs: 50,
      commitRetryMs: 500,
    };
    const bus = new KafkaBus(
      { brokers: kafka.brokers, clientId: 'trial', connectSocket: own.open, ...quick, ...settings },
      onStalled,
      logger,
    );
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
  describeEventBus('KafkaBus', makeHarness, { soonMs: WAIT_MS, takeoverMs: WAIT_MS, quietMs: 1_500 });

  describe('KafkaBus beyond the contract', () => {
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
      bus.publish(
        Array.from({ length: to - from }, (_, i) => ({ topic: topic.name, key: `key-${from + i}`, envelope: envelope(from + i) })),
      );
    const listenWith = (on: KafkaBus, handle: (message: Received) => void) =>
      on.subscribe({ group, topic: topic.name, schema: z.any(), handle: async (m) => handle(m), onQuarantine: async () => undefined });
    const nOf = (message: Received) => (message.envelope.payload as { n: number }).n;

    it('declares the topics of the product and commits first offsets for every partition', async () => {
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

    it('finishes long work once during rebalances, with a correct lag', async () => {
      const runs = new Map<number, number>();
      const working = new Set<number>();
      let end: () => void = () => undefined;
      const ended = new Promise<void>((resolve) => (end = resolve));
      // as the job table does: a repeated message is watched, not run
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
        void ended.then(() => {
          working.delete(n);
          message.settle();
        });
      };
      await listenWith(bus, work);
      await publish(0, 12);
      await pollUntil(() => runs.size === 12, WAIT_MS, 'all begun');
      expect(await bus.lag(group, topic.name)).toBe(12);
      const second = await listenWith(openBus(), work);
      await listenWith(openBus(), work);
      expect(await bus.lag(group, topic.name)).toBeGreaterThanOrEqual(working.size);
      const drained = second.drain(WAIT_MS);
      end();
      await drained;
      await pollUntil(async () => (await bus.lag(group, topic.name)) === 0, WAIT_MS, 'lag 0');
      expect([...runs.values()]).toEqual(Array(12).fill(1));
    });

    it('does not commit past unfinished work', async () => {
      const held = new Map<number, Received>();
      await listenWith(bus, (message) => void held.set(nOf(message), message));
      const one = (n: number) => bus.publish([{ topic: topic.name, key: 'same-partition', envelope: envelope(n) }]);
      await one(0);
      await pollUntil(() => held.has(0), WAIT_MS, 'the first');
      await publish(1, 40);
      await pollUntil(() => held.size === 40, WAIT_MS, 'all the others');
      for (const [n, message] of held) if (n !== 0) message.settle();
      await pollUntil(async () => (await bus.lag(group, topic.name)) < 30, WAIT_MS, 'the other partitions');
      expect(await bus.lag(group, topic.name)).toBeGreaterThanOrEqual(1);
      held.get(0)!.settle();
      await pollUntil(async () => (await bus.lag(group, topic.name)) === 0, WAIT_MS, 'lag 0');
    });

    it('counts only the unfinished message as lag once it has held up finished ones for too long', async () => {
      const held: Received[] = [];
      topic = { ...topic, name: `${topic.name}.single`, partitions: 1 };
      await bus.ensureTopics([topic], [{ group, topic: topic.name }]);
      await listenWith(openBus({ tailMs: 1_000 }), (message) => void (nOf(message) === 0 ? held.push(message) : message.settle()));
      await publish(0, 40);
      await pollUntil(async () => held.length > 0 && (await bus.lag(group, topic.name)) === 1, WAIT_MS, 'lag 1');
      await pollUntil(() => held.length === 2, WAIT_MS, 'its copy');
      held[0]!.settle();
      expect(await bus.lag(group, topic.name)).toBe(1);
      held[1]!.settle();
      await pollUntil(async () => (await bus.lag(group, topic.name)) === 0, WAIT_MS, 'lag 0');
    });

    it('delivers messages of other partitions while one is full of unfinished work', async () => {
      const got: number[] = [];
      await listenWith(openBus({ maxInFlight: 8, readAhead: 4 }), (message) => {
        got.push(nOf(message));
        if (nOf(message) > 0) message.settle();
      });
      const slow = Array.from({ length: 30 }, () => ({ topic: topic.name, key: 'slow', envelope: envelope(0) }));
      await bus.publish(slow);
      const share = 2;
      await pollUntil(() => got.length === share, WAIT_MS, 'as many as one of four partitions may have in flight');
      await publish(1, 41);
      await pollUntil(() => got.length > 20, WAIT_MS, 'those of other partitions');
      expect(got.filter((n) => n === 0)).toHaveLength(share);
    });

    it('reads no further ahead than its limit', async () => {
      const held: Received[] = [];
      await listenWith(openBus({ maxInFlight: 3, readAhead: 2 }), (message) => void held.push(message));
      await publish(0, 30);
      await pollUntil(() => held.length === 3, WAIT_MS, 'three');
      for (let done = 0; done < 30;) {
        expect(held.length).toBeLessThanOrEqual(3);
        const batch = held.splice(0);
        batch.forEach((message) => message.settle());
        done += batch.length;
        if (done < 30) await pollUntil(() => held.length > 0, WAIT_MS, `more than ${done}`);
      }
      await pollUntil(async () => (await bus.lag(group, topic.name)) === 0, WAIT_MS, 'lag 0');
    });

    it('recreates a stalled consumer and continues', async () => {
      const got = new Set<number>();
      const error = jest.fn();
      const logger = { ...silentLogger, error };
      const other = openBus({ stallMs: 1_500, stallLimit: 1_000, requestTimeoutMs: 30_000 }, undefined, logger);
      await listenWith(other, (message) => {
        got.add(nOf(message));
        message.settle();
      });
      await publish(0, 1);
      await pollUntil(() => got.has(0), WAIT_MS, 'the first');
      const engine = (await getContainerRuntimeClient()).container.dockerode.getContainer(kafka.container.getId());
      await engine.pause();
      try {
        const hasRestarted = () => error.mock.calls.some(([, message]) => message === 'a consumer is recreated');
        await pollUntil(hasRestarted, WAIT_MS, 'a restart');
        expect((await other.health()).ok).toBe(false);
      } finally {
        await engine.unpause();
      }
      await pollUntil(
        () =>
          publish(1, 2).then(
            () => true,
            () => false,
          ),
        WAIT_MS,
        'publishing again',
      );
      await pollUntil(() => got.has(1), WAIT_MS, 'the second');
      await pollUntil(async () => (await other.health()).ok, WAIT_MS, 'healthy');
    });

    it('reports a consumer that cannot be recovered', async () => {
      const onStalled = jest.fn();
      const other = openBus({ stallMs: 300, stallLimit: 1, heartbeatMs: 2_900, fetchWaitMs: 2_500 }, onStalled);
      await listenWith(other, () => undefined);
      await pollUntil(() => onStalled.mock.calls.length > 0, WAIT_MS, 'the call');
      expect(onStalled).toHaveBeenCalledWith(expect.stringContaining(topic.name));
      expect(await other.health()).toMatchObject({ ok: false, detail: expect.stringContaining('no answer for') });
    });

    it('publishes to a topic while another refuses a message or was deleted', async () => {
      const small: Topic = { ...topic, name: `${topic.name}.small`, partitions: 1 };
      // a bus that declared the topic would declare it again after its deletion
      await openBus().ensureTopics([small], []);
      const admin = raw.admin();
      await admin.connect();
      const limit = [{ name: 'max.message.bytes', value: '1000' }];
      await admin.alterConfigs({
        validateOnly: false,
        resources: [{ type: ConfigResourceTypes.TOPIC, name: small.name, configEntries: limit }],
      });
      const good = { topic: topic.name, key: 'a', envelope: envelope(1) };
      const large = { topic: small.name, key: 'a', envelope: { ...envelope(2), payload: { text: randomBytes(5_000).toString('hex') } } };
      // a broker applies the new limit a moment later
      await pollUntil(
        () =>
          bus.publish([large]).then(
            () => false,
            (error: { failure: { kind: string } }) => error.failure.kind === 'too_large',
          ),
        WAIT_MS,
        'a refusal',
      );
      const little = { ...large, envelope: envelope(3) };
      await bus.publish([little, good]);
      await expect(bus.publish([large], true)).rejects.toMatchObject({ failure: { kind: 'too_large' } });
      await admin.deleteTopics({ topics: [small.name] });
      await admin.disconnect();
      const before = await bus.lag(group, topic.name);
      const refused = expect(bus.publish([little], true)).rejects.toMatchObject({ failure: { kind: 'transient' } });
      await bus.publish([good]);
      await refused;
      expect(await bus.lag(group, topic.name)).toBe(before + 1);
      await expect(bus.publish([little, good])).rejects.toMatchObject({ failure: { kind: 'transient' } });
      await bus.publish([good]);
      // the refused request may have appended it too
      expect([before + 2, before + 3]).toContain(await bus.lag(group, topic.name));
    });

    it('declares topics again that the brokers have lost, and continues', async () => {
      const got = new Set<number>();
      await listenWith(bus, (message) => {
        got.add(nOf(message));
        message.settle();
      });
      const admin = raw.admin();
      await admin.connect();
      await admin.deleteTopics({ topics: [topic.name] });
      await pollUntil(
        () =>
          publish(0, 5).then(
            () => true,
            () => false,
          ),
        WAIT_MS,
        'publishing',
      );
      await pollUntil(() => got.size === 5, WAIT_MS, 'the messages');
      await pollUntil(async () => (await bus.health()).ok, WAIT_MS, 'good health');
      expect(await admin.fetchTopicOffsets(topic.name)).toHaveLength(topic.partitions);
      await admin.disconnect();
    });

    it('continues automatically after the broker was killed and restarted', async () => {
      const got = new Set<number>();
      await listenWith(bus, (message) => {
        got.add(nOf(message));
        message.settle();
      });
      await publish(0, 5);
      await pollUntil(() => got.size === 5, WAIT_MS, 'the first five');
      await kafka.container.exec(['bash', '-c', 'for p in /proc/[0-9]*; do [ "$(cat $p/comm)" = java ] && kill -9 ${p#/proc/}; done']);
      await pollUntil(
        () =>
          publish(5, 10).then(
            () => true,
            () => false,
          ),
        120_000,
        'publishing again',
      );
      await pollUntil(() => got.size === 10, 60_000, 'all');
      await pollUntil(async () => (await bus.lag(group, topic.name).catch(() => -1)) === 0, WAIT_MS, 'lag 0');
    });

    it('rejects within its time limit and reports bad health when no broker answers', async () => {
      const away = openBus({ brokers: ['127.0.0.1:1'], publishTimeoutMs: 1_000 });
      await expect(away.publish([{ topic: topic.name, key: 'a', envelope: envelope(1) }])).rejects.toMatchObject({
        failure: { kind: 'transient' },
      });
      expect((await away.health()).ok).toBe(false);
    });
  });
});
