import { api, LIMITS, type QueueItem, type QueueStatus } from '@autoposter/contracts';
import { instantOf, wallClockOf } from '@autoposter/domain';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { keys, usePage } from '../http/cache';
import { useSelectedAccount } from '../instagram-accounts/use-accounts';
import { call, fetchData, type Query } from '../http/client';
import { localZone, usePreferences } from '../../preferences/preferences';
import { serverNow } from '../../store/clock';

/** Keys and requests of the selected account's queue. */
function useQueueOf() {
  const { accountId } = useSelectedAccount();
  return { accountId, key: (part: string) => (accountId === undefined ? [keys.queue, part] : [keys.queue, part, accountId]) };
}

function useStatusQuery() {
  const { accountId, key } = useQueueOf();
  return queryOptions({ queryKey: key('status'), queryFn: fetchData(api.instagramQueue.status, { query: { accountId } }) });
}

export const useQueueStatus = () =>
  useQuery({ ...useStatusQuery(), refetchInterval: LIMITS.polling.queueStatusMs, refetchOnWindowFocus: 'always' });

/** Time zone of the queue settings; UTC until it is loaded. */
export const useQueueZone = (): string => useQuery(useStatusQuery()).data?.timeBlocking.timeZone ?? 'UTC';

export function useQueueStatistics() {
  const { accountId, key } = useQueueOf();
  return useQuery({
    queryKey: key('statistics'),
    queryFn: fetchData(api.instagramQueue.statistics, { query: { accountId } }),
    refetchInterval: LIMITS.polling.queueStatisticsMs,
    refetchOnWindowFocus: 'always',
  });
}

export function useQueue(query: Query) {
  const { accountId } = useQueueOf();
  return usePage([keys.queue, 'list'], api.instagramQueue.list, { ...query, accountId });
}

/** Largest preview of the API. */
const PREVIEW_SLOTS = 100;

export function useQueuePreview(enabled: boolean) {
  const { accountId, key } = useQueueOf();
  const query = { count: PREVIEW_SLOTS, accountId };
  return useQuery({ queryKey: key('preview'), queryFn: fetchData(api.instagramQueue.preview, { query }), enabled });
}

/** Files and caption for the Instagram app; idle while `id` is null. */
export const useInAppTask = (id: string | null) =>
  useQuery({
    queryKey: [keys.queue, 'in-app', id],
    enabled: id !== null,
    queryFn: fetchData(api.instagramQueue.inAppTask, { params: { id: id ?? '' } }),
  });

/** Failed posts of the selected account by cause. */
export function useFailureCauses() {
  const { accountId, key } = useQueueOf();
  return useQuery({ queryKey: key('causes'), queryFn: fetchData(api.overview.failureCauses, { query: { accountId } }) });
}

/** Time of the last scheduled item, or null. */
export function useLastSlot() {
  const { accountId, key } = useQueueOf();
  return useQuery({
    queryKey: key('last'),
    queryFn: async ({ signal }) => {
      const query = { status: 'scheduled', sortBy: 'scheduling.scheduledFor', sortOrder: 'desc', page: 1, limit: 1, accountId };
      return (await call(api.instagramQueue.list, { query, signal })).data.posts[0]?.scheduling.scheduledFor ?? null;
    },
  });
}

const PAGE = 200;
/** Pages per status that the calendar loads. */
const CALENDAR_PAGES: Partial<Record<QueueStatus, number>> = { pending: 1, scheduled: 5, posting: 1, posted: 2, failed: 1 };

interface QueueCalendarData {
  posts: QueueItem[];
  /** Whether there are more items than the calendar loads. */
  truncated: boolean;
}

interface Listed {
  status: QueueStatus;
  pages: number;
  since?: number;
  accountId: string | undefined;
}

async function listByTime({ status, pages, since = -Infinity, accountId }: Listed, signal: AbortSignal): Promise<QueueCalendarData> {
  const posts: QueueItem[] = [];
  const sortOrder = status === 'posted' || status === 'failed' ? 'desc' : 'asc';
  for (let page = 1; page <= pages; page += 1) {
    const query = { status, sortBy: 'scheduling.scheduledFor', sortOrder, page, limit: PAGE, accountId };
    const { data } = await call(api.instagramQueue.list, { query, signal });
    posts.push(...data.posts);
    if (!data.pagination.hasNextPage || data.posts.some((item) => timeOf(item) < since)) return { posts, truncated: false };
  }
  return { posts, truncated: true };
}

/** Waiting items, and those published or failed recently. */
export function useQueueCalendar() {
  const { accountId, key } = useQueueOf();
  return useQuery({
    queryKey: key('calendar'),
    queryFn: async ({ signal }): Promise<QueueCalendarData> => {
      const parts = await Promise.all(
        Object.entries(CALENDAR_PAGES).map(([status, pages]) => listByTime({ status: status as QueueStatus, pages, accountId }, signal)),
      );
      return { posts: parts.flatMap((part) => part.posts), truncated: parts.some((part) => part.truncated) };
    },
    placeholderData: keepPreviousData,
  });
}

export interface DayCount {
  /** Midnight in the preferred time zone, in milliseconds since 1970. */
  from: number;
  posted: number;
  failed: number;
}

const DAYS = 7;
/** More than a week holds: the shortest interval is half an hour. */
const WEEK_PAGES = 2;

const timeOf = ({ scheduling }: QueueItem): number => Date.parse(scheduling.scheduledFor ?? scheduling.queuedAt);

/** Midnights of the last seven days, today included. */
export function lastDays(now: Date, timeZone: string): number[] {
  const { year, month, day } = wallClockOf(now, timeZone);
  const midnight = (daysAgo: number) => instantOf({ year, month, day: day - daysAgo, hour: 0, minute: 0 }, timeZone);
  return Array.from({ length: DAYS }, (_none, index) => midnight(DAYS - 1 - index).getTime());
}

/** Published and failed posts per day of the last seven days, by the time of their slot. */
export function useWeek() {
  const { accountId, key } = useQueueOf();
  const timeZone = usePreferences().timeZone ?? localZone();
  return useQuery({
    queryKey: [...key('week'), timeZone],
    queryFn: async ({ signal }): Promise<DayCount[]> => {
      const days = lastDays(new Date(serverNow()), timeZone);
      const timesOf = async (status: QueueStatus) =>
        (await listByTime({ status, pages: WEEK_PAGES, since: days[0] ?? 0, accountId }, signal)).posts.map(timeOf);
      const [posted, failed] = await Promise.all([timesOf('posted'), timesOf('failed')]);
      const within = (times: number[], index: number) =>
        times.filter((time) => time >= (days[index] ?? 0) && time < (days[index + 1] ?? Infinity)).length;
      return days.map((from, index) => ({ from, posted: within(posted, index), failed: within(failed, index) }));
    },
  });
}
