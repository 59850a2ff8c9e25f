import type { Database, QueueItem } from '@autoposter/persistence';
import { QueueSpacing } from './publish-conditions';

describe('QueueSpacing', () => {
  const NOW = new Date('2026-05-01T12:00:00Z');
  const minutesAgo = (minutes: number) => new Date(NOW.getTime() - minutes * 60_000);
  interface Facts {
    place?: Partial<QueueItem>;
    lastPostAt?: Date;
    lastOpenCallAt?: Date;
  }
  const freeAt = ({ place = {}, lastPostAt, lastOpenCallAt }: Facts) => {
    const read = {
      attempts: {
        find: () => Promise.resolve({ id: 'a1', accountId: 'account', queueItemId: 'q1' }),
        lastOpenCallAt: () => Promise.resolve(lastOpenCallAt ?? null),
      },
      queue: {
        find: () => Promise.resolve({ immediate: false, pinned: false, ...place }),
        lastPostAt: () => Promise.resolve(lastPostAt ?? null),
      },
      settings: { get: () => Promise.resolve({ intervalMinutes: 60, timeBlocking: { enabled: false } }) },
    };
    return new QueueSpacing({ read } as unknown as Pick<Database, 'read'>, 'UTC').freeAt('a1', NOW);
  };

  it.each([
    ['nothing was posted', {}],
    ['the interval is over', { lastPostAt: minutesAgo(60), lastOpenCallAt: minutesAgo(61) }],
    [
      'its time is pinned and the last post a minute old',
      { place: { pinned: true }, lastPostAt: minutesAgo(1), lastOpenCallAt: minutesAgo(1) },
    ],
    ['it was sent at once', { place: { immediate: true }, lastPostAt: minutesAgo(1) }],
  ] as [string, Facts][])('lets a post out when %s', async (_when, facts) => {
    expect(await freeAt(facts)).toBeNull();
  });

  it.each([
    ['the last post', { lastPostAt: minutesAgo(20) }],
    ['a call whose result is not known yet', { lastPostAt: minutesAgo(90), lastOpenCallAt: minutesAgo(20) }],
  ] as [string, Facts][])('keeps the interval to %s', async (_what, facts) => {
    expect(await freeAt(facts)).toEqual(new Date('2026-05-01T12:40:00Z'));
  });

  it('keeps a minute between a post with a pinned time and the one that went out while it was prepared', async () => {
    expect(await freeAt({ place: { pinned: true }, lastPostAt: minutesAgo(0.5) })).toEqual(new Date('2026-05-01T12:00:30Z'));
  });
});
