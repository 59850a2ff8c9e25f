import type { Logger } from '@autoposter/observability';
import { Poller } from '@autoposter/resilience';
import { errorText } from '../bus-failures';

/**
 * Progress of one partition. Messages end in any order; only the contiguous prefix may be committed. Offsets are not consecutive: the log
 * skips some.
 */
export class PartitionProgress {
  /** In log order; true if ended. */
  private readonly open = new Map<bigint, boolean>();
  /** Number of messages that have not ended. */
  inFlight = 0;
  private endedThrough: bigint | null = null;
  private committed: bigint | null = null;

  /** False for a known message: after a rebalance the log is read again from the last commit. */
  accept(offset: bigint): boolean {
    if ((this.endedThrough !== null && offset <= this.endedThrough) || this.open.has(offset)) return false;
    this.open.set(offset, false);
    this.inFlight += 1;
    return true;
  }

  end(offset: bigint): void {
    if (this.open.get(offset) !== false) return;
    this.open.set(offset, true);
    this.inFlight -= 1;
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

  /** The first message that has not ended, if others behind it have: they count as lag until it ends. */
  get blocker(): bigint | null {
    const [first] = this.open.keys();
    return first === undefined || this.inFlight === this.open.size ? null : first;
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

/** Shortest pause between two commits: until the next one, a crash repeats the messages that ended, and they count as lag. */
const BETWEEN_COMMITS_MS = 1_000;

/**
 * Commits the ended prefix of each partition outside the handler. During a rebalance the broker refuses ("Specified group generation id is
 * not valid"); the prefix is kept and committed after the next join or at the next retry. Only `wasCommitted` proves a commit: while a
 * consumer restarts, kafkajs resolves commits that it never sent.
 */
export class OffsetCommits {
  private readonly progress = new Map<number, PartitionProgress>();
  private readonly poller: Poller;

  constructor(
    private readonly commit: (offsets: OffsetToCommit[]) => Promise<void>,
    retryMs: number,
    private readonly logger: Logger,
  ) {
    this.poller = new Poller({
      work: () => this.now(),
      everyMs: () => retryMs,
      gapMs: () => BETWEEN_COMMITS_MS,
      problem: 'offsets cannot be committed; retrying',
      logger,
    });
    this.poller.start();
  }

  of(partition: number): PartitionProgress {
    let progress = this.progress.get(partition);
    if (!progress) this.progress.set(partition, (progress = new PartitionProgress()));
    return progress;
  }

  has(partition: number, progress: PartitionProgress): boolean {
    return this.progress.get(partition) === progress;
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
    this.poller.wake();
  }

  /** One attempt; resolves even if the broker refuses. */
  async now(): Promise<void> {
    const offsets = this.pending;
    if (offsets.length === 0) return;
    await this.commit(offsets).catch((error: unknown) =>
      this.logger.info({ offsets, error: errorText(error) }, 'a commit was refused; it is kept and retried'),
    );
  }

  stop(): void {
    void this.poller.stop();
  }
}
