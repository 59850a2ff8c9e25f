import { queueItemSample, type QueueItem } from '@autoposter/contracts';
import { groupByDay } from './calendar-layout';

const post = (_id: string, scheduledFor: string | null): QueueItem => ({
  ...queueItemSample,
  _id,
  scheduling: { ...queueItemSample.scheduling, scheduledFor },
});

describe('groupByDay', () => {
  const posts = [
    post('late', '2030-01-02T20:30:00.000Z'),
    post('loose', null),
    post('early', '2030-01-02T01:00:00.000Z'),
    post('other', '2030-01-01T12:00:00.000Z'),
  ];
  const ids = (timeZone: string) => [...groupByDay(posts, timeZone)].map(([day, items]) => [day, items.map((item) => item._id)]);

  it('groups scheduled posts by the day of the time zone, earliest first', () => {
    expect(ids('UTC')).toEqual([
      ['2030-01-01', ['other']],
      ['2030-01-02', ['early', 'late']],
    ]);
    expect(ids('Asia/Kathmandu')).toEqual([
      ['2030-01-01', ['other']],
      ['2030-01-02', ['early']],
      ['2030-01-03', ['late']],
    ]);
  });

  it('converts the time of each post once', () => {
    const read = jest.spyOn(Intl.DateTimeFormat.prototype, 'formatToParts');
    groupByDay(posts, 'UTC');
    expect(read).toHaveBeenCalledTimes(3);
    read.mockRestore();
  });
});
