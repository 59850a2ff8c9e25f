import type { Consumer, EachBatchPayload, Kafka } from 'kafkajs';
import type { Logger } from '@autoposter/observability';
import { retry } from '@autoposter/resilience';
import { errorText, isTopicMissing } from '../bus-failures';
import { disconnected, type KafkaBusSettings } from './kafka-client';
import type { OffsetToCommit } from './offset-commits';

/**
 * Detects a connected consumer without any answer to a fetch or heartbeat for `stallMs`. Every Kafka client has such stalls, and they raise
 * no error. A disconnected consumer does not count: it reconnects automatically.
 */
export class StallDetector {
  private connected = false;
  private lastActivity = 0;
  private lastCheck = 0;
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly stallMs: number,
    private readonly onStalled: () => void,
  ) {
    this.lastCheck = Date.now();
    this.timer = setInterval(() => this.check(), this.everyMs);
    this.timer.unref();
  }

  setConnected(connected: boolean): void {
    this.connected = connected;
    this.lastActivity = Date.now();
  }

  recordActivity(): void {
    this.lastActivity = Date.now();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private get everyMs(): number {
    return Math.max(10, this.stallMs / 4);
  }

  private check(): void {
    const now = Date.now();
    // the whole process was frozen, not the consumer: start over
    if (now - this.lastCheck > this.everyMs * 2) this.lastActivity = now;
    this.lastCheck = now;
    if (!this.connected || now - this.lastActivity < this.stallMs) return;
    this.lastActivity = now;
    this.onStalled();
  }
}

export interface ConsumerEvents {
  onBatch(payload: EachBatchPayload): Promise<void>;
  /** `continued` is false for a new member: its former partitions may have been consumed by others. */
  onJoin(partitions: ReadonlySet<number>, continued: boolean): void;
  onCommitted(partition: number, offset: string): void;
  /** The brokers do not have the topic. */
  onTopicMissing(): void;
  /** The consumer cannot be restarted. */
  onDead(reason: string): void;
}

const BETWEEN_STARTS_MS = 1_000;
const pauseBetweenStarts = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, BETWEEN_STARTS_MS));

/** Requests whose answers prove that the consumer is not stalled. */
const LIVENESS_REQUESTS = new Set(['Fetch', 'Heartbeat', 'JoinGroup', 'SyncGroup']);

/** One member of a group on one topic; recreated after a stall or an unrecoverable crash. */
export class KafkaConsumer {
  isJoined = false;
  private consumer: Consumer | null = null;
  private memberId: string | null = null;
  private restarts = 0;
  private stopped = false;
  private readonly stallDetector: StallDetector;

  constructor(
    private readonly kafka: Kafka,
    private readonly group: string,
    private readonly topic: string,
    private readonly settings: KafkaBusSettings,
    private readonly events: ConsumerEvents,
    private readonly logger: Logger,
  ) {
    this.stallDetector = new StallDetector(settings.stallMs, () => void this.restart(`no answer for ${settings.stallMs} ms`));
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
      retry: {
        initialRetryTime: 200,
        maxRetryTime: 5_000,
        retries: 6,
        // kafkajs restarts a consumer of a missing topic five times a second
        restartOnFailure: async () => {
          await pauseBetweenStarts();
          return !this.stopped;
        },
      },
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

  /** Pauses and resumes partitions. Does nothing while the consumer restarts; the caller repeats it after the join. */
  setPaused(pause: readonly number[], resume: readonly number[]): void {
    try {
      if (pause.length > 0) this.consumer?.pause([{ topic: this.topic, partitions: [...pause] }]);
      if (resume.length > 0) this.consumer?.resume([{ topic: this.topic, partitions: [...resume] }]);
    } catch (error) {
      this.logger.debug({ error: errorText(error) }, 'cannot pause partitions: the consumer is not running');
    }
  }

  /** Leaves the group. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.stallDetector.stop();
    await this.disconnect();
  }

  private listenTo(consumer: Consumer): void {
    const { CONNECT, DISCONNECT, CRASH, GROUP_JOIN, COMMIT_OFFSETS, REQUEST } = consumer.events;
    const current = (): boolean => consumer === this.consumer;
    consumer.on(CONNECT, () => current() && this.stallDetector.setConnected(true));
    consumer.on(DISCONNECT, () => current() && this.disconnected());
    consumer.on(REQUEST, ({ payload }) => current() && LIVENESS_REQUESTS.has(payload.apiName) && this.stallDetector.recordActivity());
    consumer.on(GROUP_JOIN, ({ payload }) => {
      if (!current()) return;
      const continued = payload.memberId === this.memberId;
      this.memberId = payload.memberId;
      this.isJoined = true;
      this.stallDetector.recordActivity();
      this.events.onJoin(new Set(payload.memberAssignment[this.topic] ?? []), continued);
    });
    consumer.on(COMMIT_OFFSETS, ({ payload }) => {
      if (!current()) return;
      for (const { partitions } of payload.topics)
        for (const { partition, offset } of partitions) this.events.onCommitted(partition, String(offset));
    });
    consumer.on(CRASH, ({ payload }) => {
      if (!current()) return;
      this.disconnected();
      this.logger.error(
        { group: this.group, topic: this.topic, restarts: payload.restart, error: errorText(payload.error) },
        'a consumer crashed',
      );
      if (isTopicMissing(payload.error)) this.events.onTopicMissing();
      if (!payload.restart) void this.restart(`the consumer crashed: ${errorText(payload.error)}`);
    });
  }

  private disconnected(): void {
    this.isJoined = false;
    this.stallDetector.setConnected(false);
  }

  private async restart(reason: string): Promise<void> {
    if (this.stopped) return;
    this.restarts += 1;
    const isLast = this.restarts >= this.settings.stallLimit;
    this.logger.error(
      { group: this.group, topic: this.topic, reason, restarts: this.restarts },
      isLast ? 'a consumer failed permanently' : 'a consumer is recreated',
    );
    if (isLast) {
      await this.stop();
      this.events.onDead(reason);
      return;
    }
    // a former consumer reports nothing any more, so that it cannot be replaced twice
    await this.disconnect();
    await pauseBetweenStarts();
    // until the brokers answer; their outage does not count as a restart
    await retry(() => (this.stopped ? Promise.resolve() : this.start()), {
      firstPauseMs: BETWEEN_STARTS_MS,
      longestPauseMs: BETWEEN_STARTS_MS,
      onRetry: (error) => {
        this.logger.warn({ group: this.group, topic: this.topic, error: errorText(error) }, 'a consumer could not start; retrying');
        if (isTopicMissing(error)) this.events.onTopicMissing();
        void this.disconnect();
      },
    });
  }

  private async disconnect(): Promise<void> {
    const consumer = this.consumer;
    this.consumer = null;
    this.memberId = null;
    this.disconnected();
    // a stalled consumer may not answer this either; then its session expires
    if (consumer) await disconnected(Promise.resolve(consumer));
  }
}
