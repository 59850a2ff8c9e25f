import { type QueueItem, queueItemSample } from '@autoposter/contracts';
import { waitFor } from '@testing-library/react';
import { FakeApi } from '../../testing/fake-api';
import { renderQueryHook } from '../../testing/render-query-hook';
import { localZone, setPreferences } from '../../preferences/preferences';
import { lastDays, useQueueCalendar, useWeek } from './use-queue';

const at = (scheduledFor: string | null, queuedAt = '2026-01-01T00:00:00.000Z'): QueueItem => ({
  ...queueItemSample,
  scheduling: { ...queueItemSample.scheduling, scheduledFor, queuedAt },
});
const page = (posts: QueueItem[], hasNextPage = false) => ({ body: { success: true, data: { posts, pagination: { hasNextPage } } } });
const daysAgo = (days: number): string => new Date((lastDays(new Date(), localZone())[6 - days] ?? 0) + 3_600_000).toISOString();

describe('useQueueCalendar', () => {
  it('combines the items of all statuses', async () => {
    const api = new FakeApi().reply('GET /api/instagram-queue', ({ query }) => page(query['status'] === 'pending' ? [] : [at(daysAgo(0))]));
    const { result } = renderQueryHook(useQueueCalendar);
    await waitFor(() => expect(result.current.data).toMatchObject({ posts: { length: 4 }, truncated: false }));
    const order = Object.fromEntries(api.calls('GET', '/api/instagram-queue').map(({ query }) => [query['status'], query['sortOrder']]));
    expect(order).toEqual({ pending: 'asc', scheduled: 'asc', posting: 'asc', posted: 'desc', failed: 'desc' });
  });

  it('stops after the page limit of a status and reports that items are missing', async () => {
    const api = new FakeApi().reply('GET /api/instagram-queue', ({ query }) => page([at(daysAgo(0))], query['status'] === 'scheduled'));
    const { result } = renderQueryHook(useQueueCalendar);
    await waitFor(() => expect(result.current.data?.truncated).toBe(true));
    expect(api.calls('GET', '/api/instagram-queue').filter(({ query }) => query['status'] === 'scheduled')).toHaveLength(5);
  });
});

describe('useWeek', () => {
  it('counts published and failed posts per local day and ignores older ones', async () => {
    const posted = [at(daysAgo(0)), at(daysAgo(0)), at(daysAgo(6)), at('2020-01-01T00:00:00.000Z')];
    new FakeApi().reply('GET /api/instagram-queue', ({ query }) => page(query['status'] === 'posted' ? posted : [at(null, daysAgo(1))]));
    const { result } = renderQueryHook(useWeek);
    await waitFor(() => expect(result.current.data).toHaveLength(7));
    expect(result.current.data?.map((day) => [day.posted, day.failed])).toEqual([
      [1, 0],
      [0, 0],
      [0, 0],
      [0, 0],
      [0, 0],
      [0, 1],
      [2, 0],
    ]);
  });

  it('separates the days at midnight of the preferred time zone', async () => {
    setPreferences({ timeZone: 'Pacific/Auckland' });
    new FakeApi().reply('GET /api/instagram-queue', () => page([]));
    const { result } = renderQueryHook(useWeek);
    await waitFor(() => expect(result.current.data?.map(({ from }) => from)).toEqual(lastDays(new Date(), 'Pacific/Auckland')));
  });

  it('stops at the first page that reaches beyond the week', async () => {
    const api = new FakeApi().reply('GET /api/instagram-queue', () => page([at('2020-01-01T00:00:00.000Z')], true));
    const { result } = renderQueryHook(useWeek);
    await waitFor(() => expect(result.current.data).toHaveLength(7));
    expect(api.calls('GET', '/api/instagram-queue')).toHaveLength(2);
  });
});

describe('lastDays', () => {
  it('counts calendar days across a change of the clocks and the end of a month', () => {
    const days = lastDays(new Date('2026-11-02T12:00:00Z'), 'America/New_York').map((day) => new Date(day).toISOString());
    expect([days[0], days[5], days[6]]).toEqual(['2026-10-27T04:00:00.000Z', '2026-11-01T04:00:00.000Z', '2026-11-02T05:00:00.000Z']);
  });
});
