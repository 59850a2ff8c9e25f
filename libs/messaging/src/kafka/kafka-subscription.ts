import type { EachBatchPayload, Kafka } from 'kafkajs';
import type { Logger } from '@autoposter/observability';
import { Poller, withinTime } from '@autoposter/resilience';
import { errorText } from '../bus-failures';
import type { SubscribeOptions, Subscription } from '../event-bus.port';
import { readMessage } from '../read-message';
import type { KafkaBusSettings } from './kafka-client';
import { type ConsumerEvents, KafkaConsumer } from './kafka-consumer';
import { OffsetCommits, type PartitionProgress } from './offset-commits';

interface Delivery {
  partition: number;
  offset: bigint;
  key: string;
  text: string;
  readAt: number;
  /** The partition's progress when the message was read; replaced after the partition was lost. */
  progress: PartitionProgress;
}

const LAST_COMMITS_MS = 3_000;

/**
 * Accepts messages from the fetch loop at once, delivers them within the in-flight limit, and commits ended ones. The fetch loop never
 * waits for work, so heartbeats and rebalances continue during long jobs. Each partition has its share of the limit, so that slow ones hold
 * no other.
 */
export class KafkaSubscription implements Subscription {
  /** Read, in the order of the log. */
  private waiting: Delivery[] = [];
  /** Delivered, and neither settled nor moved. */
  private readonly running = new Set<Delivery>();
  private readonly commits: OffsetCommits;
  private readonly consumer: KafkaConsumer;
  private assigned: ReadonlySet<number> = new Set();
  private stopping = false;
  private onEnded: (() => void) | null = null;
  private drained: Promise<void> | null = null;
  private readonly mover: Poller;

  constructor(
    kafka: Kafka,
    private readonly options: SubscribeOptions,
    private readonly settings: KafkaBusSettings,
    /** Appends a message to the topic again. */
    private readonly append: (key: string, text: string) => Promise<void>,
    { onDead, onTopicMissing }: Pick<ConsumerEvents, 'onDead' | 'onTopicMissing'>,
    private readonly logger: Logger,
  ) {
    const { group, topic } = options;
    const events = {
      onBatch: (payload: EachBatchPayload) => this.acceptBatch(payload),
      onJoin: (partitions: ReadonlySet<number>, continued: boolean) => this.joined(partitions, continued),
      onCommitted: (partition: number, offset: string) => this.commits.wasCommitted(partition, offset),
      onTopicMissing,
      onDead: (reason: string) => onDead(`${group} on ${topic}: ${reason}`),
    };
    this.consumer = new KafkaConsumer(kafka, group, topic, settings, events, logger);
    this.commits = new OffsetCommits((offsets) => this.consumer.commit(offsets), settings.commitRetryMs, logger);
    this.mover = new Poller({
      work: () => this.moveBlockers(),
      everyMs: () => settings.tailMs / 4,
      problem: `messages of ${topic} that hold up others could not be moved; retrying`,
      logger,
    });
    this.mover.start();
  }

  get isJoined(): boolean {
    return this.consumer.isJoined;
  }

  start(): Promise<void> {
    return this.consumer.start();
  }

  drain(deadlineMs: number): Promise<void> {
    this.drained ??= this.end(deadlineMs);
    return this.drained;
  }

  private async end(deadlineMs: number): Promise<void> {
    this.stopping = true;
    await this.mover.stop();
    this.waiting = [];
    this.applyPauses();
    if (this.running.size > 0 && deadlineMs > 0) await withinTime(this.idle(), deadlineMs, 'the drain').catch(() => undefined);
    await this.lastCommits(deadlineMs > 0 ? LAST_COMMITS_MS : 0);
    this.commits.stop();
    await this.consumer.stop();
    this.commits.keepOnly(new Set());
  }

  private idle(): Promise<void> {
    return new Promise((resolve) => (this.onEnded = () => void (this.running.size > 0 || resolve())));
  }

  /** A refused commit may only mean a rebalance in progress. Uncommitted messages are delivered again to another consumer. */
  private async lastCommits(withinMs: number): Promise<void> {
    const end = Date.now() + withinMs;
    for (;;) {
      await withinTime(this.commits.now(), LAST_COMMITS_MS, 'committing').catch(() => undefined);
      if (this.commits.pending.length === 0 || Date.now() >= end || !this.consumer.isJoined) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  private joined(partitions: ReadonlySet<number>, continued: boolean): void {
    this.assigned = partitions;
    this.commits.keepOnly(continued ? partitions : new Set());
    this.dropLost();
    this.applyPauses();
    this.commits.soon();
  }

  private async acceptBatch({ batch, resolveOffset, heartbeat, isRunning, isStale }: EachBatchPayload): Promise<void> {
    const { partition } = batch;
    // kafkajs may still process a fetch of a partition that was reassigned
    if (!this.assigned.has(partition)) return;
    if (this.commits.of(partition).isAheadOf(BigInt(batch.highWatermark))) this.forget(partition);
    const progress = this.commits.of(partition);
    for (const message of batch.messages) {
      if (this.stopping || !isRunning() || isStale() || this.mustPause(partition)) break;
      const offset = BigInt(message.offset);
      const key = message.key?.toString() ?? '';
      if (progress.accept(offset))
        this.waiting.push({ partition, offset, key, text: message.value?.toString() ?? '', readAt: Date.now(), progress });
      resolveOffset(message.offset);
    }
    this.deliverReady();
    this.applyPauses();
    await heartbeat();
  }

  private forget(partition: number): void {
    this.logger.warn({ topic: this.options.topic, partition }, 'the topic was recreated; reading from its earliest message');
    this.commits.keepOnly(new Set([...this.assigned].filter((one) => one !== partition)));
    this.dropLost();
  }

  /** Messages of lost partitions are delivered elsewhere; unfinished ones must not use up the limit here. */
  private dropLost(): void {
    const isLost = ({ partition, progress }: Delivery): boolean => !this.commits.has(partition, progress);
    this.waiting = this.waiting.filter((one) => !isLost(one));
    for (const one of this.running) if (isLost(one)) this.running.delete(one);
    this.onEnded?.();
  }

  private get partitions(): number {
    return Math.max(1, this.assigned.size);
  }

  private get bound(): number {
    return Math.min(this.options.maxInFlight ?? this.settings.maxInFlight, this.settings.maxInFlight);
  }

  private deliverReady(): void {
    for (let next = this.nextReady(); next !== undefined; next = this.nextReady()) {
      this.waiting.splice(this.waiting.indexOf(next), 1);
      this.running.add(next);
      // a handler that settles at once comes back here
      void this.deliver(next);
    }
  }

  /** The first waiting message whose partition has not used up its share. */
  private nextReady(): Delivery | undefined {
    if (this.stopping || this.waiting.length === 0 || this.running.size >= this.bound) return undefined;
    const share = Math.max(1, Math.floor(this.bound / this.partitions));
    const running = new Map<number, number>();
    for (const { partition } of this.running) running.set(partition, (running.get(partition) ?? 0) + 1);
    return this.waiting.find(({ partition }) => (running.get(partition) ?? 0) < share);
  }

  private async deliver(delivery: Delivery): Promise<void> {
    const { topic, schema, handle, onQuarantine } = this.options;
    const { partition, key, text } = delivery;
    const offset = String(delivery.offset);
    const settle = (): void => this.ended(delivery);
    try {
      const read = readMessage(text, schema);
      if (read.ok) await handle({ topic, key, envelope: read.envelope, settle });
      else {
        await onQuarantine({ topic, partition, offset, text, reason: read.reason });
        settle();
      }
    } catch (error) {
      // it was settled or moved, or its partition was lost
      if (!this.running.has(delivery)) return;
      this.logger.warn({ topic, partition, offset, error: errorText(error) }, 'a handler rejected a message; it is redelivered');
      setTimeout(() => this.redeliver(delivery), this.settings.redeliverMs).unref();
    }
  }

  private redeliver(delivery: Delivery): void {
    // otherwise it was settled or moved, or its partition was reassigned and the new owner gets it
    if (this.running.delete(delivery) && !this.stopping) this.waiting.unshift(delivery);
    this.onEnded?.();
    this.deliverReady();
  }

  private ended(delivery: Delivery): void {
    if (!this.running.delete(delivery)) return;
    delivery.progress.end(delivery.offset);
    this.onEnded?.();
    this.commits.soon();
    this.deliverReady();
    this.applyPauses();
  }

  private mustPause(partition: number): boolean {
    const { inFlight, tail } = this.commits.of(partition);
    const share = Math.ceil((this.bound + this.settings.readAhead) / this.partitions);
    return inFlight >= share || tail >= this.settings.maxOutOfOrder;
  }

  /**
   * Appends messages again that have blocked ended ones for too long, and ends the blocking ones: then only the messages themselves count as
   * lag, and not those behind them. The copy of a running message is delivered beside it.
   */
  private async moveBlockers(): Promise<void> {
    const { tailMs } = this.settings;
    const isBlocker = ({ offset, progress, readAt }: Delivery) => offset === progress.blocker && Date.now() - readAt >= tailMs;
    const move = async (blocker: Delivery): Promise<void> => {
      await this.append(blocker.key, blocker.text);
      this.ended(blocker);
    };
    const blockers = [...this.running].filter(isBlocker);
    await Promise.all(blockers.map(move));
    // the next message of each partition may block others as well
    if (blockers.length > 0) await this.moveBlockers();
  }

  private applyPauses(): void {
    const pause: number[] = [];
    const resume: number[] = [];
    for (const partition of this.assigned) (this.stopping || this.mustPause(partition) ? pause : resume).push(partition);
    this.consumer.setPaused(pause, resume);
  }
}
