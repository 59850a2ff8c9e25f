import { SILENT } from '../event-bus.port';
import { OffsetCommits, type OffsetToCommit } from './offset-commits';

describe('OffsetCommits', () => {
  let sent: OffsetToCommit[][];
  let refuse: boolean;
  let silent: boolean;
  let commits: OffsetCommits;

  beforeEach(() => {
    jest.useFakeTimers();
    [sent, refuse, silent] = [[], false, false];
    commits = new OffsetCommits(
      async (offsets) => {
        sent.push(offsets);
        if (refuse) throw new Error('Specified group generation id is not valid');
        if (!silent) for (const { partition, offset } of offsets) commits.wasCommitted(partition, offset);
      },
      5_000,
      SILENT,
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

  it('commits together what ended together', async () => {
    ended(0, 4n);
    ended(0, 5n);
    ended(3, 9n);
    await jest.advanceTimersByTimeAsync(100);
    expect(sent).toEqual([
      [
        { partition: 0, offset: '6' },
        { partition: 3, offset: '10' },
      ],
    ]);
  });

  it('keeps a refused prefix and commits it at the next occasion, or when the retry comes round', async () => {
    refuse = true;
    ended(0, 4n);
    await jest.advanceTimersByTimeAsync(100);
    refuse = false;
    commits.soon();
    await jest.advanceTimersByTimeAsync(100);
    expect(commits.pending).toEqual([]);
    refuse = true;
    ended(0, 5n);
    await jest.advanceTimersByTimeAsync(100);
    refuse = false;
    await jest.advanceTimersByTimeAsync(6_000);
    expect(commits.pending).toEqual([]);
    expect(sent.at(-1)).toEqual([{ partition: 0, offset: '6' }]);
  });

  it('does not believe a commit that only resolved', async () => {
    silent = true;
    ended(0, 4n);
    await jest.advanceTimersByTimeAsync(100);
    expect(commits.pending).toEqual([{ partition: 0, offset: '5' }]);
    silent = false;
    await jest.advanceTimersByTimeAsync(6_000);
    expect(commits.pending).toEqual([]);
  });

  it('commits nothing for a partition that has gone to another member', async () => {
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
