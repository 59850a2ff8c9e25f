/**
 * How far the work of one partition has come. Messages end in any order; what may be committed is the prefix without a gap. Offsets
 * need not follow each other: the log leaves some out.
 */
export class PartitionProgress {
  /** In the order of the log; true when ended. */
  private readonly open = new Map<bigint, boolean>();
  private endedThrough: bigint | null = null;
  private committed: bigint | null = null;

  /** False for a message that is known here already: after a rebalance the log is read again from the last commit. */
  accept(offset: bigint): boolean {
    if ((this.endedThrough !== null && offset <= this.endedThrough) || this.open.has(offset)) return false;
    this.open.set(offset, false);
    return true;
  }

  end(offset: bigint): void {
    if (!this.open.has(offset)) return;
    this.open.set(offset, true);
    for (const [first, ended] of this.open) {
      if (!ended) break;
      this.open.delete(first);
      this.endedThrough = first;
    }
  }

  /** The offset to commit (that of the next message), null when there is nothing new. */
  toCommit(): bigint | null {
    if (this.endedThrough === null) return null;
    const next = this.endedThrough + 1n;
    return this.committed === null || this.committed < next ? next : null;
  }

  wasCommitted(next: bigint): void {
    if (this.committed === null || this.committed < next) this.committed = next;
  }

  /** Messages between the last one of the prefix and the newest one. */
  get tail(): number {
    return this.open.size;
  }

  /** True when the log ends before what was seen here: the topic was made anew. */
  isAheadOf(endOfLog: bigint): boolean {
    return this.endedThrough !== null && this.endedThrough >= endOfLog;
  }
}
