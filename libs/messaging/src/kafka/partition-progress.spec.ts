import { PartitionProgress } from './partition-progress';

const seen = (...offsets: number[]): PartitionProgress => {
  const progress = new PartitionProgress();
  for (const offset of offsets) progress.accept(BigInt(offset));
  return progress;
};

describe('PartitionProgress', () => {
  it('commits only the prefix without a gap', () => {
    const progress = seen(5, 6, 7, 8);
    progress.end(7n);
    progress.end(6n);
    expect(progress.toCommit()).toBeNull();
    progress.end(5n);
    expect(progress.toCommit()).toBe(8n);
    expect(progress.tail).toBe(1);
    progress.end(8n);
    expect(progress.toCommit()).toBe(9n);
  });

  it('asks for the same commit until it is told that it came through', () => {
    const progress = seen(0);
    progress.end(0n);
    expect(progress.toCommit()).toBe(1n);
    expect(progress.toCommit()).toBe(1n);
    progress.wasCommitted(1n);
    expect(progress.toCommit()).toBeNull();
  });

  it('does not take a late confirmation of an older commit for the newest', () => {
    const progress = seen(0, 1);
    progress.end(0n);
    progress.end(1n);
    progress.wasCommitted(2n);
    progress.wasCommitted(1n);
    expect(progress.toCommit()).toBeNull();
  });

  it('knows what it has seen when the log is read again', () => {
    const progress = seen(3, 4, 5);
    progress.end(3n);
    progress.end(5n);
    expect([3n, 4n, 5n, 6n].map((offset) => progress.accept(offset))).toEqual([false, false, false, true]);
  });

  it('copes with offsets the log leaves out and with ends it does not know', () => {
    const progress = seen(1, 9, 100);
    for (const offset of [9n, 1n, 50n, 100n, 100n]) progress.end(offset);
    expect(progress.toCommit()).toBe(101n);
  });

  it('notices that the log was made anew', () => {
    const progress = seen(7);
    expect(progress.isAheadOf(1n)).toBe(false);
    progress.end(7n);
    expect(progress.isAheadOf(7n)).toBe(true);
    expect(progress.isAheadOf(8n)).toBe(false);
  });
});
