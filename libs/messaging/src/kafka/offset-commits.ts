import { wordsOf } from '../bus-failures';
import type { BusLogger } from '../event-bus.port';
import { PartitionProgress } from './partition-progress';

export interface OffsetToCommit {
  partition: number;
  offset: string;
}

/** What ended within this time is committed together. */
const TOGETHER_MS = 20;

/**
 * Commits the ended prefix of each partition from outside the handler. In the middle of a rebalance the broker refuses ("Specified group
 * generation id is not valid"); the prefix is kept and committed after the next join, or when the regular retry comes round. Only
 * `wasCommitted` counts as proof: while a consumer restarts, kafkajs answers a commit it never sent.
 */
export class OffsetCommits {
  private readonly progress = new Map<number, PartitionProgress>();
  private timer: NodeJS.Timeout | null = null;
  private running: Promise<void> | null = null;
  private readonly retry: NodeJS.Timeout;

  constructor(
    private readonly commit: (offsets: OffsetToCommit[]) => Promise<void>,
    retryMs: number,
    private readonly logger: BusLogger,
  ) {
    this.retry = setInterval(() => this.soon(), retryMs);
    this.retry.unref();
  }

  of(partition: number): PartitionProgress {
    let progress = this.progress.get(partition);
    if (!progress) this.progress.set(partition, (progress = new PartitionProgress()));
    return progress;
  }

  has(partition: number, progress: PartitionProgress): boolean {
    return this.progress.get(partition) === progress;
  }

  /** Forgets partitions that are ours no more; what still runs for them is committed by their new owner. */
  keepOnly(partitions: ReadonlySet<number>): void {
    for (const partition of this.progress.keys()) if (!partitions.has(partition)) this.progress.delete(partition);
  }

  wasCommitted(partition: number, offset: string): void {
    this.progress.get(partition)?.wasCommitted(BigInt(offset));
  }

  get pending(): OffsetToCommit[] {
    const offsets: OffsetToCommit[] = [];
    for (const [partition, progress] of this.progress) {
      const offset = progress.toCommit();
      if (offset !== null) offsets.push({ partition, offset: String(offset) });
    }
    return offsets;
  }

  soon(): void {
    this.timer ??= setTimeout(() => {
      this.timer = null;
      void this.now();
    }, TOGETHER_MS).unref();
  }

  /** One attempt; resolves also when the broker refuses. */
  now(): Promise<void> {
    this.running ??= this.attempt().finally(() => (this.running = null));
    return this.running;
  }

  stop(): void {
    clearInterval(this.retry);
    if (this.timer) clearTimeout(this.timer);
  }

  private async attempt(): Promise<void> {
    const offsets = this.pending;
    if (offsets.length === 0) return;
    try {
      await this.commit(offsets);
    } catch (error) {
      this.logger.info({ offsets, error: wordsOf(error) }, 'a commit was refused, it is kept and tried again');
      return;
    }
    // Work that ended while the commit was on its way.
    if (this.pending.some((one) => !offsets.some((sent) => sent.partition === one.partition && sent.offset === one.offset))) this.soon();
  }
}
