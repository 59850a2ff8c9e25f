import type { Logger } from '@autoposter/observability';
import { errorText } from '../bus-failures';

/**
 * Progress of one partition. Messages end in any order; only the contiguous prefix may be committed. Offsets are not consecutive: the log
 * skips some.
 */
export class PartitionProgress {
  /** In log order; true if ended. */
  private readonly open = new Map<bigint, boolean>();
  private unended = 0;
  private endedThrough: bigint | null = null;
  private committed: bigint | null = null;

  /** False for a known message: after a rebalance the log is read again from the last commit. */
  accept(offset: bigint): boolean {
    if ((this.endedThrough !== null && offset <= this.endedThrough) || this.open.has(offset)) return false;
    this.open.set(offset, false);
    this.unended += 1;
    return true;
  }

  end(offset: bigint): void {
    if (this.open.get(offset) !== false) return;
    this.open.set(offset, true);
    this.unended -= 1;
    for (const [first, ended] of this.open) {
      if (!ended) break;
      this.open.delete(first);
      this.endedThrough = first;
    }
  }

  /** The offset to commit (that of the next message); `null` if there is no new one. */
  toCommit(): bigint | null {
    if (this.endedThrough === null) return null;
    const next = this.endedThrough + 1n;
    return this.committed === null || this.committed < next ? next : null;
  }

  wasCommitted(next: bigint): void {
    if (this.committed === null || this.committed < next) this.committed = next;
  }

  /** Number of messages that have not ended. */
  get inFlight(): number {
    return this.unended;
  }

  /** The first message that has not ended, if others behind it have: they count as lag until it ends. */
  get blocker(): bigint | null {
    const [first] = this.open.keys();
    return first === undefined || this.unended === this.open.size ? null : first;
  }

  /** Number of messages after the contiguous prefix. */
  get tail(): number {
    return this.open.size;
  }

  /** True if the log ends before the known offsets: the topic was recreated. */
  isAheadOf(endOfLog: bigint): boolean {
    return this.endedThrough !== null && this.endedThrough >= endOfLog;
  }
}

export interface OffsetToCommit {
  partition: number;
  offset: string;
}

/** Ends are committed together once none came for this long … */
const QUIET_MS = 200;
/** … but this long after the first of them at the latest: until then a crash repeats their messages, and they count as lag. */
const LATEST_MS = 1_000;

/**
 * Commits the ended prefix of each partition outside the handler. During a rebalance the broker refuses ("Specified group generation id is
 * not valid"); the prefix is kept and committed after the next join or at the next retry. Only `wasCommitted` proves a commit: while a
 * consumer restarts, kafkajs resolves commits that it never sent.
 */
export class OffsetCommits {
  private readonly progress = new Map<number, PartitionProgress>();
  private timer: NodeJS.Timeout | undefined;
  private wantedAt: number | null = null;
  private running: Promise<void> | null = null;
  private readonly retry: NodeJS.Timeout;

  constructor(
    private readonly commit: (offsets: OffsetToCommit[]) => Promise<void>,
    retryMs: number,
    private readonly logger: Logger,
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

  [Symbol.iterator](): IterableIterator<PartitionProgress> {
    return this.progress.values();
  }

  /** Forgets lost partitions; their new owner processes and commits their unfinished messages. */
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
    const now = performance.now();
    this.wantedAt ??= now;
    clearTimeout(this.timer);
    this.timer = setTimeout(
      () => {
        this.wantedAt = null;
        void this.now();
      },
      Math.min(QUIET_MS, this.wantedAt + LATEST_MS - now),
    ).unref();
  }

  /** One attempt; resolves even if the broker refuses. */
  now(): Promise<void> {
    this.running ??= this.attempt().finally(() => (this.running = null));
    return this.running;
  }

  stop(): void {
    clearInterval(this.retry);
    clearTimeout(this.timer);
  }

  private async attempt(): Promise<void> {
    const offsets = this.pending;
    if (offsets.length === 0) return;
    try {
      await this.commit(offsets);
    } catch (error) {
      this.logger.info({ offsets, error: errorText(error) }, 'a commit was refused; it is kept and retried');
      return;
    }
    // messages ended while the commit was in flight
    if (this.pending.some((one) => !offsets.some((sent) => sent.partition === one.partition && sent.offset === one.offset))) this.soon();
  }
}
