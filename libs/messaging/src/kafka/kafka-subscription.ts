import type { EachBatchPayload, Kafka } from 'kafkajs';
import { errorText } from '../bus-failures';
import type { BusLogger, SubscribeOptions, Subscription } from '../event-bus.port';
import { readMessage } from '../read-message';
import { type KafkaBusSettings, within } from './kafka-client';
import { KafkaConsumer } from './kafka-consumer';
import { KeyedWorkQueue, type KeyedWork } from './keyed-work-queue';
import { OffsetCommits, type PartitionProgress } from './offset-commits';

interface Work extends KeyedWork {
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
 * waits for work, so heartbeats and rebalances continue during long jobs. Each partition has its share of the limit, so that a slow one holds
 * no other.
 */
export class KafkaSubscription implements Subscription {
  private readonly queue = new KeyedWorkQueue<Work>();
  private readonly commits: OffsetCommits;
  private readonly consumer: KafkaConsumer;
  private assigned: ReadonlySet<number> = new Set();
  private pausedPartitions = new Set<number>();
  private stopping = false;
  private onEnded: (() => void) | null = null;
  private drained: Promise<void> | null = null;
  private moving: Promise<void> | null = null;
  private readonly tailTimer: NodeJS.Timeout;

  constructor(
    kafka: Kafka,
    private readonly options: SubscribeOptions,
    private readonly settings: KafkaBusSettings,
    /** Appends a message to the topic again. */
    private readonly append: (key: string, text: string) => Promise<void>,
    private readonly onDead: (reason: string) => void,
    private readonly logger: BusLogger,
  ) {
    const { group, topic } = options;
    const events = {
      onBatch: (payload: EachBatchPayload) => this.acceptBatch(payload),
      onJoin: (partitions: ReadonlySet<number>, continued: boolean) => this.joined(partitions, continued),
      onCommitted: (partition: number, offset: string) => this.commits.wasCommitted(partition, offset),
      onDead: (reason: string) => this.onDead(`${group} on ${topic}: ${reason}`),
    };
    this.consumer = new KafkaConsumer(kafka, group, topic, settings, events, logger);
    this.commits = new OffsetCommits((offsets) => this.consumer.commit(offsets), settings.commitRetryMs, logger);
    this.tailTimer = setInterval(() => void (this.moving ??= this.moveBlockers().finally(() => (this.moving = null))), settings.tailMs / 4);
    this.tailTimer.unref();
  }

  get stallRestarts(): number {
    return this.consumer.stallRestarts;
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
    clearInterval(this.tailTimer);
    await this.moving;
    this.queue.drop(() => true);
    this.applyPauses();
    if (this.queue.running > 0 && deadlineMs > 0) await this.waitUntilEmpty(deadlineMs);
    await this.lastCommits(deadlineMs > 0 ? LAST_COMMITS_MS : 0);
    this.commits.stop();
    await this.consumer.stop();
    this.commits.keepOnly(new Set());
  }

  private waitUntilEmpty(deadlineMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, deadlineMs);
      this.onEnded = () => {
        if (this.queue.running > 0) return;
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** A refused commit may only mean a rebalance in progress. Uncommitted messages are delivered again to another consumer. */
  private async lastCommits(withinMs: number): Promise<void> {
    const end = Date.now() + withinMs;
    for (;;) {
      await within(LAST_COMMITS_MS, 'committing', this.commits.now()).catch(() => undefined);
      if (this.commits.pending.length === 0 || Date.now() >= end || !this.consumer.isJoined) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  private joined(partitions: ReadonlySet<number>, continued: boolean): void {
    this.assigned = partitions;
    this.commits.keepOnly(continued ? partitions : new Set());
    this.queue.drop((work) => !this.commits.has(work.partition, work.progress));
    this.pausedPartitions = new Set();
    this.applyPauses(true);
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
        this.queue.accept({
          queueKey: `${partition} ${key}`,
          partition,
          offset,
          key,
          text: message.value?.toString() ?? '',
          readAt: Date.now(),
          progress,
        });
      resolveOffset(message.offset);
    }
    this.deliverReady();
    this.applyPauses();
    await heartbeat();
  }

  private forget(partition: number): void {
    this.logger.warn({ topic: this.options.topic, partition }, 'the topic was recreated; reading from its earliest message');
    this.commits.keepOnly(new Set([...this.assigned].filter((one) => one !== partition)));
  }

  private get bound(): number {
    return Math.min(this.options.maxInFlight ?? this.settings.maxInFlight, this.settings.maxInFlight);
  }

  private deliverReady(): void {
    while (!this.stopping && this.queue.running < this.bound) {
      const work = this.queue.take();
      if (!work) return;
      void this.deliver(work);
    }
  }

  private async deliver(work: Work): Promise<void> {
    const { topic, schema, handle, onQuarantine } = this.options;
    const { partition, key, text } = work;
    const offset = String(work.offset);
    let ended = false;
    const settle = (): void => {
      if (ended) return;
      ended = true;
      this.ended(work);
    };
    try {
      const read = readMessage(text, schema);
      if (read.ok) await handle({ topic, key, envelope: read.envelope, settle });
      else {
        await onQuarantine({ topic, partition, offset, text, reason: read.reason });
        settle();
      }
    } catch (error) {
      if (ended) return;
      ended = true;
      this.logger.warn({ topic, partition, offset, error: errorText(error) }, 'a handler rejected a message; it is redelivered');
      setTimeout(() => this.redeliver(work), this.settings.redeliverMs).unref();
    }
  }

  private redeliver(work: Work): void {
    if (this.stopping || !this.commits.has(work.partition, work.progress)) {
      // the partition was reassigned; its new owner gets the message
      this.queue.end(work);
      this.onEnded?.();
    } else this.queue.requeue(work);
    this.deliverReady();
  }

  private ended(work: Work): void {
    work.progress.end(work.offset);
    this.queue.end(work);
    this.onEnded?.();
    this.commits.soon();
    this.deliverReady();
    this.applyPauses();
  }

  private mustPause(partition: number): boolean {
    const { inFlight, tail } = this.commits.of(partition);
    const share = Math.ceil((this.bound + this.settings.readAhead) / Math.max(1, this.assigned.size));
    return inFlight >= share || tail >= this.settings.maxOutOfOrder;
  }

  /**
   * Appends messages again that have blocked ended ones for too long, and ends the blocking ones: then only the messages themselves count as
   * lag, and not those behind them. A copy has the same key, so it waits here until the original has ended, or is delivered to the next owner.
   */
  private async moveBlockers(): Promise<void> {
    for (const [partition, progress] of this.commits) {
      for (let work = this.blockerOf(progress); work !== undefined; work = this.blockerOf(progress)) {
        try {
          await this.append(work.key, work.text);
        } catch (error) {
          this.logger.warn({ topic: this.options.topic, partition, error: errorText(error) }, 'could not move a message; retrying');
          break;
        }
        progress.end(work.offset);
        // a running one stays in the queue, before its copy
        this.queue.drop((one) => one === work);
      }
    }
    this.commits.soon();
    this.applyPauses();
  }

  private blockerOf(progress: PartitionProgress): Work | undefined {
    const offset = progress.blocker;
    const work = offset === null ? undefined : this.queue.find((one) => one.progress === progress && one.offset === offset);
    return work !== undefined && Date.now() - work.readAt >= this.settings.tailMs ? work : undefined;
  }

  /** Pauses and resumes partitions of the fetch loop; `all` repeats unchanged ones, after a join. */
  private applyPauses(all = false): void {
    const pause: number[] = [];
    const resume: number[] = [];
    for (const partition of this.assigned) {
      const mustPause = this.stopping || this.mustPause(partition);
      if (!all && mustPause === this.pausedPartitions.has(partition)) continue;
      (mustPause ? pause : resume).push(partition);
      if (mustPause) this.pausedPartitions.add(partition);
      else this.pausedPartitions.delete(partition);
    }
    if (pause.length + resume.length > 0) this.consumer.setPaused(pause, resume);
  }
}
