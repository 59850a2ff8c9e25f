import type { EachBatchPayload, Kafka } from 'kafkajs';
import { wordsOf } from '../bus-failures';
import type { BusLogger, SubscribeOptions, Subscription } from '../event-bus.port';
import { readMessage } from '../read-message';
import { within } from './kafka-client';
import { KafkaConsumer } from './kafka-consumer';
import type { KafkaBusSettings } from './kafka-settings';
import { KeyedWorkQueue, type LaneWork } from './key-lanes';
import { OffsetCommits } from './offset-commits';
import type { PartitionProgress } from './partition-progress';

interface Work extends LaneWork {
  partition: number;
  offset: bigint;
  key: string;
  text: string;
  /** The progress it counts for; another one once the partition was lost. */
  progress: PartitionProgress;
}

const LAST_COMMITS_MS = 3_000;

/**
 * Takes messages over from the fetch loop at once, hands them over as there is room, and commits what has ended. The fetch loop never waits
 * for work, so heartbeats and rebalances go on however long a job takes.
 */
export class KafkaSubscription implements Subscription {
  private readonly lanes = new KeyedWorkQueue<Work>();
  private readonly commits: OffsetCommits;
  private readonly consumer: KafkaConsumer;
  private assigned: ReadonlySet<number> = new Set();
  private resting = new Set<number>();
  private paused = false;
  private stopping = false;
  private onEnded: (() => void) | null = null;
  private drained: Promise<void> | null = null;

  constructor(
    kafka: Kafka,
    private readonly options: SubscribeOptions,
    private readonly settings: KafkaBusSettings,
    private readonly onDead: (reason: string) => void,
    private readonly logger: BusLogger,
  ) {
    const { group, topic } = options;
    const events = {
      onBatch: (payload: EachBatchPayload) => this.takeOver(payload),
      onJoin: (partitions: ReadonlySet<number>, continued: boolean) => this.joined(partitions, continued),
      onCommitted: (partition: number, offset: string) => this.commits.wasCommitted(partition, offset),
      onDead: (reason: string) => this.onDead(`${group} on ${topic}: ${reason}`),
    };
    this.consumer = new KafkaConsumer(kafka, group, topic, settings, events, logger);
    this.commits = new OffsetCommits((offsets) => this.consumer.commit(offsets), settings.commitRetryMs, logger);
  }

  get deafRestarts(): number {
    return this.consumer.deafRestarts;
  }

  get isJoined(): boolean {
    return this.consumer.isJoined;
  }

  start(): Promise<void> {
    return this.consumer.start();
  }

  pause(): void {
    this.paused = true;
  }

  resume(): void {
    this.paused = false;
    this.handOn();
  }

  drain(deadlineMs: number): Promise<void> {
    this.drained ??= this.end(deadlineMs);
    return this.drained;
  }

  private async end(deadlineMs: number): Promise<void> {
    this.stopping = true;
    this.lanes.drop(() => true);
    this.applyRest();
    if (this.lanes.out > 0 && deadlineMs > 0) await this.emptyOr(deadlineMs);
    await this.lastCommits(deadlineMs > 0 ? LAST_COMMITS_MS : 0);
    this.commits.stop();
    await this.consumer.stop();
    this.commits.keepOnly(new Set());
  }

  private emptyOr(deadlineMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, deadlineMs);
      this.onEnded = () => {
        if (this.lanes.out > 0) return;
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** A refusal may only mean that a rebalance is on its way; what stays uncommitted comes to others once more. */
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
    this.lanes.drop((work) => !this.commits.has(work.partition, work.progress));
    this.resting = new Set();
    this.applyRest(true);
    this.commits.soon();
  }

  private async takeOver({ batch, resolveOffset, heartbeat, isRunning, isStale }: EachBatchPayload): Promise<void> {
    const { partition } = batch;
    // kafkajs may still work off a fetch of a partition that has gone to another member.
    if (!this.assigned.has(partition)) return;
    if (this.commits.of(partition).isAheadOf(BigInt(batch.highWatermark))) this.forget(partition);
    const progress = this.commits.of(partition);
    for (const message of batch.messages) {
      if (this.stopping || !isRunning() || isStale() || this.hasToRest(partition)) break;
      const offset = BigInt(message.offset);
      const key = message.key?.toString() ?? '';
      if (progress.accept(offset))
        this.lanes.accept({ lane: `${partition} ${key}`, partition, offset, key, text: message.value?.toString() ?? '', progress });
      resolveOffset(message.offset);
    }
    this.handOn();
    this.applyRest();
    await heartbeat();
  }

  private forget(partition: number): void {
    this.logger.warn({ topic: this.options.topic, partition }, 'the log was made anew, reading it from where it begins');
    this.commits.keepOnly(new Set([...this.assigned].filter((one) => one !== partition)));
  }

  private get bound(): number {
    return Math.min(this.options.maxInFlight ?? this.settings.maxInFlight, this.settings.maxInFlight);
  }

  private handOn(): void {
    while (!this.paused && !this.stopping && this.lanes.out < this.bound) {
      const work = this.lanes.take();
      if (!work) return;
      void this.handOver(work);
    }
  }

  private async handOver(work: Work): Promise<void> {
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
      this.logger.warn({ topic, partition, offset, error: wordsOf(error) }, 'a message was not taken, it comes again');
      setTimeout(() => this.again(work), this.settings.redeliverMs).unref();
    }
  }

  private again(work: Work): void {
    if (this.stopping || !this.commits.has(work.partition, work.progress)) {
      // Not ended, only no longer ours: its new owner gets it.
      this.lanes.end(work);
      this.onEnded?.();
    } else this.lanes.putBack(work);
    this.handOn();
  }

  private ended(work: Work): void {
    work.progress.end(work.offset);
    this.lanes.end(work);
    this.onEnded?.();
    this.commits.soon();
    this.handOn();
    this.applyRest();
  }

  private hasToRest(partition: number): boolean {
    return this.lanes.accepted >= this.bound + this.settings.readAhead || this.commits.of(partition).tail >= this.settings.maxTail;
  }

  /** Tells the fetch loop which partitions rest; `all` also those of which it is known, after a join. */
  private applyRest(all = false): void {
    const rest: number[] = [];
    const awake: number[] = [];
    for (const partition of this.assigned) {
      const rests = this.stopping || this.hasToRest(partition);
      if (!all && rests === this.resting.has(partition)) continue;
      (rests ? rest : awake).push(partition);
      if (rests) this.resting.add(partition);
      else this.resting.delete(partition);
    }
    if (rest.length + awake.length > 0) this.consumer.rest(rest, awake);
  }
}
