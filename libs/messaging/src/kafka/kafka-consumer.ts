import type { Consumer, EachBatchPayload, Kafka } from 'kafkajs';
import { wordsOf } from '../bus-failures';
import type { BusLogger } from '../event-bus.port';
import { StallDetector } from './deaf-watch';
import { within } from './kafka-client';
import type { KafkaBusSettings } from './kafka-settings';
import type { OffsetToCommit } from './offset-commits';

export interface ConsumerEvents {
  onBatch(payload: EachBatchPayload): Promise<void>;
  /** `continued` is false when the member is new to the group: what it held before may have gone through other hands. */
  onJoin(partitions: ReadonlySet<number>, continued: boolean): void;
  onCommitted(partition: number, offset: string): void;
  /** The consumer is gone for good. */
  onDead(reason: string): void;
}

const FAREWELL_MS = 5_000;
const BETWEEN_STARTS_MS = 1_000;
const pauseBetweenStarts = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, BETWEEN_STARTS_MS));

/** The answers that show that the group and the log are heard. */
const SIGNS_OF_LIFE = new Set(['Fetch', 'Heartbeat', 'JoinGroup', 'SyncGroup']);

/** One member of a group on one topic, made anew when it hears nothing any more or has crashed for good. */
export class KafkaConsumer {
  private consumer: Consumer | null = null;
  private memberId: string | null = null;
  private restarts = 0;
  private joined = false;
  private stopped = false;
  private restarting = false;
  private readonly watch: StallDetector;

  constructor(
    private readonly kafka: Kafka,
    private readonly group: string,
    private readonly topic: string,
    private readonly settings: KafkaBusSettings,
    private readonly events: ConsumerEvents,
    private readonly logger: BusLogger,
  ) {
    this.watch = new StallDetector(settings.deafMs, () => void this.restart(`heard nothing for ${settings.deafMs} ms`));
  }

  get deafRestarts(): number {
    return this.restarts;
  }

  get isJoined(): boolean {
    return this.joined;
  }

  async start(): Promise<void> {
    const { settings } = this;
    const consumer = this.kafka.consumer({
      groupId: this.group,
      sessionTimeout: settings.sessionTimeoutMs,
      heartbeatInterval: settings.heartbeatMs,
      rebalanceTimeout: settings.rebalanceTimeoutMs,
      maxWaitTimeInMs: settings.fetchWaitMs,
      allowAutoTopicCreation: false,
      retry: { initialRetryTime: 200, maxRetryTime: 5_000, retries: 6, restartOnFailure: async () => true },
    });
    this.consumer = consumer;
    this.listenTo(consumer);
    await consumer.connect();
    await consumer.subscribe({ topic: this.topic, fromBeginning: true });
    await consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      eachBatch: async (payload) => {
        if (consumer === this.consumer && !this.stopped) await this.events.onBatch(payload);
      },
    });
  }

  async commit(offsets: readonly OffsetToCommit[]): Promise<void> {
    await this.consumer?.commitOffsets(offsets.map((one) => ({ topic: this.topic, ...one })));
  }

  /** Sets which partitions rest. While the consumer restarts this does nothing; it is set again after the join. */
  rest(partitions: readonly number[], awake: readonly number[]): void {
    try {
      if (partitions.length > 0) this.consumer?.pause([{ topic: this.topic, partitions: [...partitions] }]);
      if (awake.length > 0) this.consumer?.resume([{ topic: this.topic, partitions: [...awake] }]);
    } catch (error) {
      this.logger.debug({ error: wordsOf(error) }, 'not paused: the consumer is not running');
    }
  }

  /** Leaves the group. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.watch.stop();
    await this.dismiss();
  }

  private listenTo(consumer: Consumer): void {
    const { CONNECT, DISCONNECT, CRASH, GROUP_JOIN, COMMIT_OFFSETS, REQUEST } = consumer.events;
    const current = (): boolean => consumer === this.consumer;
    consumer.on(CONNECT, () => current() && this.watch.isConnected(true));
    consumer.on(DISCONNECT, () => current() && this.isAway());
    consumer.on(REQUEST, ({ payload }) => current() && SIGNS_OF_LIFE.has(payload.apiName) && this.watch.heard());
    consumer.on(GROUP_JOIN, ({ payload }) => {
      if (!current()) return;
      const continued = payload.memberId === this.memberId;
      this.memberId = payload.memberId;
      this.joined = true;
      this.watch.heard();
      this.events.onJoin(new Set(payload.memberAssignment[this.topic] ?? []), continued);
    });
    consumer.on(COMMIT_OFFSETS, ({ payload }) => {
      if (!current()) return;
      for (const { partitions } of payload.topics)
        for (const { partition, offset } of partitions) this.events.onCommitted(partition, String(offset));
    });
    consumer.on(CRASH, ({ payload }) => {
      if (!current()) return;
      this.isAway();
      this.logger.error(
        { group: this.group, topic: this.topic, restarts: payload.restart, error: wordsOf(payload.error) },
        'a consumer crashed',
      );
      if (!payload.restart) void this.restart(`the consumer crashed: ${wordsOf(payload.error)}`);
    });
  }

  private isAway(): void {
    this.joined = false;
    this.watch.isConnected(false);
  }

  private async restart(reason: string): Promise<void> {
    if (this.stopped || this.restarting) return;
    this.restarting = true;
    this.restarts += 1;
    this.isAway();
    const dead = this.restarts >= this.settings.deafLimit;
    this.logger.error(
      { group: this.group, topic: this.topic, reason, restarts: this.restarts },
      dead ? 'a consumer is dead' : 'a consumer is made anew',
    );
    await this.dismiss();
    if (dead) {
      this.stopped = true;
      this.watch.stop();
      this.restarting = false;
      this.events.onDead(reason);
      return;
    }
    await pauseBetweenStarts();
    this.restarting = false;
    await this.startUntilItDoes();
  }

  /** Brokers that do not answer are no fault of the consumer: it waits for them. */
  private async startUntilItDoes(): Promise<void> {
    while (!this.stopped) {
      try {
        return await this.start();
      } catch (error) {
        this.logger.warn({ group: this.group, topic: this.topic, error: wordsOf(error) }, 'a consumer could not start, trying again');
        await this.dismiss();
        await pauseBetweenStarts();
      }
    }
  }

  private async dismiss(): Promise<void> {
    const consumer = this.consumer;
    this.consumer = null;
    this.memberId = null;
    this.joined = false;
    // A consumer that hears nothing may not hear this either; it is left to itself then, and its session runs out.
    if (consumer) await within(FAREWELL_MS, 'leaving', consumer.disconnect()).catch(() => undefined);
  }
}
