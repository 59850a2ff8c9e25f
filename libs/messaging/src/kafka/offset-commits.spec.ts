import { silentLogger } from '@autoposter/observability';
import { OffsetCommits, type OffsetToCommit, PartitionProgress } from './offset-commits';

const seen = (...offsets: number[]): PartitionProgress => {
  const progress = new PartitionProgress();
  for (const offset of offsets) progress.accept(BigInt(offset));
  return progress;
};

describe('PartitionProgress', () => {
  it('commits only the contiguous prefix', () => {
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

  it('repeats a commit until it is confirmed', () => {
    const progress = seen(0);
    progress.end(0n);
    expect(progress.toCommit()).toBe(1n);
    expect(progress.toCommit()).toBe(1n);
    progress.wasCommitted(1n);
    expect(progress.toCommit()).toBeNull();
  });

  it('ignores a late confirmation of an older commit', () => {
    const progress = seen(0, 1);
    progress.end(0n);
    progress.end(1n);
    progress.wasCommitted(2n);
    progress.wasCommitted(1n);
    expect(progress.toCommit()).toBeNull();
  });

  it('recognises known messages when the log is read again', () => {
    const progress = seen(3, 4, 5);
    progress.end(3n);
    progress.end(5n);
    expect([3n, 4n, 5n, 6n].map((offset) => progress.accept(offset))).toEqual([false, false, false, true]);
  });

  it('handles offset gaps and unknown ends', () => {
    const progress = seen(1, 9, 100);
    for (const offset of [9n, 1n, 50n, 100n, 100n]) progress.end(offset);
    expect(progress.toCommit()).toBe(101n);
  });

  it('names the first unfinished message as a blocker only while ended ones wait behind it', () => {
    const progress = seen(4, 5, 6);
    const blockers = [4n, 6n, 5n].map((offset) => (progress.end(offset), progress.blocker));
    expect(blockers).toEqual([null, 5n, null]);
  });

  it('counts a message once that ends twice behind a slow one', () => {
    const progress = seen(4, 5, 6);
    progress.end(5n);
    progress.end(5n);
    expect([progress.inFlight, progress.tail]).toEqual([2, 3]);
  });

  it('detects a recreated topic', () => {
    const progress = seen(7);
    expect(progress.isAheadOf(1n)).toBe(false);
    progress.end(7n);
    expect(progress.isAheadOf(7n)).toBe(true);
    expect(progress.isAheadOf(8n)).toBe(false);
  });
});

describe('OffsetCommits', () => {
  let sent: OffsetToCommit[][];
  let refuse: boolean;
  let silent: boolean;
  let confirmed: Promise<void>;
  let commits: OffsetCommits;

  beforeEach(() => {
    jest.useFakeTimers();
    [sent, refuse, silent, confirmed] = [[], false, false, Promise.resolve()];
    commits = new OffsetCommits(
      async (offsets) => {
        sent.push(offsets);
        await confirmed;
        if (refuse) throw new Error('Specified group generation id is not valid');
        if (!silent) for (const { partition, offset } of offsets) commits.wasCommitted(partition, offset);
      },
      5_000,
      silentLogger,
    );
  });
  afterEach(() => {
    commits.stop();
    jest.useRealTimers();
  });

  const ended = (partition: number, offset: bigint): void => {
    commits.of(partition).accept(offset);
    commits.of(partition).end(offset);
    commits.soon();
  };

  it('batches ends into one commit', async () => {
    ended(0, 4n);
    ended(0, 5n);
    ended(3, 9n);
    await jest.advanceTimersByTimeAsync(200);
    expect(sent).toEqual([
      [
        { partition: 0, offset: '6' },
        { partition: 3, offset: '10' },
      ],
    ]);
  });

  it('commits once a second while messages keep ending', async () => {
    for (let offset = 0n; offset < 30n; offset += 1n) {
      ended(0, offset);
      await jest.advanceTimersByTimeAsync(100);
    }
    expect(sent.map(([first]) => first?.offset)).toEqual(['1', '10', '20', '30']);
  });

  it('keeps a refused prefix and commits it with the next end or retry', async () => {
    refuse = true;
    ended(0, 4n);
    await jest.advanceTimersByTimeAsync(200);
    refuse = false;
    commits.soon();
    await jest.advanceTimersByTimeAsync(1_000);
    expect(commits.pending).toEqual([]);
    refuse = true;
    ended(0, 5n);
    await jest.advanceTimersByTimeAsync(1_000);
    refuse = false;
    await jest.advanceTimersByTimeAsync(6_000);
    expect(commits.pending).toEqual([]);
    expect(sent.at(-1)).toEqual([{ partition: 0, offset: '6' }]);
  });

  it('commits what ends while a commit is in flight a second after it', async () => {
    let confirm: () => void = () => undefined;
    confirmed = new Promise((resolve) => (confirm = resolve));
    ended(0, 4n);
    await jest.advanceTimersByTimeAsync(200);
    ended(0, 5n);
    await jest.advanceTimersByTimeAsync(200);
    expect(sent).toHaveLength(1);
    confirm();
    await jest.advanceTimersByTimeAsync(1_000);
    expect(sent.at(-1)).toEqual([{ partition: 0, offset: '6' }]);
  });

  it('does not trust a commit that only resolved', async () => {
    silent = true;
    ended(0, 4n);
    await jest.advanceTimersByTimeAsync(200);
    expect(commits.pending).toEqual([{ partition: 0, offset: '5' }]);
    silent = false;
    await jest.advanceTimersByTimeAsync(6_000);
    expect(commits.pending).toEqual([]);
  });

  it('commits nothing for a reassigned partition', async () => {
    const before = commits.of(0);
    before.accept(4n);
    commits.keepOnly(new Set([1]));
    before.end(4n);
    commits.soon();
    await jest.advanceTimersByTimeAsync(6_000);
    expect(sent).toEqual([]);
    expect(commits.has(0, before)).toBe(false);
  });
});
